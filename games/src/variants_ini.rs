//! [`variants_ini`]: the games of the catalogue as far as Fairy-Stockfish can be told of them.

use std::fmt::Write as _;

use crate::{Dialect, Game};

/// The games that Fairy-Stockfish plays by the same names without being told.
pub(crate) const OWN: [&str; 2] = ["chess", "shogi"];

/// What Fairy-Stockfish can be told of a game.
#[derive(Debug)]
pub(crate) enum Variant {
    /// Everything but what `lacks` lists, by these options, a line each, none for a game that is
    /// its own; the start is not among them.
    Expressed { options: String, lacks: Vec<String> },
    /// Nothing, for this reason.
    Inexpressible(String),
}

/// What the file says of itself.
const ABOUT: &str = "\
# The games of raja as variants of Fairy-Stockfish, written by `raja uci --variants-ini`.
#
# A game that is expressed has the same legal moves in raja and in Fairy-Stockfish, in all positions
# in which nothing of what it lacks has a part. A section starts without the rights that it lacks.
# Boards of more than eight files or ranks need a build for large boards. Releases before March 2023
# read promotionRank and doubleStepRank, later ones the regions.
#
";

/// The variants file of Fairy-Stockfish (`VariantPath`) for all listed games: what of each can be
/// expressed, as comments, and a section for each of which something can. Positions and moves of
/// these are those of [`Dialect::Uci`].
///
/// ```
/// let file = games::variants_ini();
/// assert!(file.contains("# chess: expressed"));
/// assert!(file.contains("\n[agc]\n"));
/// ```
#[must_use]
pub fn variants_ini() -> String {
    let (mut said, mut sections) = (ABOUT.to_owned(), String::new());
    for game in Game::all() {
        said.push_str(&verdict(game));
        if let Variant::Expressed { options, .. } = &game.variant
            && !options.is_empty()
        {
            // Writing to a String cannot fail.
            let _ = write!(sections, "\n[{}]\nstartFen = {}\n{options}", game.id, start(game));
        }
    }
    said + &sections
}

/// What of `game` is expressed, as comments.
fn verdict(game: &Game) -> String {
    let id = game.id;
    let (options, lacks) = match &game.variant {
        Variant::Inexpressible(reason) => {
            return format!("# {id}: cannot be expressed: {reason}\n");
        }
        Variant::Expressed { options, lacks } => (options, lacks),
    };
    let own = if options.is_empty() { " by its own variant" } else { "" };
    let but = if lacks.is_empty() { "" } else { " but for" };
    let lacks: String = lacks.iter().map(|lack| format!("#     {lack}\n")).collect();
    format!("# {id}: expressed{own}{but}\n{lacks}")
}

/// The start without rights of kings and rooks.
fn start(game: &Game) -> String {
    let fen = Dialect::Uci.fen(&game.start());
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = "-";
    fields.join(" ")
}
