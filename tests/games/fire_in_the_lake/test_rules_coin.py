"""Section 4 of the facts: Train, Patrol, Sweep and Assault."""

from __future__ import annotations

import pytest

from tests.games.fire_in_the_lake.situations import Pick, Situation

BOX = "available:arvn"


# ---------------------------------------------------------------- Train


def test_4_train_of_the_us_needs_a_us_piece() -> None:
    s = Situation("us").put("hue", us_irregular=1).put("saigon", arvn_troops=3)
    assert s.play("train").skip_to("$train").options == ["hue"]


def test_4_train_of_the_arvn_is_barred_by_nva_control() -> None:
    s = Situation("arvn").put("hue", nva_guerrilla=1).put("da_nang", vc_guerrilla=3)
    s.play("train").skip_to("$train")
    assert "hue" not in s.options
    assert "da_nang" in s.options


def test_4_train_costs_three_for_each_space_where_arvn_pieces_are_placed() -> None:
    s = Situation("arvn").at("resources", arvn=30)
    s.play("train", "saigon", "cubes", Pick("arvn_troops", BOX, 6))
    s.play("hue", "rangers", 2).play("da_nang", "nobody").finish()
    assert s.see("resources", "arvn") == 24
    assert s.count("saigon", "arvn_troops") == 6
    assert s.count("hue", "arvn_ranger", hidden=True) == 2


def test_4_train_of_the_arvn_places_only_in_cities_and_beside_bases() -> None:
    s = Situation("arvn").at("resources", arvn=30).put("quang_nam", us_base=1)
    s.play("train", "phu_bon_phu_yen").skip_to("$recruit")
    assert s.options == ["nobody"]
    s = Situation("arvn").at("resources", arvn=30).put("quang_nam", us_base=1)
    s.play("train", "quang_tin_quang_ngai").skip_to("$recruit")  # beside the base
    assert {"rangers", "cubes"} <= set(s.options)


def test_4_irregulars_cost_nothing() -> None:
    s = Situation("us").put("hue", us_troops=1).at("resources", arvn=0)
    s.play("train", "hue", "irregulars", 2).finish()
    assert s.count("hue", "us_irregular", hidden=True) == 2
    assert s.see("resources", "arvn") == 0


def test_4_the_us_raises_arvn_pieces_only_at_a_us_base() -> None:
    s = Situation("us").put("hue", us_troops=1, arvn_base=1).at("resources", arvn=30)
    assert s.play("train", "hue").skip_to("$recruit").options == ["nobody", "irregulars"]
    s = Situation("us").put("hue", us_base=1).at("resources", arvn=30)
    assert {"rangers", "cubes"} <= set(s.play("train", "hue").skip_to("$recruit").options)


def test_4_pacify_takes_terror_first_and_two_levels_at_most() -> None:
    s = Situation("arvn").put("hue", arvn_troops=1, arvn_police=1).at("support", hue=-2)
    s.at("terror", hue=1).at("resources", arvn=30)
    s.play("train", "hue", "nobody", "pacify", "hue")
    assert s.options == [1, 2, 3]
    s.play(3).finish()
    assert s.see("terror", "hue") == 0
    assert s.see("support", "hue") == 0
    assert s.see("resources", "arvn") == 30 - 9


@pytest.mark.parametrize("missing", ["arvn_troops", "arvn_police"])
def test_4_pacify_of_the_arvn_needs_troops_and_police(missing: str) -> None:
    kinds = {"arvn_troops": 2, "arvn_police": 2}
    del kinds[missing]
    s = Situation("arvn").put("hue", **kinds).at("resources", arvn=30)
    assert "pacify" not in s.play("train", "hue").skip_to("$follow").options


def test_4_pacify_needs_coin_control() -> None:
    s = Situation("arvn").put("hue", arvn_troops=1, arvn_police=1, vc_guerrilla=2)
    s.at("resources", arvn=30).play("train", "hue").skip_to("$follow")
    assert "pacify" not in s.options


