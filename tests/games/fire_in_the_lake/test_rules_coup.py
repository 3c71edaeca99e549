"""Sections 8 to 10 of the facts: coup rounds, victory and leaders."""

from __future__ import annotations

import pytest

from tests.games.fire_in_the_lake.situations import SEATS, Pick, Situation

TURKS, KY, THIEU, FAILED = 126, 127, 128, 130


def coup(seat: str = "us", card: int = THIEU) -> Situation:
    """One faction is still to pass, then a coup comes."""
    return Situation(seat).only(seat).next_card(card).set(coups=0, patronage=0, trail=2)


# ---------------------------------------------------------------- victory


@pytest.mark.parametrize(("patronage", "over"), [(50, False), (51, True)])
def test_8_1_a_faction_strictly_above_its_goal_ends_the_war(patronage: int, over: bool) -> None:
    s = coup().set(patronage=patronage).play("pass")
    result = s.game.result(s.state)
    assert (result is not None) == over
    if result is not None:
        assert list(result.winners) == ["arvn"]


def test_9_the_highest_margin_is_first() -> None:
    s = coup().set(patronage=51).at("support", saigon=2).put("north_vietnam", nva_base=2)
    s.play("pass")  # us: 12 + 46 available - 50 = 8; arvn: 1
    result = s.game.result(s.state)
    assert result is not None
    assert list(result.winners) == ["us"]


def test_9_ties_go_to_the_vc_then_the_arvn_then_the_nva() -> None:
    s = coup().box("outOfPlay", us_troops=40, us_base=6)
    spaces = (
        "saigon",
        "hue",
        "tay_ninh",
        "kien_phong",
        "binh_dinh",
        "quang_tin_quang_ngai",
        "kien_hoa_vinh_binh",
    )
    s.at("support", **dict.fromkeys(spaces, -2)).set(patronage=51)  # vc: 2 * 18 - 35 = 1
    s.play("pass")
    result = s.game.result(s.state)
    assert result is not None
    assert list(result.winners) == ["vc"]


# ---------------------------------------------------------------- resources


def everywhere_safe(s: Situation) -> Situation:
    """Police in every city, so that no LoC is cut."""
    cities = ("hue", "da_nang", "kontum", "qui_nhon", "cam_ranh", "an_loc", "saigon", "can_tho")
    for city in cities:
        s.put(city, arvn_police=1)
    return s


def test_8_2_locs_are_sabotaged_beside_cities_without_coin_control() -> None:
    s = everywhere_safe(coup()).put("hue", vc_guerrilla=1)
    s.at("resources", arvn=0).set(aid=10).play("pass")
    assert s.see("econ") == 15 - 1 - 1  # Hue - Khe Sanh, Hue - Da Nang
    assert s.see("resources", "arvn") == 3 + 10 + 13


def test_8_2_locs_are_sabotaged_where_guerrillas_outnumber_coin_pieces() -> None:
    s = everywhere_safe(coup()).put(
        "loc_saigon_can_tho", vc_guerrilla=1, nva_guerrilla=1, us_troops=1
    )
    s.put("loc_saigon_cam_ranh", vc_guerrilla=1, us_troops=1)
    s.put("loc_saigon_da_lat", nva_troops=3)  # troops are no guerrillas
    s.play("pass")
    assert s.see("econ") == 13


def test_8_2_the_vc_picks_when_markers_run_short() -> None:
    s = everywhere_safe(coup()).put("hue", vc_guerrilla=1).at("terror", saigon=14).play("pass")
    assert (s.decision.seat, s.decision.name) == ("vc", "$cut")
    s.play("loc_hue_khe_sanh")
    assert s.see("econ") == 14


def test_8_2_coin_control_in_laos_or_cambodia_degrades_the_trail() -> None:
    s = everywhere_safe(coup()).put("central_laos", arvn_ranger=1).set(trail=3)
    s.at("resources", nva=0).play("pass")
    assert s.see("trail") == 2
    assert s.see("resources", "nva") == 4


