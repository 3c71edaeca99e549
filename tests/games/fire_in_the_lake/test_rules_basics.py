"""Sections 1 to 3 of the facts: basic notions, the sequence of play, operations in general."""

from __future__ import annotations

import pytest

from tests.games.fire_in_the_lake.situations import Pick, Situation

EVENT, COUP = 84, 128  # cards to come


def test_1_coin_control_is_more_pieces_than_the_insurgents() -> None:
    s = Situation("us").put("hue", us_troops=1, arvn_police=1, vc_guerrilla=1, nva_guerrilla=1)
    s.set(patronage=0)
    assert s.points("arvn") == 0
    assert s.put("hue", arvn_ranger=1).points("arvn") == 2


def test_1_nva_control_is_more_than_everybody_else_the_vc_included() -> None:
    s = Situation("us").put("hue", nva_troops=2, vc_guerrilla=2)
    assert s.points("nva") == 0
    assert s.put("hue", nva_guerrilla=1).points("nva") == 2


def test_1_bases_count_for_control() -> None:
    s = Situation("us").put("hue", nva_base=1, us_base=1, arvn_police=1).set(patronage=0)
    assert s.points("arvn") == 2


def test_1_support_counts_population_twice_when_active() -> None:
    s = Situation("us").at("support", saigon=2, hue=1, can_tho=-1, tay_ninh=-2)
    s.box("outOfPlay", us_troops=40, us_base=6)
    assert s.points("us") == 6 * 2 + 2
    assert s.points("vc") == 1 + 2 * 2


def test_1_a_shift_past_the_end_is_lost() -> None:
    s = Situation("vc").put("hue", vc_guerrilla=1).at("support", hue=-2).at("resources", vc=5)
    s.play("terror", "hue").finish()
    assert s.see("support", "hue") == -2
    assert s.see("terror", "hue") == 1


def test_1_only_places_with_population_leave_neutral() -> None:
    s = Situation("vc").put("phuoc_long", vc_guerrilla=1).at("resources", vc=5)
    s.play("terror", "phuoc_long").finish()
    assert s.see("support", "phuoc_long") == 0
    assert s.see("terror", "phuoc_long") == 1


@pytest.mark.parametrize(("money", "offered"), [(17, False), (18, True)])
def test_1_the_us_pays_only_what_exceeds_total_econ(money: int, offered: bool) -> None:
    s = Situation("us").put("saigon", us_troops=1, us_base=1)
    s.at("resources", arvn=money).set(econ=15).play("train", "saigon").skip_to("$recruit")
    assert ("cubes" in s.options) == offered


def test_1_the_arvn_may_go_below_total_econ() -> None:
    s = Situation("arvn").at("resources", arvn=3).set(econ=15)
    s.play("train", "saigon", "cubes", Pick("arvn_troops", "available:arvn")).finish()
    assert s.see("resources", "arvn") == 0


def test_1_aid_stops_at_75() -> None:
    s = Situation("us").put("hue", us_troops=1).put("saigon", arvn_troops=2, vc_guerrilla=1)
    s.set(aid=72).play("train", "hue", "advise", "saigon", "storm", "moreAid").finish()
    assert s.see("aid") == 75


def test_1_patronage_stops_at_75() -> None:
    s = Situation("arvn").put("hue", arvn_troops=2).at("support", hue=2)
    s.set(aid=20, patronage=74).play("train", "saigon", "govern", "hue", "graft").finish()
    assert (s.see("patronage"), s.see("aid")) == (75, 18)


def test_1_nva_and_vc_hand_each_other_resources() -> None:
    s = Situation("nva").only("nva", "vc").at("resources", nva=5, vc=7)
    s.play("give", 3)
    assert (s.see("resources", "nva"), s.see("resources", "vc")) == (2, 10)
    s.play("keep", "pass", "give", 2)  # before the VC is asked, the NVA is
    assert (s.see("resources", "nva"), s.see("resources", "vc")) == (1, 12)


def test_1_resources_are_handed_over_once_on_a_card() -> None:
    """Who could give again and again would never come to act."""
    s = Situation("nva").only("nva", "vc").at("resources", nva=5, vc=7)
    s.play("give", 1, "keep")
    assert s.decision.seat == "nva"
    assert "give" not in s.options


