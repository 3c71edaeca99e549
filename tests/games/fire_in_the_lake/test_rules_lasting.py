"""Sections 7, 11 and 12 of the facts: pivotal events, capabilities and momentum."""

from __future__ import annotations

import pytest

from tests.games.fire_in_the_lake.situations import SEATS, Pick, Situation

EVENT, COUP = 84, 128


# ---------------------------------------------------------------- pivotal events


def before_a_card(*eligible: str) -> Situation:
    """Somebody is still to pass; then these factions may play their pivotal events."""
    s = Situation("us", "medium").only("us").next_card(EVENT)
    s.put("north_vietnam", nva_troops=5).put("hue", us_troops=1)  # NVA and ARVN are ready
    return s.put("saigon", vc_guerrilla=21 if "vc" in eligible else 0)


def asked_to_trump(s: Situation) -> list[str]:
    """Who is asked for a pivotal event, if all of them hold it back."""
    found: list[str] = []
    while s.decision.name == "$trump":
        found.append(s.decision.seat)
        s.play("hold")
    return found


@pytest.mark.parametrize(
    ("seat", "ready", "not_ready"),
    [
        ("us", {"support": 2}, {"support": -2}),
        ("nva", {"nva": 5, "us": 4}, {"nva": 4, "us": 4}),
        ("arvn", {"us": 19}, {"us": 20}),
        ("vc", {"vc": 21}, {"vc": 20}),
    ],
)
def test_7_pivotal_preconditions(
    seat: str, ready: dict[str, int], not_ready: dict[str, int]
) -> None:
    for numbers, wanted in ((ready, True), (not_ready, False)):
        s = Situation("us", "medium").only("us").next_card(EVENT)
        s.put("north_vietnam", nva_troops=numbers.get("nva", 0))
        s.put("hue", us_troops=numbers.get("us", 0)).put(
            "saigon", vc_guerrilla=numbers.get("vc", 0)
        )
        if "support" in numbers:  # US: 12 + 34 available > 40
            s.box("outOfPlay", us_troops=6, us_base=6).at("support", saigon=numbers["support"])
            s.put("hue", us_troops=2)
        assert (seat in asked_to_trump(s.play("pass"))) == wanted


def test_7_pivotal_needs_two_cards_in_the_leader_box() -> None:
    s = before_a_card()
    for card in s.pieces.within(s.cells, s.names["leaderBox"])[1:]:
        s.lay_card(card, "discard")
    assert asked_to_trump(s.play("pass")) == []


def test_7_pivotal_needs_its_owner_eligible() -> None:
    s = before_a_card().at("eligible", arvn=False)
    s.at("barred", arvn=2)
    assert "arvn" not in asked_to_trump(s.play("pass"))


def test_7_no_pivotal_event_while_the_card_to_come_is_a_coup() -> None:
    s = before_a_card()
    for pile in range(1, 7):  # the next card to be turned up is a coup
        for card in s.pieces.within(s.cells, s.names[f"pile:{pile}"]):
            s.lay_card(card, "discard")
    s.lay_card(s.cards.first + COUP - 1, "pile:3")
    assert asked_to_trump(s.play("pass")) == []


def test_7_a_pivotal_event_replaces_the_card_and_its_order() -> None:
    s = before_a_card().at("resources", arvn=5).set(aid=1).play("pass").skip_to("$trump")
    while s.decision.seat != "arvn":
        s.play("hold")
    s.play("play")
    assert s.see("resources", "arvn") >= 17
    assert s.see("acted", "arvn")
    while s.decision.name != "action":
        s.play(s.decision.answers[0])
    assert s.decision.seat == "us"  # Vietnamization: ARVN, US, NVA, VC
    assert "event" not in s.options