def test_4_pacify_of_the_us_keeps_to_resources_above_total_econ() -> None:
    s = Situation("us").put("hue", us_troops=1).at("resources", arvn=19).set(econ=15)
    s.play("train", "hue", "pacify", "hue")
    assert s.options == [1]


def test_4_three_arvn_cubes_become_a_base_for_three_resources() -> None:
    s = Situation("arvn").put("hue", arvn_troops=1, arvn_police=2).at("resources", arvn=3)
    s.play(
        "train", "hue", "fortify", "hue", Pick("arvn_troops", "hue"), Pick("arvn_police", "hue", 2)
    )
    s.finish()
    assert (s.count("hue"), s.count("hue", "arvn_base")) == (1, 1)
    assert s.see("resources", "arvn") == 0


def test_4_a_base_needs_room() -> None:
    s = Situation("arvn").put("hue", arvn_troops=5, us_base=2).at("resources", arvn=30)
    assert "fortify" not in s.play("train", "hue").skip_to("$follow").options


def test_4_the_us_moves_patronage_only_in_saigon_and_three_at_most() -> None:
    s = Situation("us").put("saigon", us_troops=1).set(patronage=10).at("resources", arvn=5)
    s.play("train", "saigon", "drain")
    assert s.options == [1, 2, 3]
    s.play(3).finish()
    assert (s.see("patronage"), s.see("resources", "arvn")) == (7, 8)
    s = Situation("us").put("hue", us_troops=1).set(patronage=10)
    assert "drain" not in s.play("train", "hue").skip_to("$follow").options


def test_4_a_limited_train_may_do_both_steps_in_its_space() -> None:
    s = Situation("us").only("us", "arvn").put("hue", us_troops=1).at("resources", arvn=30)
    s.put("saigon", arvn_police=1).play("train", "hue").finish()
    s.play(
        "train", "saigon", "cubes", Pick("arvn_troops", BOX), None, "pacify", "saigon", 1
    ).finish()
    assert s.see("support", "saigon") == 1
    assert s.see("resources", "arvn") == 30 - 3 - 3


# ---------------------------------------------------------------- Patrol


def test_4_patrol_costs_the_arvn_three_in_all_and_the_us_nothing() -> None:
    s = Situation("arvn").put("hue", arvn_police=2).at("resources", arvn=3)
    s.play("patrol", "loc_hue_da_nang", Pick("arvn_police", "hue")).finish()
    assert s.see("resources", "arvn") == 0
    assert "patrol" not in Situation("arvn").at("resources", arvn=2).options
    s = Situation("us").put("hue", us_troops=1).at("resources", arvn=0).play("patrol").finish()
    assert s.see("resources", "arvn") == 0


def test_4_patrol_stops_on_meeting_insurgents() -> None:
    s = Situation("us").put("hue", us_troops=1).put("loc_hue_da_nang", vc_guerrilla=1)
    s.play("patrol").skip_to("$road")
    assert "loc_hue_da_nang" in s.options
    assert "da_nang" not in s.options
    s = Situation("us").put("hue", us_troops=1).play("patrol").skip_to("$road")
    assert {"da_nang", "saigon", "can_tho"} <= set(s.options)  # LoC after LoC, city after city


def test_4_patrol_finds_one_guerrilla_for_each_cube_on_every_loc() -> None:
    s = Situation("us").put("loc_hue_da_nang", us_troops=1, vc_guerrilla=2)  # moved or not
    s.put("hue", us_troops=2).put("loc_hue_khe_sanh", nva_guerrilla=3)
    s.play("patrol", "loc_hue_khe_sanh", Pick("us_troops", "hue", 2)).finish()
    assert s.count("loc_hue_da_nang", "vc_guerrilla", hidden=True) == 1
    assert s.count("loc_hue_khe_sanh", "nva_guerrilla", hidden=True) == 1


def test_4_patrol_may_assault_one_loc_free_and_without_the_arvn() -> None:
    s = Situation("us").put("hue", us_troops=1).at("resources", arvn=30)
    s.put("loc_hue_da_nang", vc_guerrilla=1, arvn_police=4)
    s.play("patrol", "loc_hue_da_nang", Pick("us_troops", "hue"), "loc_hue_da_nang").finish()
    assert s.count("loc_hue_da_nang", "vc") == 0
    assert s.see("resources", "arvn") == 30


