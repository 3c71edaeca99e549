"""Section 6 of the facts: special activities."""

from __future__ import annotations

import pytest

from tests.games.fire_in_the_lake.situations import Pick, Situation


def test_6_a_special_activity_goes_with_its_operations_only() -> None:
    s = (
        Situation("us")
        .put("hue", us_troops=1, vc_guerrilla=1)
        .put("saigon", arvn_troops=2, vc_base=1)
    )
    assert "advise" in s.play("train").options
    s = (
        Situation("us")
        .put("hue", us_troops=1, vc_guerrilla=1)
        .put("saigon", arvn_troops=2, vc_base=1)
    )
    assert "advise" not in s.play("assault").options


def test_6_one_activity_for_an_operation() -> None:
    s = Situation("us").put("hue", us_troops=1).set(trail=3)
    s.play("train", "airStrike", "degrade")
    s.play("hue", "nobody")
    assert s.decision.name in ("$train", "$follow")  # no further moment


# ---------------------------------------------------------------- United States


def test_6_advise_not_in_a_space_selected_for_train() -> None:
    s = Situation("us").put("hue", us_troops=1, arvn_troops=2, vc_guerrilla=1)
    s.put("saigon", arvn_troops=2, vc_guerrilla=1)
    s.play("train", "hue", "nobody", "advise")
    assert s.options == ["saigon"]


def test_6_advise_removes_two_with_an_irregular_hidden_ones_too_and_bases_last() -> None:
    s = Situation("us").put("hue", us_troops=1).put("tay_ninh", us_irregular=1, vc_guerrilla=1)
    s.put("tay_ninh", vc_base=1)
    s.play("patrol", "advise", "tay_ninh", "snipe", Pick("us_irregular", "tay_ninh"))
    s.play(Pick("vc_guerrilla", "tay_ninh"), Pick("vc_base", "tay_ninh")).finish()
    assert s.count("tay_ninh", "vc") == 0
    assert s.count("tay_ninh", "us_irregular", hidden=False) == 1


def test_6_advise_never_removes_a_tunneled_base() -> None:
    s = Situation("us").put("hue", us_troops=1).put("tay_ninh", us_irregular=1, vc_guerrilla=1)
    s.put("tay_ninh", tunneled=True, vc_base=1)
    s.play("patrol", "advise", "tay_ninh", "snipe", Pick("us_irregular", "tay_ninh"))
    s.play(Pick("vc_guerrilla", "tay_ninh")).finish()
    assert s.count("tay_ninh", "vc_base") == 1


def test_6_advise_assaults_as_the_arvn_and_a_base_brings_aid() -> None:
    s = Situation("us").put("hue", us_troops=1).put("saigon", arvn_troops=2, vc_base=1).set(aid=5)
    s.at("resources", arvn=20).play("patrol", "advise", "saigon", "storm", "moreAid").finish()
    assert s.count("saigon", "vc") == 0
    assert s.see("aid") == 5 + 6 + 6
    assert s.see("resources", "arvn") == 20


def test_6_air_lift_moves_us_troops_and_four_others_among_four_spaces() -> None:
    s = Situation("us").put("hue", us_troops=6, arvn_troops=5, arvn_ranger=1, us_irregular=1)
    s.play("patrol", "airLift", "hue", "saigon", None)
    for _ in range(6):
        s.play(Pick("us_troops", "hue"), "saigon")
    for kind in ("arvn_troops", "arvn_troops", "arvn_ranger", "us_irregular"):
        s.play(Pick(kind, "hue"), "saigon")
    assert s.decision.name != "$cargo"  # three troops of the ARVN must stay
    assert s.count("saigon") == 10


def test_6_air_strike_removes_six_active_pieces_at_most_and_shifts() -> None:
    s = Situation("us").put("hue", us_troops=1).put("hue", active=True, vc_guerrilla=8)
    s.put("saigon", us_troops=1, vc_guerrilla=1).at("support", hue=1, saigon=1)
    s.play("patrol", "airStrike", "hue", Pick("vc_guerrilla", "hue", 6))
    s.play("saigon").finish()
    assert s.count("hue", "vc_guerrilla") == 2
    assert s.count("saigon", "vc_guerrilla") == 1  # underground: safe
    assert (s.see("support", "hue"), s.see("support", "saigon")) == (0, 0)


def test_6_air_strike_spares_bases_beside_other_insurgents_and_tunneled_ones() -> None:
    s = Situation("us").put("hue", us_troops=1, vc_guerrilla=1, vc_base=1)
    s.put("da_nang", us_troops=1, nva_base=1).put("saigon", us_troops=1)
    s.put("saigon", tunneled=True, vc_base=1)
    s.play("patrol", "airStrike", "da_nang", Pick("nva_base", "da_nang"), "hue", "saigon").finish()
    assert [s.count(space, "vc_base") for space in ("hue", "saigon")] == [1, 1]
    assert s.count("da_nang", "nva_base") == 0