def test_7_trumped_cards_return_to_their_owners() -> None:
    s = before_a_card("vc").play("pass").skip_to("$trump")
    order: list[str] = []
    while s.decision.name == "$trump":
        order.append(s.decision.seat)
        s.play("play")
    assert [seat for seat in ("us", "nva", "arvn", "vc") if seat in order] == order
    assert order[-1] == "vc"
    held = {seat: s.count_cards(f"pivotal:{seat}") for seat in SEATS}
    assert held == {"us": 1, "arvn": 1, "nva": 1, "vc": 0}


# ---------------------------------------------------------------- capabilities


def strike(**values: tuple[str, ...]) -> Situation:
    s = Situation("us").set(trail=3, **values).put("hue", us_troops=1)
    return s.put("hue", active=True, vc_guerrilla=4).play("patrol", "airStrike")


def test_11_top_gun_degrades_two_boxes() -> None:
    assert strike(unshaded=("topGun",)).play("degrade").see("trail") == 1


@pytest.mark.parametrize("seed", range(6))
def test_11_top_gun_shaded_degrades_on_four_to_six(seed: int) -> None:
    s = Situation("us", seed=seed).set(trail=3, shaded=("topGun",)).put("hue", us_troops=1)
    s.play("patrol", "airStrike", "degrade")
    assert s.see("trail") == (2 if s.rolled()[0] >= 4 else 3)


def test_11_arc_light_strikes_one_province_without_coin_pieces() -> None:
    s = strike(unshaded=("arcLight",))
    assert "tay_ninh" in s.options
    s.play("tay_ninh")
    assert "kien_phong" not in s.options


def test_11_arc_light_shaded_shifts_two_where_two_are_lost() -> None:
    s = strike(shaded=("arcLight",)).at("support", hue=1)
    s.play("hue", Pick("vc_guerrilla", "hue", 2)).finish()
    assert s.see("support", "hue") == -1


def test_11_laser_guided_bombs() -> None:
    s = strike(unshaded=("laser",)).play("hue", Pick("vc_guerrilla", "hue")).finish()
    assert s.see("support", "hue") == 0
    s = strike(shaded=("laser",)).play("hue", Pick("vc_guerrilla", "hue", 2)).finish()
    assert s.count("hue", "vc_guerrilla") == 2


def test_11_abrams_takes_a_base_first() -> None:
    s = Situation("us").set(unshaded=("abrams",)).put("hue", us_troops=1, vc_base=1, vc_guerrilla=1)
    s.play("assault", "hue", Pick("vc_base", "hue")).finish()
    assert (s.count("hue", "vc_base"), s.count("hue", "vc_guerrilla")) == (0, 1)


@pytest.mark.parametrize(
    ("capability", "operation"), [("abrams", "assault"), ("platoons", "sweep")]
)
def test_11_shaded_abrams_and_platoons_limit_the_us_to_two_spaces(
    capability: str, operation: str
) -> None:
    s = Situation("us").set(shaded=(capability,))
    for space in ("hue", "saigon", "da_nang"):
        s.put(space, us_troops=1, nva_troops=1)
    s.play(operation, "hue", "saigon").finish()
    asked = f"${operation}"
    assert sum(event.fields.get("decision") == asked for event in s.events) == 2


def test_11_cords_pacifies_two_spaces_and_shaded_only_to_passive_support() -> None:
    s = Situation("us").set(unshaded=("cords",)).put("hue", us_troops=1).put("saigon", us_troops=1)
    s.at("resources", arvn=60).play("train", "hue", "nobody", "saigon", "nobody", "pacify")
    s.play("hue", 2, "saigon", 1).finish()
    assert (s.see("support", "hue"), s.see("support", "saigon")) == (2, 1)
    s = Situation("us").set(shaded=("cords",)).put("hue", us_troops=1).at("resources", arvn=60)
    assert s.play("train", "hue", "nobody", "pacify", "hue").options == [1]


def test_11_search_and_destroy_takes_an_underground_guerrilla() -> None:
    s = Situation("us").set(unshaded=("searchDestroy",)).put("hue", us_troops=1, vc_guerrilla=2)
    s.play("assault", "hue", Pick("vc_guerrilla", "hue")).finish()
    assert s.count("hue", "vc_guerrilla") == 1