def test_4_a_limited_patrol_ends_and_assaults_in_one_space() -> None:
    s = Situation("us").only("us", "arvn").at("resources", arvn=30).put("saigon", us_troops=1)
    s.put("hue", arvn_police=2).put("loc_hue_da_nang", vc_guerrilla=1)
    s.put("loc_saigon_can_tho", arvn_police=2, vc_guerrilla=1)
    s.play("train", "saigon").finish()
    s.play("patrol", "loc_hue_da_nang", Pick("arvn_police", "hue", 2)).skip_to("$cleared")
    assert s.options == ["loc_hue_da_nang"]
    s.play("loc_hue_da_nang").finish()
    assert s.count("loc_saigon_can_tho", "vc", hidden=False) == 1


# ---------------------------------------------------------------- Sweep


def test_4_sweep_costs_the_arvn_three_for_each_space() -> None:
    s = Situation("arvn").put("hue", arvn_troops=1).put("da_nang", arvn_troops=1)
    s.at("resources", arvn=9).play("sweep", "hue", None, "da_nang").finish()
    assert s.see("resources", "arvn") == 3


def test_4_sweep_moves_troops_across_one_loc_without_insurgents() -> None:
    s = Situation("us").put("hue", us_troops=2, us_irregular=1).put("binh_dinh", us_troops=1)
    s.play("sweep", "da_nang", Pick("us_troops", "hue", 2)).finish()
    assert s.count("da_nang", "us_troops") == 2
    s = Situation("us").put("hue", us_troops=2).put("loc_hue_da_nang", vc_guerrilla=1)
    assert "da_nang" not in s.play("sweep").skip_to("$sweep").options


def test_4_sweep_finds_one_for_each_cube_and_special_force() -> None:
    s = Situation("us").put("binh_dinh", us_troops=1, us_irregular=1, arvn_troops=3, vc_guerrilla=4)
    s.play("sweep", "binh_dinh").finish()
    assert s.count("binh_dinh", "vc_guerrilla", hidden=False) == 2
    s = Situation("arvn").put("hue", arvn_police=1, arvn_ranger=1, us_troops=3, vc_guerrilla=4)
    s.at("resources", arvn=3).play("sweep", "hue").finish()
    assert s.count("hue", "vc_guerrilla", hidden=False) == 2


def test_4_sweep_in_jungle_finds_one_for_two() -> None:
    s = (
        Situation("us")
        .put("tay_ninh", us_troops=5, vc_guerrilla=4)
        .play("sweep", "tay_ninh")
        .finish()
    )
    assert s.count("tay_ninh", "vc_guerrilla", hidden=False) == 2


def test_4_sweep_never_enters_north_vietnam_or_a_loc() -> None:
    s = Situation("us").put("quang_tri_thua_thien", us_troops=3).play("sweep").skip_to("$sweep")
    assert "north_vietnam" not in s.options
    assert not any(str(space).startswith("loc_") for space in s.options)


# ---------------------------------------------------------------- Assault

ASSAULTS = [
    ("arvn", "hue", {"arvn_troops": 2, "arvn_police": 3}, 2),
    ("arvn", "loc_hue_da_nang", {"arvn_police": 4}, 2),
    ("arvn", "quang_tin_quang_ngai", {"arvn_troops": 5, "arvn_police": 4}, 2),
    ("arvn", "binh_dinh", {"arvn_troops": 5}, 1),
    ("us", "binh_dinh", {"us_troops": 2, "us_base": 1}, 4),
    ("us", "binh_dinh", {"us_troops": 3}, 1),
    ("us", "hue", {"us_troops": 3, "us_irregular": 2}, 3),
    ("us", "tay_ninh", {"us_troops": 3}, 3),
]


