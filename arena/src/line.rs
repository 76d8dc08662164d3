//! [`Line`]: a game that moves can be taken back from.

use games::{History, Move, Position};

/// The moves of a game from some position on.
#[derive(Debug, Clone)]
pub struct Line {
    start: Position,
    moves: Vec<Move>,
    state: History,
}

impl Line {
    /// No move played from `start`.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { state: History::new(start.clone()), moves: Vec::new(), start }
    }

    /// The position that the line starts from.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The whole moves played, the first one first.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The game now, with its past.
    #[must_use]
    pub fn state(&self) -> &History {
        &self.state
    }

    /// Plays `chosen`, which must be legal.
    pub fn play(&mut self, chosen: Move) {
        play_move(&mut self.state, &chosen);
        self.moves.push(chosen);
    }

    /// Takes the last move back, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        self.state = History::new(self.start.clone());
        for played in &self.moves {
            play_move(&mut self.state, played);
        }
        Some(last)
    }

    /// The position before the last move, if there is one.
    #[must_use]
    pub fn before_last(&self) -> Option<Position> {
        let (_, earlier) = self.moves.split_last()?;
        let mut position = self.start.clone();
        earlier.iter().for_each(|played| position.play_move(played));
        Some(position)
    }

    /// The texts of the moves.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let text = |played: &Move| {
            let text = position.move_text(played);
            position.play_move(played);
            text
        };
        self.moves.iter().map(text).collect()
    }
}

/// Plays all steps of `chosen`.
pub(crate) fn play_move(state: &mut History, chosen: &Move) {
    use games::State as _;
    chosen.steps().iter().for_each(|&step| state.play(step));
}