def test_11_search_and_destroy_shaded_shifts_provinces_towards_opposition() -> None:
    s = Situation("arvn").set(shaded=("searchDestroy",)).at("resources", arvn=9)
    s.put("binh_dinh", arvn_troops=3, vc_guerrilla=1).put("hue", arvn_troops=3, vc_guerrilla=1)
    s.play("assault", "binh_dinh", "hue").finish()
    assert (s.see("support", "binh_dinh"), s.see("support", "hue")) == (-1, 0)


def test_11_aaa() -> None:
    s = Situation("us").set(shaded=("aaa",), trail=2).put("hue", us_troops=1)
    s.play("patrol", "airStrike").finish()
    assert all(event.fields.get("decision") != "$bomb" for event in s.events)
    s = Situation("nva").set(unshaded=("aaa",), trail=1).at("resources", nva=9)
    s.play("rally", "gather", "central_laos", "one", "southern_laos", "one").finish()
    assert s.see("trail") == 1
    assert s.see("resources", "nva") == 7


@pytest.mark.parametrize(("side", "most"), [("unshaded", 1), ("shaded", 3)])
def test_11_long_range_guns(side: str, most: int) -> None:
    s = Situation("nva").set(**{side: ("longRange",)}).at("resources", nva=9)
    for space in ("hue", "saigon", "da_nang", "kontum"):
        s.put(space, us_troops=3, nva_troops=3)
    s.play("rally", "bombard")
    for space in ("hue", "saigon", "da_nang")[:most]:
        s.play(space, Pick("us_troops", space))
    assert s.decision.name != "$bombard"
    assert s.count("casualties") == most


def test_11_migs() -> None:
    s = strike(shaded=("migs",)).play("degrade")
    assert s.count("casualties", "us_troops") == 1
    s = strike(shaded=("migs",), unshaded=("topGun",)).play("degrade")
    assert s.count("casualties", "us_troops") == 0


def test_11_sa2s_shaded_improves_the_trail_by_two() -> None:
    s = Situation("nva").set(shaded=("sa2",), trail=1).at("resources", nva=9)
    s.play("rally", "trailOnly", "improve").finish()
    assert s.see("trail") == 3


def test_11_sa2s_unshaded_costs_an_nva_piece_outside_the_south() -> None:
    s = Situation("us").set(unshaded=("sa2",), trail=3).put("hue", us_troops=1, nva_troops=1)
    s.put("central_laos", nva_base=1).play("patrol", "airStrike", "degrade")
    assert (s.decision.name, len(s.options)) == ("$sortie", 1)
    s.play(Pick("nva_base", "central_laos"))
    assert s.count("central_laos", "nva") == 0


def test_11_pt76() -> None:
    s = Situation("nva").set(unshaded=("pt76",)).put("hue", nva_troops=5, arvn_police=3)
    s.at("resources", nva=9).play("attack", "hue", "troops")
    s.play(Pick("arvn_police", "hue"), Pick("arvn_police", "hue")).finish()
    assert (s.count("hue", "nva_troops"), s.count("hue", "arvn_police")) == (4, 1)
    s = Situation("nva").set(shaded=("pt76",)).put("hue", nva_troops=3, arvn_police=3)
    s.at("resources", nva=9).play("attack", "hue", "tanks")
    for _ in range(3):
        s.play(Pick("arvn_police", "hue"))
    assert s.count("hue", "arvn_police") == 0


