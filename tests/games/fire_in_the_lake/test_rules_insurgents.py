"""Section 5 of the facts: Rally, March, Attack and Terror."""

from __future__ import annotations

import pytest

from tests.games.fire_in_the_lake.situations import Pick, Situation

MARKERS = 15


# ---------------------------------------------------------------- Rally


def test_5_rally_is_barred_by_support_and_costs_one_a_space() -> None:
    s = Situation("vc").at("support", hue=1, saigon=-1).at("resources", vc=5).play("rally")
    s.skip_to("$rally")
    assert "hue" not in s.options
    assert not any(str(space).startswith("loc_") for space in s.options)
    s.play("saigon", "one", "da_nang", "one").finish()
    assert s.count("saigon", "vc_guerrilla", hidden=True) == 1
    assert s.see("resources", "vc") == 3


def test_5_rally_swaps_two_guerrillas_for_a_base() -> None:
    s = Situation("vc").put("hue", vc_guerrilla=3).at("resources", vc=5)
    s.play("rally", "hue", "build", Pick("vc_guerrilla", "hue", 2)).finish()
    assert (s.count("hue", "vc_guerrilla"), s.count("hue", "vc_base")) == (1, 1)


def test_5_rally_builds_no_third_base() -> None:
    s = Situation("vc").put("hue", vc_guerrilla=3, us_base=1, nva_base=1).at("resources", vc=5)
    assert "build" not in s.play("rally", "hue").skip_to("$gather").options


def test_5_rally_of_the_nva_at_a_base_counts_trail_and_bases() -> None:
    s = Situation("nva").put("central_laos", nva_base=2).set(trail=3).at("resources", nva=9)
    s.play("rally", "gather", "central_laos", "many")
    assert s.options == [1, 2, 3, 4, 5]
    s.play(5).finish()
    assert s.count("central_laos", "nva_guerrilla") == 5
    assert s.see("resources", "nva") == 8


def test_5_rally_of_the_vc_at_a_base_counts_population_and_bases() -> None:
    s = Situation("vc").put("tay_ninh", vc_base=1).at("resources", vc=9)
    assert s.play("rally", "tay_ninh", "many").options == [1, 2, 3]


def test_5_rally_of_the_vc_at_a_base_may_hide_all_its_guerrillas() -> None:
    s = Situation("vc").put("tay_ninh", vc_base=1).put("tay_ninh", active=True, vc_guerrilla=3)
    s.put("tay_ninh", active=True, nva_guerrilla=1).at("resources", vc=9)
    s.play("rally", "tay_ninh", "hide").finish()
    assert s.count("tay_ninh", "vc_guerrilla", hidden=True) == 3
    assert s.count("tay_ninh", "nva_guerrilla", hidden=True) == 0


def test_5_rally_of_the_nva_improves_the_trail_for_two_even_without_a_space() -> None:
    s = Situation("nva").set(trail=1).at("resources", nva=2).play("rally", "trailOnly", "improve")
    s.finish()
    assert (s.see("trail"), s.see("resources", "nva")) == (2, 0)


def test_5_a_limited_rally_may_improve_the_trail() -> None:
    s = Situation("us").only("us", "nva").put("hue", us_troops=1).set(trail=1)
    s.at("resources", nva=5).play("train", "hue").skip_to("action")
    s.play("rally", "gather", "central_laos", "one", "improve").finish()
    assert (s.see("trail"), s.see("resources", "nva")) == (2, 2)


def test_5_the_trail_is_not_improved_beyond_four() -> None:
    s = Situation("nva").set(trail=4).at("resources", nva=9)
    s.play("rally", "central_laos", "one").finish()
    assert (s.see("trail"), s.see("resources", "nva")) == (4, 8)


def test_5_pieces_come_from_the_map_only_when_none_of_the_type_is_available() -> None:
    s = Situation("nva").at("resources", nva=9).set(trail=0)
    s.put("hue", nva_guerrilla=19).play("rally", "gather", "central_laos", "one").finish()
    assert s.count("hue", "nva_guerrilla") == 19
    s = Situation("nva").at("resources", nva=9).set(trail=0)
    s.put("hue", active=True, nva_guerrilla=20).play("rally", "gather", "central_laos", "one")
    s.play(Pick("nva_guerrilla", "hue")).finish()
    assert s.count("central_laos", "nva_guerrilla", hidden=True) == 1
    assert s.count("hue", "nva_guerrilla") == 19


# ---------------------------------------------------------------- March