def test_6_air_strike_needs_a_coin_piece_and_may_only_degrade_the_trail() -> None:
    s = Situation("us").put("hue", us_troops=1).set(trail=3).put("tay_ninh", nva_troops=3)
    s.play("patrol", "airStrike")
    assert "tay_ninh" not in s.options
    s.play("degrade").finish()
    assert s.see("trail") == 2


# ---------------------------------------------------------------- ARVN


def test_6_govern_brings_three_times_the_population_as_aid() -> None:
    s = Situation("arvn").put("hue", arvn_police=1).at("support", hue=1).set(aid=0)
    s.at("resources", arvn=9).play("patrol", "govern", "hue", "raiseAid").finish()
    assert s.see("aid") == 6


def test_6_govern_takes_patronage_where_arvn_cubes_exceed_us_troops() -> None:
    s = Situation("arvn").put("hue", arvn_police=2, us_troops=1).at("support", hue=2)
    s.set(aid=10, patronage=5).at("resources", arvn=9)
    s.play("patrol", "govern", "hue", "graft").finish()
    assert (s.see("aid"), s.see("patronage"), s.see("support", "hue")) == (8, 7, 1)
    s = Situation("arvn").put("hue", arvn_police=1, us_troops=1).at("support", hue=2)
    s.at("resources", arvn=9).play("patrol", "govern", "hue")
    assert s.options == ["raiseAid"]


def test_6_govern_moves_no_more_aid_than_there_is() -> None:
    s = Situation("arvn").put("hue", arvn_police=2).at("support", hue=2)
    s.set(aid=1, patronage=5).at("resources", arvn=9).play(
        "patrol", "govern", "hue", "graft"
    ).finish()
    assert (s.see("aid"), s.see("patronage")) == (0, 6)


def test_6_govern_not_in_saigon_nor_without_support_nor_without_control() -> None:
    s = Situation("arvn").put("saigon", arvn_police=2).put("hue", arvn_police=2)
    s.put("da_nang", arvn_police=1, vc_guerrilla=1).put("qui_nhon", arvn_police=1)
    s.at("support", saigon=2, da_nang=2, qui_nhon=1).at("resources", arvn=9)
    assert s.play("patrol", "govern").options == ["qui_nhon"]


def test_6_transport_moves_six_along_locs_and_hides_all_rangers() -> None:
    s = Situation("arvn").put("hue", arvn_troops=7).at("resources", arvn=9)
    s.put("saigon", active=True, arvn_ranger=1)
    s.play("patrol", "transport", "hue")
    for _ in range(6):
        s.play(Pick("arvn_troops", "hue"), "can_tho")
    assert s.decision.name != "$rider"
    s.finish()
    assert (s.count("can_tho", "arvn_troops"), s.count("hue", "arvn_troops")) == (6, 1)
    assert s.count("saigon", "arvn_ranger", hidden=True) == 1


def test_6_transport_stops_on_meeting_insurgents() -> None:
    s = Situation("arvn").put("hue", arvn_troops=1).at("resources", arvn=9)
    s.put("loc_hue_da_nang", vc_guerrilla=1).put("loc_hue_khe_sanh", nva_troops=1)
    s.play("patrol", "transport", "hue", Pick("arvn_troops", "hue"))
    assert set(s.options) == {"loc_hue_da_nang", "loc_hue_khe_sanh"}


def test_6_raid_moves_rangers_in_and_removes_two_hidden_ones_too() -> None:
    s = Situation("arvn").put("hue", arvn_ranger=1).at("resources", arvn=9)
    s.put("quang_tri_thua_thien", nva_guerrilla=2, nva_base=1)
    s.play("patrol", "raid", "quang_tri_thua_thien", Pick("arvn_ranger", "hue"), "shoot")
    s.play(Pick("arvn_ranger", "quang_tri_thua_thien"))
    s.play(Pick("nva_guerrilla", "quang_tri_thua_thien", 2)).finish()
    assert s.count("quang_tri_thua_thien", "nva_guerrilla") == 0
    assert s.count("quang_tri_thua_thien", "nva_base") == 1
    assert s.count("quang_tri_thua_thien", "arvn_ranger", hidden=False) == 1


# ---------------------------------------------------------------- NVA


def test_6_infiltrate_places_troops_up_to_trail_and_bases_then_turns_guerrillas() -> None:
    s = Situation("nva").put("central_laos", nva_base=1, nva_guerrilla=2).set(trail=2)
    s.at("resources", nva=9).play("rally", "infiltrate", "central_laos", "reinforce")
    assert s.options == [0, 1, 2, 3]
    s.play(3, Pick("nva_guerrilla", "central_laos", 2))
    assert s.count("central_laos", "nva_troops") == 5