def test_11_armored_cavalry() -> None:
    s = (
        Situation("arvn")
        .set(unshaded=("cavalry",))
        .put("hue", arvn_troops=2)
        .at("resources", arvn=9)
    )
    s.put("da_nang", active=True, vc_guerrilla=1).play("patrol", "transport", "hue")
    s.play(Pick("arvn_troops", "hue"), "da_nang", Pick("arvn_troops", "hue"), "da_nang")
    s.skip_to("$charge").play("da_nang").finish()
    assert s.count("da_nang", "vc") == 0
    s = Situation("arvn").set(shaded=("cavalry",)).put("hue", arvn_troops=2).at("resources", arvn=9)
    s.put("hue", arvn_ranger=1).play("patrol", "transport", "hue")
    assert len(s.options) == 1  # the ranger


def test_11_mandate_of_heaven() -> None:
    s = Situation("arvn").set(unshaded=("mandate",), aid=9, patronage=0).put("hue", arvn_police=1)
    s.at("support", hue=2).at("resources", arvn=9).play("patrol", "govern", "hue", "blessedGraft")
    assert (s.see("patronage"), s.see("support", "hue")) == (2, 2)
    s = Situation("arvn").set(shaded=("mandate",)).put("hue", arvn_police=1).at("resources", arvn=9)
    s.put("da_nang", arvn_police=1).at("support", hue=2, da_nang=2)
    s.play("patrol", "govern", "hue", "raiseAid")
    assert s.decision.name != "$govern"


def test_11_booby_traps() -> None:
    s = Situation("vc").set(unshaded=("booby",)).at("resources", vc=9)
    s.put("hue", vc_guerrilla=1, arvn_police=1).put("da_nang", vc_guerrilla=1, arvn_police=1)
    s.play("attack", "hue", "ambush", Pick("arvn_police", "hue"), "da_nang")
    assert s.options == ["guerrillas"]


@pytest.mark.parametrize("seed", range(6))
def test_11_booby_traps_shaded_cost_a_sweeping_troop_on_one_to_three(seed: int) -> None:
    s = Situation("us", seed=seed).set(shaded=("booby",)).put("hue", us_troops=2)
    s.play("sweep", "hue").finish()
    assert s.count("hue", "us_troops") == (1 if s.rolled()[0] <= 3 else 2)


def test_11_main_force_battalions() -> None:
    s = Situation("vc").set(unshaded=("mainForce",)).put("quang_nam", vc_guerrilla=2)
    s.at("resources", vc=9).play("march", "loc_hue_da_nang", Pick("vc_guerrilla", "quang_nam", 2))
    assert s.count("loc_hue_da_nang", "vc_guerrilla", hidden=True) == 0
    s = Situation("vc").set(shaded=("mainForce",)).put("hue", vc_guerrilla=1, arvn_police=3)
    s.at("resources", vc=9).play("attack", "hue", "ambush", Pick("arvn_police", "hue"), "again")
    s.play(Pick("arvn_police", "hue")).finish()
    assert s.count("hue", "arvn_police") == 1


def test_11_cadres_cost_two_guerrillas_for_terror() -> None:
    s = Situation("vc").set(unshaded=("cadres",)).put("hue", vc_guerrilla=3).at("resources", vc=9)
    s.put("saigon", vc_guerrilla=1).play("terror")
    assert s.skip_to("$terror").options == ["hue"]
    s.play("hue")
    while s.decision.name == "$cadres":
        s.play(s.decision.answers[0])
    s.finish()
    assert s.count("hue", "vc_guerrilla") == 1


# ---------------------------------------------------------------- momentum


def test_12_wild_weasels_degrade_or_remove_one_piece() -> None:
    s = strike(momentum=("weasels",)).play("hue", Pick("vc_guerrilla", "hue"))
    assert s.finish().count("hue", "vc_guerrilla") == 3
    assert s.see("trail") == 3
    assert strike(momentum=("weasels",)).play("degrade").see("trail") == 2


def test_12_adsid_costs_the_nva_six_whenever_the_trail_changes() -> None:
    s = Situation("nva").set(momentum=("adsid",), trail=1).at("resources", nva=20)
    s.play("rally", "trailOnly", "improve")
    assert s.see("resources", "nva") == 12


