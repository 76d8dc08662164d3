//! The tests of the rules, one program. What can be said of every game is said of `Game::all()`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

/// Hot paths allocate nothing.
mod allocations;
/// Bermuda chess, ruling by ruling, and which position strings it refuses.
mod bermuda;
/// What brilliant chess does, ruling by ruling, and which position strings it refuses.
mod brilliant;
/// What the captures of cheskers do, ruling by ruling, and which position strings it refuses.
mod cheskers;
/// Chips: groups, kings in hand, doubling, adjudication; and which position strings it refuses.
mod chips;
/// What has to hold of every game, on the positions of its vectors and in random games.
mod conformance;
/// What cubic chess and nihongi do, ruling by ruling, and which position strings they refuse.
mod cubic;
/// English draughts, rule by rule, and which position strings it refuses.
mod english_draughts;
/// What evaluations are remembered by.
mod evaluation_keys;
/// Texts that are nearly right, and what has to hold of them; shared with the long tests.
mod fuzz;
/// Games as text.
mod game_texts;
/// What the rulings of the games on 10x10 say, and which position strings they refuse.
mod grand;
/// The members of a family of games, listed or not.
mod mgc1;
/// Steps after which the game surely goes on.
mod open_steps;
/// The pages for players.
mod pages;
/// Node counts from the rulebook pages and, for control games, from elsewhere.
mod perft;
/// How many pieces of each kind a side has.
mod pieces;
/// Input planes.
mod planes;
/// One short game of each game as text; shared with the example that writes the files.
mod playthrough;
/// Those texts have not changed.
mod playthroughs;
/// Omino, Nomino and Doseki, ruling by ruling, and which position strings they refuse.
mod polyforms;
/// Sets, position strings and move texts under random input.
mod properties;
/// Pyramids in all variants, ruling by ruling, and which position strings they refuse.
mod pyramids;
/// Games that people have played.
mod recorded;
/// Positions that recur, counted over whole games.
mod repetition;
/// Positions to test on.
mod sample;
/// Shogi: drops, pieces that turn over, perpetual check.
mod shogi;
/// Positions, moves and messages by their texts.
mod support;
/// Positions under a map of the board, written through their position strings.
mod turned;
/// The variants file for another program.
mod variants;
/// Vectors and traces: the lists, counts and games that independent implementations agree on.
mod vectors;