def test_6_infiltrate_turns_a_vc_piece_and_opposition_towards_neutral() -> None:
    s = Situation("nva").put("tay_ninh", nva_troops=3, vc_guerrilla=1).at("support", tay_ninh=-2)
    s.put("tay_ninh", tunneled=True, vc_base=1).at("resources", nva=9)
    s.play("rally", "infiltrate", "tay_ninh", "convert", Pick("vc_base", "tay_ninh"))
    assert s.see("support", "tay_ninh") == -1
    assert s.count("tay_ninh", "nva_base", tunneled=True) == 1
    assert s.count("tay_ninh", "vc_base") == 0


def test_6_infiltrate_needs_more_nva_than_vc_pieces() -> None:
    s = Situation("nva").put("tay_ninh", nva_troops=2, vc_guerrilla=2).at("resources", nva=9)
    assert "infiltrate" not in s.play("rally").options


@pytest.mark.parametrize(("near", "far", "offered"), [(3, 0, True), (0, 3, True), (2, 2, False)])
def test_6_bombard_needs_three_nva_troops_in_or_beside_the_space(
    near: int, far: int, offered: bool
) -> None:
    s = Situation("nva").put("hue", us_troops=2, arvn_troops=1, nva_troops=near)
    s.put("quang_tri_thua_thien", nva_troops=far).at("resources", nva=9)
    assert ("bombard" in s.play("rally").options) == offered


def test_6_bombard_sends_a_us_cube_to_the_casualties() -> None:
    s = Situation("nva").put("hue", us_troops=1, us_base=1, nva_troops=3).at("resources", nva=9)
    s.play("rally", "bombard", "hue", Pick("us_troops", "hue"))
    assert s.count("casualties", "us_troops") == 1


def test_6_ambush_replaces_the_attack_without_a_roll_or_a_loss() -> None:
    s = Situation("vc").put("hue", vc_guerrilla=2, us_troops=2).at("resources", vc=9)
    s.play("attack", "hue", "ambush", Pick("us_troops", "hue")).finish()
    assert s.rolled() == []
    assert s.count("casualties", "us_troops") == 1
    assert s.count("hue", "vc_guerrilla") == 2
    assert s.count("hue", "vc_guerrilla", hidden=True) == 1


def test_6_ambush_from_a_loc_hits_an_adjacent_space() -> None:
    s = Situation("vc").put("quang_nam", vc_guerrilla=1).put("hue", arvn_police=1)
    s.at("resources", vc=9).play("march", "loc_hue_da_nang", Pick("vc_guerrilla", "quang_nam"))
    s.play("ambush", "loc_hue_da_nang", Pick("arvn_police", "hue")).finish()
    assert s.count("hue", "arvn") == 0
    assert s.count("loc_hue_da_nang", "vc_guerrilla", hidden=False) == 1


def test_6_ambush_in_two_spaces_at_most() -> None:
    spaces = ("hue", "da_nang", "saigon")
    s = Situation("vc").at("resources", vc=9)
    for space in spaces:
        s.put(space, vc_guerrilla=1, arvn_police=2)
    for space in spaces[:2]:
        s.play("attack") if space == "hue" else None
        s.play(space, "ambush", Pick("arvn_police", space))
    s.play("saigon")
    assert s.options == ["guerrillas"]


# ---------------------------------------------------------------- Viet Cong


def test_6_tax_pays_twice_the_population_or_econ_and_shifts_towards_support() -> None:
    s = Situation("vc").put("hue", vc_guerrilla=1).put("loc_saigon_can_tho", vc_guerrilla=1)
    s.put("loc_saigon_can_tho", us_troops=4).at("support", hue=-1).at("resources", vc=1)
    s.at("sabotaged", loc_saigon_can_tho=True)
    s.play("rally", "tax", "hue", "loc_saigon_can_tho", "hue", "one").finish()
    assert s.see("resources", "vc") == 1 + 4 + 2 - 1
    assert s.see("support", "hue") == 0
    assert s.count("loc_saigon_can_tho", "vc_guerrilla", hidden=False) == 1


def test_6_tax_is_barred_by_coin_control() -> None:
    s = Situation("vc").put("hue", vc_guerrilla=1, us_troops=2).put("da_nang", vc_guerrilla=1)
    s.at("resources", vc=3).play("rally", "tax")
    assert s.options == ["da_nang"]


def test_6_subvert_removes_two_cubes_or_turns_one_and_lowers_patronage() -> None:
    s = Situation("vc").put("hue", vc_guerrilla=1, arvn_troops=2).set(patronage=10)
    s.put("da_nang", vc_guerrilla=1, arvn_police=1).at("resources", vc=3)
    s.play("rally", "subvert", "hue", "removeTwo", Pick("arvn_troops", "hue", 2))
    s.play("da_nang", "turnOne", Pick("arvn_police", "da_nang"))
    assert s.count("hue", "arvn") == 0
    assert s.count("da_nang", "vc_guerrilla") == 2
    assert s.see("patronage") == 9  # three pieces: one