def test_8_2_insurgents_gain_by_bases_and_the_trail() -> None:
    s = everywhere_safe(coup()).put("central_laos", nva_base=2).put("north_vietnam", nva_base=2)
    s.put("tay_ninh", vc_base=2).at("resources", nva=1, vc=1).set(trail=3).play("pass")
    assert s.see("resources", "nva") == 1 + 2 + 6  # bases in Laos and Cambodia only
    assert s.see("resources", "vc") == 1 + 2


def test_8_2_resources_stop_at_75() -> None:
    s = everywhere_safe(coup()).at("resources", arvn=60).set(aid=40).play("pass")
    assert s.see("resources", "arvn") == 75


def test_8_2_aid_falls_by_three_for_each_casualty() -> None:
    s = (
        everywhere_safe(coup())
        .box("casualties", us_troops=2, us_irregular=1)
        .set(aid=20)
        .play("pass")
    )
    assert s.see("aid") == 11


# ---------------------------------------------------------------- support


def test_8_3_pacification_needs_control_police_and_own_troops() -> None:
    s = everywhere_safe(coup()).put("hue", us_troops=1).put("da_nang", arvn_troops=1)
    s.at("resources", arvn=20).play("pass")
    assert (s.decision.seat, s.decision.name, s.options) == ("us", "$calm", ["hue"])
    s.play(None)
    assert (s.decision.seat, s.decision.name, s.options) == ("arvn", "$calm", ["da_nang"])


def test_8_3_pacification_two_levels_in_a_space_for_both_together() -> None:
    s = everywhere_safe(coup()).put("hue", us_troops=1, arvn_troops=1).at("support", hue=-2)
    s.at("resources", arvn=50).set(aid=0).play("pass", "hue", 1)
    assert s.decision.seat == "arvn"
    s.play("hue")
    assert s.options == [1]
    s.play(1)
    assert s.see("support", "hue") == 0
    assert s.see("resources", "arvn") == 50 + 3 + 15 - 6


def test_8_3_pacification_four_spaces_between_us_and_arvn() -> None:
    s = everywhere_safe(coup()).at("resources", arvn=75)
    cities = ("hue", "da_nang", "kontum", "qui_nhon", "cam_ranh")
    for city in cities:
        s.put(city, us_troops=1, arvn_troops=1)
    s.play("pass")
    for city in cities[:3]:
        s.play(city, 1)
    s.play(None)
    assert s.decision.seat == "arvn"
    s.play("cam_ranh", 1)
    assert s.options == ["hue", "da_nang", "kontum"]  # no fifth space


def test_8_3_a_space_that_both_pacify_is_one_of_the_four() -> None:
    s = everywhere_safe(coup()).at("resources", arvn=75)
    cities = ("hue", "da_nang", "kontum", "qui_nhon", "cam_ranh")
    for city in cities:
        s.put(city, us_troops=1, arvn_troops=1)
    s.play("pass")
    for city in cities[:3]:
        s.play(city, 1)
    s.play(None)
    s.play("hue", 1, "cam_ranh", 1)
    assert s.see("support", "hue") == 2
    assert s.see("support", "cam_ranh") == 1
    assert {"qui_nhon"}.isdisjoint(s.options)


def test_8_3_pacification_of_the_us_leaves_the_new_total_econ() -> None:
    s = everywhere_safe(coup()).put("hue", us_troops=1).at("resources", arvn=0).set(aid=1)
    s.play("pass")  # 3 for the pass, 1 aid, 15 econ: 4 above econ
    assert s.options == ["hue"]
    s.play("hue")
    assert s.options == [1]


def test_8_3_agitation_costs_one_and_needs_a_vc_piece_without_coin_control() -> None:
    s = (
        everywhere_safe(coup())
        .put("tay_ninh", vc_guerrilla=1)
        .put("hue", vc_guerrilla=1, us_troops=1)
    )
    s.at("terror", tay_ninh=1).at("resources", vc=5).play("pass").skip_to("$agitate")
    assert (s.decision.seat, s.options) == ("vc", ["tay_ninh"])
    s.play("tay_ninh")
    assert s.options == [1, 2, 3]
    s.play(3)
    assert (s.see("terror", "tay_ninh"), s.see("support", "tay_ninh")) == (0, -2)
    assert s.see("resources", "vc") == 2


