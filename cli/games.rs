//! `raja games`: the catalogue.

use std::io::Write;

use games::Game;
use serde_json::json;

use crate::failure::Verdict;
use crate::input;

/// List the games: id, title, family, cells, edition
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    if args.json {
        let games: Vec<_> = Game::all()
            .iter()
            .map(|game| {
                json!({
                    "id": game.id,
                    "title": game.title,
                    "family": game.family,
                    "cells": game.geometry.cell_count(),
                    "edition": game.edition,
                })
            })
            .collect();
        input::write_json(&games, out)?;
        return Ok(Verdict::Done);
    }
    let width = |text: fn(&Game) -> &str| {
        Game::all().iter().map(|g| text(g).chars().count()).max().unwrap_or(0)
    };
    let (id, title, family) = (width(|g| g.id), width(|g| g.title), width(|g| g.family));
    for game in Game::all() {
        let cells = game.geometry.cell_count();
        writeln!(
            out,
            "{:id$}  {:title$}  {:family$}  {cells:>3} cells  {}",
            game.id, game.title, game.family, game.edition
        )?;
    }
    Ok(Verdict::Done)
}