@pytest.mark.parametrize(("seat", "space", "force", "removed"), ASSAULTS)
def test_4_assault_table(seat: str, space: str, force: dict[str, int], removed: int) -> None:
    s = Situation(seat).put(space, **force).put(space, active=True, vc_guerrilla=6)
    s.at("resources", arvn=10).play("assault", space).finish()
    assert s.count(space, "vc_guerrilla") == 6 - removed
    assert s.see("resources", "arvn") == (7 if seat == "arvn" else 10)


def test_4_assault_takes_nva_troops_first_then_guerrillas_as_the_actor_likes() -> None:
    s = Situation("us").put("hue", us_troops=2)
    s.put("hue", active=True, nva_troops=1, nva_guerrilla=1, vc_guerrilla=1)
    s.play("assault", "hue", Pick("vc_guerrilla", "hue")).finish()
    assert s.count("hue", "nva_troops") == 0
    assert (s.count("hue", "nva_guerrilla"), s.count("hue", "vc_guerrilla")) == (1, 0)


def test_4_underground_guerrillas_shield_bases() -> None:
    s = Situation("us").put("hue", us_troops=4, nva_guerrilla=1, vc_base=1)
    s.put("hue", active=True, vc_guerrilla=1).play("assault", "hue").finish()
    assert s.count("hue", "vc_guerrilla") == 0
    assert s.count("hue", "nva_guerrilla", hidden=True) == 1  # of either faction
    assert s.count("hue", "vc_base") == 1


def test_4_assault_takes_bases_once_no_guerrilla_is_left() -> None:
    s = Situation("us").put("hue", us_troops=2, vc_base=1).put("hue", active=True, vc_guerrilla=1)
    s.play("assault", "hue").finish()
    assert s.count("hue", "vc") == 0


@pytest.mark.parametrize("seed", range(6))
def test_4_a_tunneled_base_stops_the_assault_and_a_die_is_rolled(seed: int) -> None:
    s = Situation("us", seed=seed).put("hue", us_troops=4).put("hue", tunneled=True, vc_base=1)
    s.play("assault", "hue").finish()
    (die,) = s.rolled()
    assert s.count("hue", "vc_base") == 1
    assert s.count("hue", "vc_base", tunneled=True) == (0 if die >= 4 else 1)


def test_4_each_base_removed_by_the_arvn_brings_six_aid() -> None:
    s = Situation("arvn").put("hue", arvn_troops=4, vc_base=1, nva_base=1).set(aid=10)
    s.at("resources", arvn=3).play("assault", "hue", Pick("vc_base", "hue")).finish()
    assert s.count("hue", "vc") + s.count("hue", "nva") == 0
    assert s.see("aid") == 22


def test_4_the_us_adds_an_arvn_assault_for_three_in_one_of_its_spaces() -> None:
    s = Situation("us").only("us", "arvn").put("hue", us_troops=1, arvn_troops=2, nva_troops=3)
    s.put("saigon", arvn_troops=4, vc_guerrilla=1).at("resources", arvn=18).set(econ=15)
    s.play("assault", "hue").skip_to("$allies")
    assert s.options == ["hue"]
    s.play("hue").finish()
    assert s.count("hue", "nva") == 1
    assert s.see("resources", "arvn") == 15
    assert s.decision.seat == "arvn"  # whose eligibility is not affected


def test_4_the_arvn_assault_of_the_us_must_be_paid_above_total_econ() -> None:
    s = Situation("us").only("us", "arvn").put("hue", us_troops=1, arvn_troops=2, nva_troops=3)
    s.at("resources", arvn=17).set(econ=15).play("assault", "hue").finish()
    assert s.decision.seat == "arvn"
    assert all(event.fields.get("decision") != "$allies" for event in s.events)


def test_4_police_alone_assaults_no_province() -> None:
    s = (
        Situation("arvn")
        .put("binh_dinh", arvn_police=6)
        .put("binh_dinh", active=True, vc_guerrilla=2)
    )
    s.at("resources", arvn=3).play("assault", "binh_dinh").finish()
    assert s.count("binh_dinh", "vc_guerrilla") == 2