def test_1_only_insurgents_hand_over_resources() -> None:
    assert "give" not in Situation("us").options
    assert "give" not in Situation("arvn").at("resources", arvn=30).options


# ---------------------------------------------------------------- the sequence of play


def test_2_after_an_operation_alone_the_second_has_a_limited_operation() -> None:
    s = Situation("us").put("hue", us_troops=2).put("saigon", us_troops=1)
    s.play("train", "hue").finish()
    assert "event" not in s.options
    s = Situation("arvn").only("arvn", "us").at("resources", arvn=30)
    s.put("hue", us_troops=2).put("saigon", us_troops=1)
    s.play("train", "saigon").finish()
    assert (s.decision.seat, s.decision.name) == ("us", "action")
    assert "event" not in s.options
    s.play("train", "hue")
    assert s.decision.name == "$recruit"  # no moment for a special activity before it
    s.play("nobody")
    assert s.decision.name == "$follow"  # and no second space


def test_2_after_an_operation_with_special_activity_the_second_may_take_the_event() -> None:
    s = Situation("us").only("us", "arvn").put("hue", us_troops=1)
    s.set(trail=2).play("train", "airStrike", "degrade", "hue").finish()
    assert s.decision.seat == "arvn"
    assert "event" in s.options
    s.play("train", "saigon")
    assert s.decision.name == "$recruit"  # the operation is limited all the same


def test_2_after_the_event_the_second_has_a_full_operation() -> None:
    s = Situation("us").only("us", "arvn").next_card(EVENT)
    s.play("event")
    while s.decision.name != "action":
        s.play(s.decision.answers[0])
    assert s.decision.seat == "arvn"
    assert "event" not in s.options
    s.put("hue", arvn_ranger=1).play("patrol")
    assert "transport" in s.options


@pytest.mark.parametrize(("seat", "gains"), [("us", 3), ("arvn", 3), ("nva", 1), ("vc", 1)])
def test_2_pass_brings_resources(seat: str, gains: int) -> None:
    s = Situation(seat).at("resources", arvn=10, nva=10, vc=10).play("pass")
    paid = "arvn" if seat == "us" else seat
    assert s.see("resources", paid) == 10 + gains


def test_2_after_a_pass_the_next_faction_takes_the_same_place() -> None:
    s = Situation("us").only("us", "arvn").play("pass")
    assert s.decision.seat == "arvn"
    assert "event" in s.options


def test_2_whoever_passes_stays_eligible_and_whoever_acted_does_not() -> None:
    s = Situation("us").only("us", "arvn", "vc").put("saigon", us_troops=1).next_card(EVENT)
    s.play("pass", "train", "saigon").finish()
    s.play("keep", "pass")  # the VC, after its partner was asked
    assert [s.see("eligible", f) for f in ("us", "arvn", "nva", "vc")] == [1, 0, 1, 1]


def test_2_at_most_two_factions_act_and_the_third_earns_nothing() -> None:
    s = Situation("us").at("resources", arvn=30, vc=10, nva=10).next_card(EVENT)
    s.put("hue", us_troops=1, arvn_troops=1, nva_guerrilla=1, vc_guerrilla=1)
    s.play("train", "hue").finish()
    for _ in range(1):
        limited = {"arvn": ("train", "saigon"), "nva": ("terror", "hue"), "vc": ("terror", "hue")}
        s.skip_to("action").play(*limited[s.decision.seat]).finish()
    acted = [f for f in ("us", "arvn", "nva", "vc") if not s.see("eligible", f)]
    assert len(acted) == 2
    assert s.see("actions_done") in (0, 2)


def test_2_a_limited_operation_counts_for_eligibility() -> None:
    s = Situation("us").only("us", "arvn").put("hue", us_troops=1).next_card(EVENT)
    s.play("train", "hue").play("train", "saigon").finish()
    assert not s.see("eligible", "us")
    assert not s.see("eligible", "arvn")