def test_5_march_costs_one_for_a_city_or_province_and_nothing_for_a_loc() -> None:
    s = Situation("vc").put("tay_ninh", vc_guerrilla=3).at("resources", vc=9)
    s.play("march", "saigon", Pick("vc_guerrilla", "tay_ninh", 1))
    s.play("quang_duc_long_khanh", Pick("vc_guerrilla", "tay_ninh", 2)).finish()
    assert s.see("resources", "vc") == 7


def test_5_march_onto_a_loc_is_free_even_without_resources() -> None:
    s = Situation("vc").put("quang_nam", vc_guerrilla=1).at("resources", vc=0, nva=0)
    s.play("march").skip_to("$march")
    assert all(str(space).startswith("loc_") for space in s.options)
    s.play("loc_hue_da_nang", Pick("vc_guerrilla", "quang_nam")).finish()
    assert s.count("loc_hue_da_nang", "vc_guerrilla", hidden=True) == 1


CROWDS = [
    ("loc_hue_da_nang", 0, 3, {}, True),  # a LoC, three in all: unseen
    ("loc_hue_da_nang", 0, 4, {}, False),
    ("loc_hue_da_nang", 0, 2, {"arvn_police": 1, "us_irregular": 1}, False),
    ("da_nang", 1, 3, {"us_troops": 1}, False),  # support
    ("da_nang", 0, 6, {"us_troops": 3}, True),  # neither LoC nor support
    ("da_nang", 1, 3, {"us_base": 1}, True),  # bases do not watch
]


@pytest.mark.parametrize(("space", "support", "group", "watch", "unseen"), CROWDS)
def test_5_march_activates_a_group_beyond_three(
    space: str, support: int, group: int, watch: dict[str, int], unseen: bool
) -> None:
    s = Situation("vc").put("quang_nam", vc_guerrilla=group).put(space, **watch)
    s.at("support", da_nang=support).at("resources", vc=9)
    s.play("march", space, Pick("vc_guerrilla", "quang_nam", group)).finish()
    assert s.count(space, "vc_guerrilla", hidden=True) == (group if unseen else 0)


def test_5_groups_from_different_spaces_are_counted_apart() -> None:
    s = Situation("vc").put("quang_nam", vc_guerrilla=2).put("hue", vc_guerrilla=2)
    s.at("resources", vc=9).play("march", "loc_hue_da_nang")
    s.play(Pick("vc_guerrilla", "quang_nam", 2), Pick("vc_guerrilla", "hue", 2)).finish()
    assert s.count("loc_hue_da_nang", "vc_guerrilla", hidden=True) == 4


def test_5_the_trail_lets_the_nva_march_on_through_laos_and_cambodia() -> None:
    s = Situation("nva").put("north_vietnam", nva_troops=2).set(trail=1).at("resources", nva=9)
    s.play("march", "central_laos", Pick("nva_troops", "north_vietnam", 2))
    s.play("southern_laos", Pick("nva_troops", "central_laos", 2))
    s.play("pleiku_darlac", Pick("nva_troops", "southern_laos", 2)).finish()
    assert s.count("pleiku_darlac", "nva_troops") == 2
    assert s.see("resources", "nva") == 6


@pytest.mark.parametrize("trail", [0, 1])
def test_5_without_a_trail_or_in_a_limited_march_nobody_marches_on(trail: int) -> None:
    s = Situation("us").only("us", "nva").put("saigon", us_troops=1).set(trail=trail)
    s.put("north_vietnam", nva_troops=2).at("resources", nva=9)
    if trail:
        s.play("train", "saigon").skip_to("action")
    else:
        s.play("pass").skip_to("action")
    s.play("march", "central_laos", Pick("nva_troops", "north_vietnam", 2)).finish()
    assert s.count("central_laos", "nva_troops") == 2
    assert s.decision.name != "$march"


def test_5_with_the_trail_at_four_moves_into_and_out_of_laos_are_free() -> None:
    s = Situation("nva").put("north_vietnam", nva_troops=2).set(trail=4).at("resources", nva=9)
    s.play("march", "central_laos", Pick("nva_troops", "north_vietnam", 2))
    s.play("quang_nam", Pick("nva_troops", "central_laos", 2)).finish()
    assert s.count("quang_nam", "nva_troops") == 2
    assert s.see("resources", "nva") == 9


# ---------------------------------------------------------------- Attack


