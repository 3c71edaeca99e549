"""The first cells of every state: the generator, where the program stopped, whose turn it is."""

from __future__ import annotations

RNG_LO = 0  # the generator's state, low and high 32 bits (as signed ints)
RNG_HI = 1
LOG = 2  # number of events so far
PC = 3  # index of the instruction the program stopped at (a Choose or Chance); see `run`
HEAD = 4  # the head whose move is under way (index into `heads` + 1), 0 between moves
ANSWERED = 5  # 1 once a decision of this move has been answered
ACTION = 6  # the action under way (index into `actions` + 1), 0 otherwise
ACTOR = 7  # the seat whose action or choice it is (`actor`); the first one before any move
ACTIVE = 8  # the seat whose turn it is (`active`)
PHASE = 9  # index of the phase, -1 without phases
TURN = 10  # turns begun
OVER = 11  # 0 while the game runs, else index into `ends` + 1
PLAYERS = 12  # seats in play: 0 .. PLAYERS-1
SCENARIO = 13
PENDING_PHASE = 14  # request: 0 none, phase + 1
PENDING_TURN = 15  # request: 0 none, 1 end of turn
HEADER = 16  # first free cell