def test_2_a_limited_march_has_many_origins_and_one_destination() -> None:
    s = Situation("us").only("us", "nva").put("saigon", us_troops=1).at("resources", nva=9)
    s.put("central_laos", nva_troops=2).put("north_vietnam", nva_troops=2)
    s.play("train", "saigon").skip_to("action").play("march", "quang_tri_thua_thien")
    s.play(Pick("nva_troops", "central_laos", 2), Pick("nva_troops", "north_vietnam", 2)).finish()
    assert s.count("quang_tri_thua_thien", "nva_troops") == 4
    assert s.see("resources", "nva") == 8
    assert not s.see("eligible", "nva")


def test_2_monsoon_forbids_sweep_and_march() -> None:
    s = Situation("us").put("hue", us_troops=1).next_card(COUP)
    assert "sweep" not in s.options
    s = Situation("nva").put("hue", nva_troops=1).at("resources", nva=9)
    assert "march" in s.options
    assert "march" not in s.next_card(COUP).options


def test_2_monsoon_limits_air_lift_and_air_strike_to_two_spaces() -> None:
    s = Situation("us").put("hue", us_troops=3, vc_guerrilla=1, active=True).next_card(COUP)
    s.put("saigon", us_troops=1, vc_guerrilla=1, active=True).put("da_nang", us_troops=1)
    s.play("train", "airStrike", "hue", Pick("vc_guerrilla", "hue"))
    s.play("saigon", Pick("vc_guerrilla", "saigon"))
    assert s.decision.name != "$strike"
    s = Situation("us").put("hue", us_troops=3).next_card(COUP).play("train", "airLift")
    assert s.decision.max == 2


def test_2_monsoon_forbids_the_sweep_of_an_adviser() -> None:
    s = Situation("us").put("hue", us_troops=1).put("saigon", arvn_troops=2, vc_guerrilla=1)
    s.next_card(COUP).play("train", "advise", "saigon")
    assert "search" not in s.options
    assert "storm" in s.options


def test_2_monsoon_forbids_pivotal_events() -> None:
    def third_leader(card: int) -> Situation:
        s = Situation("us", "medium").only("us").next_card(card)
        s.put("north_vietnam", nva_troops=5).put("hue", us_troops=1)
        return s.at("resources", nva=0).play("pass")

    assert third_leader(EVENT).decision.name == "$trump"  # the next card is no coup yet


def test_2_two_coups_without_an_event_between_them_are_one_round() -> None:
    s = Situation("us").only("us").next_card(COUP).set(coupsInARow=1, coups=1, trail=4)
    s.at("terror", hue=1).play("pass").finish()
    assert s.see("leader") == "thieu"
    assert s.see("trail") == 4  # no reset
    assert s.see("terror", "hue") == 1


def test_2_the_last_coup_right_after_another_ends_the_war() -> None:
    s = Situation("us").only("us").next_card(COUP).set(coupsInARow=1, coups=2).play("pass")
    assert s.game.result(s.state) is not None


# ---------------------------------------------------------------- operations in general


def test_3_a_space_is_selected_once_in_an_operation() -> None:
    s = Situation("vc").at("resources", vc=9).play("rally", "hue", "one").skip_to("$rally")
    assert "hue" not in s.options


def test_3_costs_must_be_affordable() -> None:
    s = Situation("vc").at("resources", vc=1).put("hue", vc_guerrilla=1)
    s.play("rally", "hue", "one").finish()
    assert s.see("resources", "vc") == 0
    assert {"rally", "attack"}.isdisjoint(Situation("vc").at("resources", vc=0, nva=0).options)


def test_3_a_free_operation_leaves_eligibility_alone() -> None:
    """ROKs, unshaded: a free sweep and assault of the United States, played by the VC or not."""
    s = Situation("arvn").put("phu_bon_phu_yen", us_troops=3, vc_guerrilla=1).next_card(EVENT)
    s.set(current="c70_roks").only("arvn", "us")
    s.play("event", "unshaded")
    for _ in range(40):
        if s.decision.name == "action":
            break
        s.play(s.decision.answers[-1])
    assert s.see("acted", "arvn")
    assert not s.see("acted", "us")
    assert s.decision.seat == "us"
