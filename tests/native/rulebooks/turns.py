"""Who does what when: actions, operations, phases, flow, endings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tests.native.rulebooks.decisions import Decisions
from tests.native.rulebooks.scope import Scope
from tests.native.rulebooks.setting import Block

INTERRUPTS = ("push phase alarm", "push phase panic")


@dataclass
class Course:
    """The blocks that say how the game goes, and the names in them."""

    blocks: Block = field(default_factory=dict)
    actions: list[str] = field(default_factory=list)
    stages: list[str] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)


class Turns:
    def __init__(self, decisions: Decisions) -> None:
        self.decisions = decisions
        self.lists = decisions.lists
        self.write = decisions.write
        self.dice = decisions.dice
        self.setting = decisions.setting

    def course(self, events: bool) -> Course:
        made = Course()
        dice = self.dice
        form = dice.choice(("actions", "actions", "phases", "flow"))
        if form != "actions":
            made.phases = ["dawn", "day", "night"]
        count = dice.choice((1, 1, 2, 3))
        made.actions = [f"do{number}" for number in range(count)]
        made.blocks["actions"] = [self._action(name, form, events) for name in made.actions]
        if not self.setting.gentle and dice.random() < 0.5:
            self._operation(made)
        if dice.random() < 0.7:
            made.actions.append("pass")
            made.blocks["actions"].append({"id": "pass"})
        else:
            made.blocks["noMoves"] = [
                {"when": "noise > 20", "draw": "all", "reason": "nothing left"}, "noise += 5",
            ]  # fmt: skip
        if dice.random() < 0.5:
            made.actions.append("gift")
            made.blocks["actions"].append({"id": "gift", "effects": self._gift()})
        if events and dice.random() < 0.6:
            self._telling(made)
        self.decisions.actions = made.actions
        if dice.random() < 0.6:
            self._granting(made)
        if form == "phases":
            self._phases(made)
        elif form == "flow":
            self._flow(made)
        else:
            self._turn(made)
        self._end(made, form)
        return made

    # ------------------------------------------------------------ actions

    def _gift(self) -> list[Any]:
        """Something that can always be done, with one decision, several, and several in a loop."""
        dice, fresh = self.dice, self.setting.fresh
        one, index, many = fresh("$c"), fresh("i"), fresh("$c")
        several: Block = {"bind": many, "options": dice.choice(("1..3", "[1, 3, 5]")), "max": 2}
        several |= dice.choice(
            (
                {"min": 1},
                {"min": 2},
                {"n": 2},
                {"ordering": "sequence"},
                {"min": 2, "repeats": True},
            )
        )
        if "n" in several:
            del several["max"]
        effects: list[Any] = [{"chooseN": several}, f"noise += sum({many})"]
        if dice.random() < 0.6:
            effects = [{"forEach": {"bind": index, "over": "1..2", "do": effects}}]
        if dice.random() < 0.6:
            effects = [
                {"chooseOne": {"bind": one, "options": "board"}}, f"noise += {one}.index", *effects,
            ]  # fmt: skip
        return effects

    def _telling(self, made: Course) -> None:
        """An action that does nothing but resolve a card, and so can nearly always be done."""
        cards = ("resolve war", "resolve war unshaded", "resolve war", "resolve feast")
        tell: Block = {"id": "tell", "effects": [self.dice.choice(cards)]}
        made.actions.append("tell")
        made.blocks["actions"].append(tell)

    def offers_in(self, events: Block, made: Course) -> None:
        """Texts of cards that grant an action, one that tells no card itself."""
        dice = self.dice
        known = [name for name in ("gift", "op") if name in made.actions]
        war = events["war"]
        texts: list[list[Any]] = [
            war["shaded"], war["unshaded"]["effects"], war["unshaded"]["branches"]["general"],
            events["feast"]["effects"]["effects"],
        ]  # fmt: skip
        if not known or dice.random() < 0.3:
            return
        for text in dice.sample(texts, 2):
            offer: Block = {"actions": known, "free": True, "none": ["noise += 3"]}
            if "op" not in known or dice.random() < 0.3:
                del offer["free"]
            granted: Any = {"offer": offer}
            if dice.random() < 0.3:
                index = self.setting.fresh("i")
                granted = {"forEach": {"bind": index, "over": "1..2", "do": [granted]}}
            text.append(granted)

    def _granting(self, made: Course) -> None:
        """Actions that offer others: one or several, once or more often, offers in offers."""
        dice = self.dice
        inner = list(made.actions)
        for name in ("extra", "more")[: dice.choice((1, 2))]:
            self.setting.new_rule()
            effects: list[Any] = []
            for _ in range(dice.choice((1, 1, 2))):
                names = dice.sample(inner, min(dice.choice((1, 2)), len(inner)))
                offer: Block = {"actions": names, "none": ["noise += 1"]}
                if "op" in inner and dice.random() < 0.5:
                    offer = {"actions": ["op"], "free": True, "none": ["noise += 2"]}
                granted: Any = {"offer": offer}
                if dice.random() < 0.25:
                    index = self.setting.fresh("i")
                    granted = {"forEach": {"bind": index, "over": "1..2", "do": [granted]}}
                effects.append(granted)
            if dice.random() < 0.4:
                bind = self.setting.fresh("$c")
                effects.insert(0, {"chooseOne": {"bind": bind, "options": "1..2"}})
            pre = self.write.condition(Scope(public=True), 1)
            action = {"id": name, "limits": {"turn": 1}, "pre": pre, "effects": effects}
            made.blocks["actions"].append(action)
            inner.append(name)

    def _action(self, name: str, form: str, events: bool) -> Block:
        self.setting.new_rule()
        dice = self.dice
        gentle = self.setting.gentle
        scope = Scope(refusing=not gentle)
        seen = replace(scope, public=True)
        action: Block = {"id": name}
        params: Block = {}
        for _ in range(dice.choice((0, 0, 1, 1, 2))):
            param = self.setting.fresh("p")
            kind = dice.choice(("int", "seat", "cell", "row", "stone"))
            options: Any = self.decisions.options(kind, scope)
            if gentle:
                kind, options = dice.choice((("int", "1..3"), ("seat", "seats"), ("cell", "board")))
            if dice.random() < 0.2:
                options = {"if": self.write.condition(replace(seen), 1), "options": options}
            elif kind != "pair" and self.dice.random() < 0.2:
                options = {"options": options, "optional": True}
            else:
                scope = scope.knows(param, kind) if kind != "stone" else scope
            params[param] = options
        if params:
            action["params"] = params
        if dice.random() < 0.4:
            pre = self.write.condition(replace(seen, locals=scope.locals), 1)
            action["pre"] = f"{pre} or {self.write.condition(seen, 1)}"
        if dice.random() < 0.2:
            action["actor"] = dice.choice(("red", "[red, blue]", "actor != blue"))
        if dice.random() < 0.25:
            limit = {dice.choice(("turn", "game")): dice.randrange(1, 3)}
            action["limits"] = limit
        if dice.random() < 0.25:
            action["cost"] = ["noise += 1"]
            if self.setting.has("Seat.coins"):
                action["cost"] = ["actor.coins -= 1"]
        tight = not gentle and dice.random() < 0.25
        calm = replace(scope, chance=not tight, sealed=not tight)
        effects: list[Any] = self.lists.several(calm, 2)
        if tight:
            public = replace(seen, locals=())
            if dice.random() < 0.5:
                action["ensure"] = (
                    f"{self.write.condition(public, 1)} or {self.write.condition(public, 1)}"
                )
            else:
                action["best"] = dice.choice(("noise", "(round, noise)", "noise % 3 == 0"))
        elif events and dice.random() < 0.5:
            effects = [
                self._resolve(scope),
                *self.lists.several(replace(scope, chance=False), 1, 1),
            ]
        if dice.random() < 0.15 and not tight:
            effects.append(f"if {self.write.condition(scope, 1)} then return")
            effects.append("noise += 4")
        effects += self._turning(form, tight)
        action["effects"] = effects
        if params and dice.random() < 0.3:
            written = " ".join(f"{{{param}}}" for param in params)
            action["notation"] = f"{name} {written}"
            if len(params) > 1:  # and another way to type it
                one = next(iter(params))
                action["notation"] = [f"{name} {written}", f"{{'so ' if {one} == {one}}}{written}"]
        return action

    def _resolve(self, scope: Scope) -> Any:
        row = self.write.row(scope, 1)
        return self.dice.choice((f"resolve {row}", "resolve war shaded", "resolve feast",
                                 "if any(tales) then resolve tales[0]",
                                 "if any(chest) then resolve chest[0]"))  # fmt: skip

    def _turning(self, form: str, tight: bool) -> list[Any]:
        dice = self.dice
        if form == "phases" and dice.random() < 0.5:
            return [
                dice.choice(("next phase", "goto night", "end turn", "next phase", *INTERRUPTS))
            ]
        if form == "actions" and dice.random() < 0.1:
            return [dice.choice(("end turn", f"active = {self.write.of('seat', Scope(), 1)}"))]
        if dice.random() < 0.2:
            end = dice.choice(
                ("end game", "end game win actor", "end game draw", "end game lose red")
            )
            return [f"if noise > {dice.randrange(60)} then {end}"]
        return []

    # --------------------------------------------------------- operations

    def _operation(self, made: Course) -> None:
        self.setting.new_rule()
        dice, w = self.dice, self.write
        scope = Scope(chance=False, turning=False)
        seen = replace(scope, public=True)
        snapshot = dice.random() < 0.3
        operation: Block = {"id": "op", "decisions": "snapshot" if snapshot else "live"}
        if dice.random() < 0.5:
            operation["legality"] = f"{w.condition(seen, 1)} or {w.condition(seen, 1)}"
        if self.setting.has("Seat.coins") and dice.random() < 0.7:
            operation["cost"] = {"validate": "actor.coins >= 2", "spend": ["actor.coins -= 2"]}
            if dice.random() < 0.4:
                operation["partialExecution"] = {"mode": "allow"}
        target: Block = {"select": dice.choice(("upToN", "exactN", "allEligible"))}
        if target["select"] != "allEligible":
            target["max"] = 2
        target["filter"] = f"$zone != {self.setting.cells[0]}"
        if dice.random() < 0.5:
            target["filter"] = "$zone in board"
        if dice.random() < 0.3 and target["select"] != "allEligible":
            target["order"] = "chosen"
        stages: list[Block] = []
        if dice.random() < 0.6:
            operation["targeting"] = target
            stages.append({"stage": "mark", "effects": ["for s in $targets do noise += s.index"]})
        else:
            stages.append({"stage": "mark", "effects": [
                {"chooseN": {"bind": "$targets", "options": "board", "min": 1, "max": 2}},
            ]})  # fmt: skip
        body: list[Any] = ["for s in $targets do noise += s.count"]
        if snapshot:
            body.append({"chooseOne": {"bind": "$extra", "options": "1..3"}})
        else:
            body += self.lists.several(scope, 1, 2)
        stages.append({"stage": "strike", "effects": body})
        operation["resolution"] = stages
        made.stages += ["mark", "strike"]
        if dice.random() < 0.6:
            operation["linkedSpecialActivityWindows"] = ["aid"]
            special: Block = {
                "id": "aid",
                "timing": dice.choice(("mark", ["before", "after"], "during")),
            }
            special["effects"] = ["noise += 3"]
            if not snapshot and dice.random() < 0.6:
                special["effects"] = [
                    {"chooseOne": {"bind": "$where", "options": "board"}}, "noise += $where.index",
                ]  # fmt: skip
                if "targeting" not in operation and dice.random() < 0.7:
                    kind = dice.choice(("disjointSpaces", "sameSpace"))
                    operation["constraints"] = [{kind: ["$targets", "$where"]}]
            if dice.random() < 0.4:
                special["pre"] = w.condition(seen, 1)
            made.blocks["specials"] = [special]
            if special["timing"] == "during":
                body.insert(0, "window during")
        made.blocks["operations"] = [operation]
        made.actions.append("op")

    # -------------------------------------------------------------- course

    def _turn(self, made: Course) -> None:
        dice = self.dice
        if dice.random() < 0.3:
            made.blocks["turn"] = {"order": dice.choice(("roundRobin", ["red", "blue", "blue"]))}
        if dice.random() < 0.15:
            made.blocks["turn"] = {**made.blocks.get("turn", {}), "offer": made.actions}

    def _phases(self, made: Course) -> None:
        dice, w = self.dice, self.write
        inside = Scope(actor=False, refusing=False, choices=False, turning=False, procs=0)
        day: Block = {"id": "day"}
        if dice.random() < 0.6:
            day["actionDefaults"] = {
                "pre": f"{w.condition(Scope(public=True), 1)} or noise < 50",
                "afterEffects": ["noise += 1"],
            }
        if dice.random() < 0.5:
            day["onExit"] = self.lists.several(replace(inside, quiet=True), 1, 1)
        night: Block = {"id": "night", "actions": made.actions, "next": "day"}
        dawn: Block = {"id": "dawn", "onEnter": self.lists.several(inside, 1, 2), "actions": []}
        if dice.random() < 0.4:
            made.blocks["phaseTemplates"] = {
                "slot": {
                    "params": {"gain": "0..9", "who": "Seat = red"},
                    "phase": {"onEnter": ["noise += gain", "who.points += 1"], "actions": made.actions},
                }
            }  # fmt: skip
            night = {"fromTemplate": "slot", "name": "night", "gain": dice.randrange(4)}
        made.blocks["phases"] = [dawn, day, self._alarm(made, "alarm"), night]
        if dice.random() < 0.5:
            made.blocks["phases"].append(self._alarm(made, "panic"))
        else:  # without a phase of that name its request would be a mistake
            made.blocks["phases"].append({"id": "panic", "interrupt": True, "actions": []})

    def _alarm(self, made: Course, name: str) -> Block:
        """An interrupt: it ends by itself, or when one of its actions asks for it."""
        dice = self.dice
        alarm: Block = {"id": name, "interrupt": True, "actions": made.actions}
        if dice.random() < 0.3:
            alarm["actions"] = []
        if dice.random() < 0.5:
            pre = f"{self.write.condition(Scope(public=True), 1)} or noise < 60"
            alarm["actionDefaults"] = {"pre": pre, "afterEffects": ["next phase"]}
        if dice.random() < 0.5:
            alarm["onExit"] = ["noise += 2"]
        return alarm

    def _flow(self, made: Course) -> None:
        dice = self.dice
        scope = Scope(
            actor=False, refusing=False, turning=False, procs=0, sealed=True, chance=False
        )
        body: list[Any] = ["noise += 1"]
        asked = False  # every pass asks at least one decision
        for _ in range(dice.randrange(1, 4)):
            way = dice.choice(
                ("offer", "offer", "phase", "choice", "together", "menu", "procedure")
            )
            if way == "offer":
                body += self.decisions.offer(replace(scope, public=True))
            elif way == "phase":
                body.append("run phase day")
            elif way == "together":
                body += self.decisions.together(scope, 1)
            elif way == "menu":
                body += [
                    {
                        "menu": {
                            "by": "red",
                            "options": {"stay": ["noise += 1"], "leave": ["noise += 9"]},
                        }
                    }
                ]
            elif way == "procedure":
                body += [f"{name}({', '.join([*(self.lists.argument(p, scope) for p in params), 'by=red'])})"
                         for name, params, _ in self.lists.procedures[:1]]  # fmt: skip
            else:
                asked = True
                name = self.setting.fresh("$c")
                body += [
                    {"chooseOne": {"bind": name, "by": "red", "options": "0..2"}},
                    f"noise += {name}",
                ]
        if dice.random() < 0.4:
            body.append(dice.choice(("roll noise in 1..30", "roll round in 1..9")))
        made.blocks["phases"] = [{"id": "day", "actions": [*made.actions]}]
        made.phases = ["day"]
        loop: Block = {"while": "noise < 900", "do": body}
        if not asked:
            loop["max"] = 200
        made.blocks["flow"] = [{"repeat": loop}]
        for action in made.blocks["actions"]:
            if dice.random() < 0.6 or action["id"] == "pass":
                action["effects"] = [*action.get("effects", []), "next phase"]

    def _end(self, made: Course, form: str) -> None:
        dice, w = self.dice, self.write
        seen = Scope(public=False, refusing=False, turning=False)
        measure = dice.choice(("each.points", "(each.points % 3, -each.points)"))
        ends: list[Block] = [
            {"when": "noise > 300", "score": f"{measure} for each in seats", "reason": "{noise} is loud"},
        ]  # fmt: skip
        if dice.random() < 0.4:
            ends.insert(
                0,
                {
                    "when": f"{w.condition(seen, 1)} and noise > 40",
                    "win": "actor",
                    "reason": "{actor} won",
                },
            )
        if dice.random() < 0.3:
            ends.append(
                {
                    "when": "actor.points > 60",
                    "lose": "actor",
                    "at": made.actions[0],
                    "reason": "too much",
                }
            )
        if form == "flow" and dice.random() < 0.6:
            # often true, and often not for long: it matters when it is asked
            when = dice.choice(("noise % 11 == 7", "actor == red and noise % 13 > 10"))
            ends.insert(0, {"id": "moment", "when": when, "win": "red", "reason": "the moment"})
        if dice.random() < 0.3:
            ends.append({"when": "round >= 99", "draw": "all", "reason": "time"})
        made.blocks["end"] = ends
        made.blocks["score"] = self.dice.choice(("it.points", "(it.points % 4, noise, -it.points)"))
        made.blocks["bot"] = {"value": "3 * it.points - noise", "cutoff": 6}