@pytest.mark.parametrize("seed", range(6))
def test_5_attack_of_guerrillas_rolls_against_their_number(seed: int) -> None:
    s = Situation("vc", seed=seed).put("hue", vc_guerrilla=3, arvn_police=3).at("resources", vc=1)
    s.play("attack", "hue", "guerrillas")
    (die,) = s.rolled()
    if die <= 3:
        s.play(Pick("arvn_police", "hue", 1), Pick("arvn_police", "hue", 1))
    s.finish()
    assert s.count("hue", "vc_guerrilla", hidden=False) == 3
    assert s.count("hue", "arvn_police") == (1 if die <= 3 else 3)
    assert s.see("resources", "vc") == 0


def test_5_attack_of_nva_troops_removes_one_for_two_without_a_roll() -> None:
    s = Situation("nva").put("hue", nva_troops=5, nva_guerrilla=1, arvn_police=2, us_irregular=1)
    s.at("resources", nva=5).play("attack", "hue", "troops")
    s.play(Pick("us_irregular", "hue"), Pick("arvn_police", "hue")).finish()  # hidden ones too
    assert s.rolled() == []
    assert s.count("hue", "nva_guerrilla", hidden=True) == 1
    assert s.count("casualties", "us_irregular") == 1
    assert s.count("available:arvn", "arvn_police") == 29


def test_5_attack_takes_bases_last() -> None:
    s = Situation("nva").put("hue", nva_troops=6, us_base=1, arvn_police=1).at("resources", nva=5)
    s.play("attack", "hue", "troops").skip_to("$loss")
    assert len(s.options) == 1  # the police alone
    s.play(Pick("arvn_police", "hue"), Pick("us_base", "hue")).finish()
    assert s.count("casualties", "us_base") == 1


def test_5_attack_costs_a_piece_for_each_us_troop_or_base() -> None:
    s = Situation("nva").put("hue", nva_troops=6, us_troops=1, us_base=1, us_irregular=1)
    s.at("resources", nva=5).play("attack", "hue", "troops")
    s.play(Pick("us_irregular", "hue"), Pick("us_troops", "hue"), Pick("us_base", "hue")).finish()
    assert s.count("casualties") == 3
    assert s.count("hue", "nva_troops") == 4


# ---------------------------------------------------------------- Terror


def test_5_terror_of_the_vc_shifts_towards_active_opposition() -> None:
    s = Situation("vc").put("hue", vc_guerrilla=2).at("support", hue=1).at("resources", vc=5)
    s.play("terror", "hue").finish()
    assert (s.see("support", "hue"), s.see("terror", "hue")) == (0, 1)
    assert s.count("hue", "vc_guerrilla", hidden=True) == 1
    assert s.see("resources", "vc") == 4


@pytest.mark.parametrize(("before", "after"), [(2, 1), (0, 0), (-1, -1)])
def test_5_terror_of_the_nva_only_lowers_support(before: int, after: int) -> None:
    s = Situation("nva").put("hue", nva_troops=1).at("support", hue=before).at("resources", nva=5)
    s.play("terror", "hue").finish()
    assert s.see("support", "hue") == after


def test_5_terror_where_a_marker_lies_changes_nothing_more() -> None:
    s = Situation("vc").put("hue", vc_guerrilla=1).at("terror", hue=1).at("resources", vc=5)
    s.play("terror", "hue").finish()
    assert (s.see("support", "hue"), s.see("terror", "hue")) == (0, 1)


def test_5_terror_on_a_loc_is_sabotage_and_costs_nothing() -> None:
    s = Situation("vc").put("loc_hue_da_nang", vc_guerrilla=1).at("resources", vc=0, nva=0)
    s.play("terror", "loc_hue_da_nang").finish()
    assert s.see("sabotaged", "loc_hue_da_nang")


def test_5_terror_and_sabotage_share_fifteen_markers() -> None:
    locs = [n for n in Situation("vc").names if n.startswith("loc_")][: MARKERS - 1]
    s = Situation("vc").at("sabotaged", **dict.fromkeys(locs, True)).at("resources", vc=9)
    s.put("hue", vc_guerrilla=1).put("saigon", vc_guerrilla=1).play(
        "terror", "hue", "saigon"
    ).finish()
    assert (s.see("terror", "hue"), s.see("terror", "saigon")) == (1, 0)
    assert (s.see("support", "hue"), s.see("support", "saigon")) == (-1, 0)
    assert s.count("saigon", "vc_guerrilla", hidden=True) == 0


def test_5_terror_needs_a_hidden_guerrilla_or_nva_troops() -> None:
    s = Situation("vc").put("hue", active=True, vc_guerrilla=2).at("resources", vc=9)
    assert "terror" not in s.options
    s = Situation("nva").put("hue", nva_troops=1).at("resources", nva=9)
    assert "terror" in s.options