# ---------------------------------------------------------------- redeploy


def test_8_4_coin_pieces_leave_laos_and_cambodia() -> None:
    s = everywhere_safe(coup()).put("central_laos", us_troops=2, us_irregular=1, arvn_troops=1)
    s.play("pass").skip_to("$commit")
    assert s.count("central_laos") == 0
    assert s.count("outOfPlay", "us_troops") == 2
    assert s.count("available:us", "us_irregular") == 6


def test_8_4_arvn_troops_must_leave_locs_and_provinces_without_a_base() -> None:
    s = everywhere_safe(coup()).put("loc_hue_da_nang", arvn_troops=1).put("binh_dinh", us_base=1)
    s.put("qui_nhon", nva_troops=3).put("binh_dinh", arvn_troops=1)
    s.play("pass").skip_to("$home")
    assert (s.decision.seat, s.decision.optional) == ("arvn", False)
    assert "binh_dinh" in s.options  # a base
    assert "qui_nhon" not in s.options  # NVA control
    assert "saigon" in s.options
    s.play("saigon").finish()
    assert s.count("saigon", "arvn_troops") == 1
    assert s.count("binh_dinh", "arvn_troops") == 1  # may stay


def test_8_4_police_moves_to_locs_and_coin_controlled_spaces_of_the_south() -> None:
    s = everywhere_safe(coup()).put("binh_dinh", vc_guerrilla=1).play("pass").skip_to("$cops")
    s.play(Pick("arvn_police", "hue"))
    assert s.decision.name == "$beat"
    assert {"loc_hue_da_nang", "saigon"} <= set(s.options)
    assert {"binh_dinh", "central_laos"}.isdisjoint(s.options)


def test_8_4_control_is_frozen_while_redeploying() -> None:
    s = everywhere_safe(coup()).play("pass").skip_to("$cops")
    s.play(Pick("arvn_police", "hue"), "saigon").play(Pick("arvn_police", "da_nang"))
    assert "hue" in s.options  # still controlled, though nobody is left there
    s.play("hue")


def test_8_4_nva_troops_move_to_nva_bases() -> None:
    s = everywhere_safe(coup()).put("tay_ninh", nva_troops=1, nva_guerrilla=1)
    s.put("central_laos", nva_base=1).play("pass").skip_to("$column")
    assert (s.decision.seat, len(s.options)) == ("nva", 1)
    s.play(Pick("nva_troops", "tay_ninh"), "central_laos")
    assert s.count("central_laos", "nva_troops") == 1


def test_8_4_the_last_round_ends_after_redeploying() -> None:
    s = everywhere_safe(coup()).set(coups=2).play("pass")
    while s.game.result(s.state) is None:
        s.play(None)
    assert all(event.fields.get("decision") != "$commit" for event in s.events)


# ---------------------------------------------------------------- commitment and reset


def test_8_5_a_third_of_the_troops_and_all_bases_among_casualties_go_out_of_play() -> None:
    s = everywhere_safe(coup()).box("casualties", us_troops=5, us_base=1, us_irregular=2)
    s.play("pass").skip_to("$commit")
    assert s.count("outOfPlay", "us_troops") == 1
    assert s.count("outOfPlay", "us_base") == 1
    assert s.count("casualties") == 0
    assert s.count("available:us", "us_troops") == 39
    assert s.count("available:us", "us_irregular") == 6


def test_8_5_the_us_moves_ten_troops_and_two_bases() -> None:
    s = everywhere_safe(coup()).play("pass").skip_to("$commit")
    for kind, number in (("us_troops", 10), ("us_base", 2)):
        for _ in range(number):
            s.play(Pick(kind, "available:us"), "saigon")
    assert s.decision.name != "$commit"
    assert (s.count("saigon", "us_troops"), s.count("saigon", "us_base")) == (10, 2)


def test_8_5_bases_go_to_no_loc_and_to_no_third_place() -> None:
    s = everywhere_safe(coup()).put("hue", arvn_base=2).put("tay_ninh", vc_guerrilla=1)
    s.play("pass").skip_to("$commit").play(Pick("us_base", "available:us"))
    assert "saigon" in s.options
    assert {"hue", "tay_ninh", "loc_hue_da_nang"}.isdisjoint(s.options)


