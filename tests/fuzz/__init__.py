"""A fuzzer: damaged states, wild answers and spoilt rulebooks, tried by the million.

`python -m tests.fuzz --minutes 10` runs it; `make test-long` does so too. Every case has a number.
A seed and a number give the same case again: `python -m tests.fuzz --only states --seed 7 --case 91`.

- `damage`: how states, answers and GameDefs are spoilt.
- `originals`: small rulebooks to spoil.
- `calls`: every public method of a game, called on a state.
- `cases`: what one case of each kind does, and what counts as a finding.
- `worker`: the process that runs cases under limits of time and memory.
- `supervisor`: starts workers, and goes on after the case that ended one.
"""
