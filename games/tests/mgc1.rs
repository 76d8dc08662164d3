//! The family of Modern Grand Chess, first edition, of which only three members are listed
//! (rulebook page mgc1.md).

use std::collections::BTreeSet;

use games::{Game, State};

use crate::sample;

/// The kinds that may be left out, in the order of names.
const KINDS: &str = "PHNBECRGMFQ";

/// The name of the member without the kinds whose bits are set, in the order of names.
fn name(left_out: u32) -> String {
    let letters = (0..).zip(KINDS.chars()).filter(|(bit, _)| left_out >> bit & 1 != 0);
    "mgc1-no-".chars().chain(letters.map(|(_, letter)| letter)).collect()
}

#[test]
fn names_are_brought_into_order() {
    for (asked, id) in [
        ("mgc1-no-PQ", "mgc1-no-PQ"),
        ("mgc1-no-QP", "mgc1-no-PQ"),
        ("mgc1-no-QFMGRCEBNHP", "mgc1-no-PHNBECRGMFQ"),
        ("mgc1-no-GEN", "mgc1-incomplete"),
        ("mgc1-no-NECGMQ", "mgc1-simple"),
    ] {
        assert_eq!(Game::by_id(asked).unwrap().id, id);
    }
    let twice = ["mgc1-no-HB", "mgc1-no-BH"].map(|id| Game::by_id(id).unwrap());
    assert!(std::ptr::eq(twice[0], twice[1]), "made once");
    assert!(Game::all().iter().all(|game| game.id != "mgc1-no-HB"), "not listed");
    assert!(std::ptr::eq(twice[0].start().game(), twice[0]));
}

#[test]
fn sets_that_are_not_offered_are_refused_in_words() {
    let queens = "without P and C the queens attack both kings from the start, \
                  so Q has to be left out too";
    for (id, problem) in [
        ("mgc1-no-", "`mgc1-no-` is followed by some of PHNBECRGMFQ"),
        ("mgc1-no-K", "`mgc1-no-` is followed by some of PHNBECRGMFQ, not `K`"),
        ("mgc1-no-q", "`mgc1-no-` is followed by some of PHNBECRGMFQ, not `q`"),
        ("mgc1-no-Hé", "`mgc1-no-` is followed by some of PHNBECRGMFQ, not `é`"),
        ("mgc1-no-HBH", "`H` is left out twice"),
        ("mgc1-no-PC", queens),
        ("mgc1-no-CHP", queens),
    ] {
        let refused = Game::by_id(id).unwrap_err();
        assert_eq!(refused.to_string(), format!("unknown game `{id}`: {problem}"));
    }
    let unknown = Game::by_id("mgc1-without-P").unwrap_err().to_string();
    assert!(unknown.starts_with("unknown game `mgc1-without-P`: the games are chess, "));
    assert!(unknown.ends_with(" and mgc1-no-LETTERS"), "{unknown}");
}

/// Ruling 9.
#[test]
fn pawns_cardinals_and_queens_keep_the_kings_apart() {
    let [pawns, cardinals, queens] = ['P', 'C', 'Q'].map(|kind| 1 << KINDS.find(kind).unwrap());
    let excluded = (0..1 << KINDS.len())
        .filter(|set| set & pawns != 0 && set & cardinals != 0 && set & queens == 0);
    let refused = excluded.filter(|&set| Game::by_id(&name(set)).is_err()).count();
    assert_eq!(refused, 256);
}

#[test]
fn members_play_with_the_kinds_that_are_left() {
    /// Far enough apart to be quick, and sharing no factor with a power of two.
    const STRIDE: usize = 31;
    let all = (1 << KINDS.len()) - 1;
    let single = (0..KINDS.len()).map(|bit| 1 << bit);
    let mut ids = BTreeSet::new();
    for set in (1..all).step_by(STRIDE).chain(single).chain([all, all - 1]) {
        let Ok(game) = Game::by_id(&name(set)) else { continue };
        ids.insert(game.id);
        let left_out: Vec<char> =
            (0..).zip(KINDS.chars()).filter(|(bit, _)| set >> bit & 1 != 0).map(|b| b.1).collect();
        let start = game.start();
        let fen = start.fen();
        let placement = fen.split(' ').next().unwrap().to_ascii_uppercase();
        for kind in KINDS.chars() {
            assert_eq!(placement.contains(kind), !left_out.contains(&kind), "{}: {fen}", game.id);
        }
        assert_eq!(game.parse_fen(&fen).map(|same| same.key()), Ok(start.key()), "{}", game.id);
        assert_eq!(start.outcome(), None, "{}", game.id);
        assert!(
            game.kinds.iter().all(|kind| !kind.starts_with('=') || !kind.ends_with(&left_out[..])),
            "{}: {:?}",
            game.id,
            game.kinds
        );
        sample::random_game(game, 5, &mut |history| {
            let fen = history.position().fen();
            let same = game.parse_fen(&fen).unwrap();
            assert_eq!(same.key(), history.position().key(), "{}: {fen}", game.id);
        });
    }
    assert!(ids.len() > 50, "{ids:?}");
}

#[test]
fn pawns_promote_to_what_is_left_or_stay_pawns() {
    let fen = "k9/8P1/10/10/10/10/10/10/10/4K5 w - - - 0 1";
    let arrivals = |id| {
        let texts = Game::by_id(id).unwrap().parse_fen(fen).unwrap().move_texts().unwrap();
        texts.into_iter().filter(|text| text.starts_with("i9i10")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(arrivals("mgc1-simple"), "i9i10=B i9i10=F i9i10=H i9i10=R");
    assert_eq!(arrivals("mgc1-no-NBECRGMFQ"), "i9i10=H");
    assert_eq!(arrivals("mgc1-no-HNBECRGMFQ"), "i9i10");
    // There they may step along the rank; where they have to promote none ever stands.
    let arrived = "k7P1/10/10/10/10/10/10/10/10/4K5 w - - - 0 1";
    let lone = Game::by_id("mgc1-no-HNBECRGMFQ").unwrap().parse_fen(arrived).unwrap();
    let texts = lone.move_texts().unwrap();
    assert!(texts.starts_with(&["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"].map(str::to_owned)));
    assert_eq!(texts[5..], ["i10h10", "i10k10"]);
    let refused = Game::by_id("mgc1").unwrap().parse_fen(arrived).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "bad FEN, column 3 (placement): a white pawn cannot stand on i10"
    );
}