@pytest.mark.parametrize("momentum", ["thunder", "daNangMarines", "pause"])
def test_12_no_air_strike(momentum: str) -> None:
    s = Situation("us").set(momentum=(momentum,)).put("hue", us_troops=1).play("patrol")
    assert "airStrike" not in s.options
    assert "airLift" in s.options


def test_12_medevac() -> None:
    s = Situation("us").only("us").next_card(COUP).set(momentum=("medevac",), patronage=0)
    s.put("hue", arvn_police=1).put("saigon", arvn_police=1)
    s.box("casualties", us_troops=6, us_base=1).play("pass").skip_to("$commit")
    assert (s.count("outOfPlay", "us_troops"), s.count("outOfPlay", "us_base")) == (0, 1)
    s = Situation("us").set(momentum=("noLift",)).put("hue", us_troops=1).play("patrol")
    assert "airLift" not in s.options


def test_12_claymores_forbid_ambush_and_cost_a_guerrilla_of_each_group_that_is_seen() -> None:
    s = Situation("vc").set(momentum=("claymores",)).put("quang_nam", vc_guerrilla=4)
    s.at("resources", vc=9).play("march", "loc_hue_da_nang", Pick("vc_guerrilla", "quang_nam", 4))
    assert s.count("loc_hue_da_nang", "vc_guerrilla", hidden=False) == 3
    s = Situation("vc").set(momentum=("claymores",)).put("hue", vc_guerrilla=1, us_troops=1)
    assert s.at("resources", vc=9).play("attack", "hue").options == ["guerrillas"]


def test_12_mcnamara_line_bars_infiltrate_and_the_trail() -> None:
    s = Situation("nva").set(momentum=("mcNamara",), trail=1).put("central_laos", nva_base=1)
    s.at("resources", nva=9).play("rally")
    assert "infiltrate" not in s.options
    s.play("central_laos", "one").finish()
    assert s.see("trail") == 1


def test_12_oriskany_keeps_the_trail_from_being_degraded() -> None:
    s = strike(momentum=("oriskany",))
    assert s.finish().see("trail") == 3
    assert all(event.fields.get("decision") != "$bomb" for event in s.events)


def test_12_559th_transport_group_infiltrates_one_space() -> None:
    s = Situation("nva").set(momentum=("transportGroup",)).at("resources", nva=9)
    s.put("central_laos", nva_base=1).put("southern_laos", nva_base=1)
    s.play("rally", "infiltrate", "central_laos", "reinforce", 1)
    assert s.decision.name != "$infiltrate"


def test_12_body_count_makes_assault_free_and_pays_for_guerrillas() -> None:
    s = Situation("arvn").set(momentum=("bodyCount",), aid=0).at("resources", arvn=0)
    s.put("hue", arvn_troops=4).put("hue", active=True, vc_guerrilla=2)
    s.play("assault", "hue").finish()
    assert (s.see("aid"), s.see("resources", "arvn")) == (6, 0)


def test_12_general_lansdale_bars_us_assault() -> None:
    s = Situation("us").set(momentum=("lansdale",)).put("hue", us_troops=1, nva_troops=1)
    assert "assault" not in s.options


def test_12_typhoon_kate() -> None:
    s = Situation("vc").set(momentum=("typhoon",)).at("resources", vc=9)
    s.put("hue", vc_guerrilla=1).put("da_nang", vc_guerrilla=1).play("rally", "tax", "hue")
    assert s.decision.name != "$tax"
    s = Situation("us").set(momentum=("typhoon",)).put("hue", us_troops=1).play("patrol")
    assert "airLift" not in s.options
    s = Situation("arvn").set(momentum=("typhoon",)).put("hue", arvn_troops=1)
    assert "transport" not in s.at("resources", arvn=9).play("patrol").options
    s = Situation("nva").set(momentum=("typhoon",)).put("hue", us_troops=3, nva_troops=3)
    assert "bombard" not in s.at("resources", nva=9).play("rally").options