@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 1), (3, 3), (4, 3)])
def test_8_6_reset_brings_the_trail_in(before: int, after: int) -> None:
    s = everywhere_safe(coup()).set(trail=before).play("pass").finish()
    assert s.see("trail") == after


def test_8_6_reset_clears_markers_hides_guerrillas_and_ends_momentum() -> None:
    s = everywhere_safe(coup()).at("terror", hue=1).put("tay_ninh", active=True, vc_guerrilla=2)
    s.put("hue", active=True, us_irregular=1).set(momentum=("adsid", "claymores"))
    s.at("sabotaged", loc_hue_da_nang=True).play("pass").finish()
    assert s.see("terror", "hue") == 0
    assert not s.see("sabotaged", "loc_hue_da_nang")
    assert s.count("tay_ninh", "vc_guerrilla", hidden=True) == 2
    assert s.count("hue", "us_irregular", hidden=True) == 1
    assert s.see("momentum") == set()
    assert all(s.see("eligible", seat) for seat in SEATS)


# ---------------------------------------------------------------- leaders


def test_10_minh_brings_five_aid_for_each_arvn_train() -> None:
    s = Situation("arvn").set(leader="minh", aid=3).at("resources", arvn=9).play("train", "saigon")
    assert s.see("aid") == 8
    s = Situation("us").set(leader="minh", aid=3).put("hue", us_troops=1).play("train", "hue")
    assert s.see("aid") == 3


def test_10_under_khanh_transport_uses_one_loc() -> None:
    s = Situation("arvn").set(leader="khanh").put("hue", arvn_troops=1).at("resources", arvn=9)
    s.play("patrol", "transport", "hue", Pick("arvn_troops", "hue"))
    assert {"loc_hue_da_nang", "da_nang", "quang_nam"} <= set(s.options)
    assert {"loc_da_nang_qui_nhon", "qui_nhon", "saigon"}.isdisjoint(s.options)


def test_10_under_the_young_turks_each_govern_brings_two_patronage() -> None:
    s = Situation("arvn").set(leader="youngTurks", patronage=5).put("hue", arvn_police=1)
    s.at("support", hue=1).at("resources", arvn=9).play("patrol", "govern", "hue", "raiseAid")
    assert s.see("patronage") == 7


def test_10_under_ky_pacification_costs_four_from_that_very_round() -> None:
    s = everywhere_safe(coup(card=KY)).put("hue", us_troops=1).at("resources", arvn=4).set(aid=0)
    s.play("pass", "hue")  # 4 + 3 for the pass + 15 econ: 7 above econ
    assert s.options == [1]


def test_10_komer_and_ky_together_pacify_for_one() -> None:
    s = everywhere_safe(coup(card=KY)).put("hue", us_troops=1).at("resources", arvn=0).set(aid=0)
    s.set(momentum=("komer",)).play("pass", "hue")
    assert s.options == [1, 2]


def test_10_a_failed_attempt_costs_one_of_three_cubes_in_every_space() -> None:
    s = coup(card=FAILED).set(leader="ky").put("hue", arvn_troops=2, arvn_police=5)
    s.put("da_nang", arvn_police=2).play("pass")
    assert (s.decision.seat, s.decision.name) == ("arvn", "$desert")
    s.play(Pick("arvn_troops", "hue"), Pick("arvn_police", "hue"))
    assert s.count("hue", "arvn") == 5
    assert s.count("da_nang", "arvn") == 2
    assert s.see("leader") == "ky"


def test_10_a_failed_attempt_ends_minh_and_counts_as_a_card_in_the_box() -> None:
    s = coup(card=FAILED).set(leader="minh")
    before = s.count_cards("leaderBox")
    s.play("pass")
    assert s.see("leader") == "nobody"
    assert s.count_cards("leaderBox") == before + 1


def test_10_a_new_leader_takes_office_at_once() -> None:
    s = coup(card=TURKS).set(leader="minh").play("pass")
    assert s.see("leader") == "youngTurks"
