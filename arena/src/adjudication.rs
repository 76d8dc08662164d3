//! [`Adjudication`]: ending games early where both players agree how they end.

use games::Side;

/// When a game is ended before its rules do. Both players must agree, so it takes two players that
/// give an opinion ([`crate::Player::opinion`]): networks, `mcts` and UCI engines do, the others never
/// agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjudication {
    /// A game is won when both players expect the same side to score this much at least, on a
    /// scale from -1 (lost) to 1 (won).
    pub resign: Option<f32>,
    /// A game is drawn when neither player expects either side to score more than this.
    pub draw: Option<f32>,
    /// For so many plies in a row.
    pub plies: u32,
}

impl Default for Adjudication {
    /// Games are played out.
    fn default() -> Self {
        Self { resign: None, draw: None, plies: 8 }
    }
}

/// A setting that is out of range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{setting}: expected {expected}, found {found}")]
pub struct AdjudicationError {
    /// `resign`, `draw` or `plies`.
    pub setting: &'static str,
    /// What is taken.
    pub expected: &'static str,
    /// What was given.
    pub found: String,
}

impl Adjudication {
    /// Refuses settings that would end games at once, or never.
    ///
    /// # Errors
    /// If one is out of range.
    pub fn check(&self) -> Result<(), AdjudicationError> {
        let refuse =
            |setting, expected, found: String| Err(AdjudicationError { setting, expected, found });
        match *self {
            Self { resign: Some(score), .. } if !(score > 0.0 && score <= 1.0) => {
                refuse("resign", "a score above 0 and up to 1", score.to_string())
            }
            Self { draw: Some(score), .. } if !(0.0..1.0).contains(&score) => {
                refuse("draw", "a score from 0 to below 1", score.to_string())
            }
            Self { plies, .. } if !(2..=1000).contains(&plies) => {
                refuse("plies", "a number from 2 to 1000", plies.to_string())
            }
            _ => Ok(()),
        }
    }
}

/// How the players of one game have judged it lately.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Opinions {
    /// What each side expects White to score.
    latest: [Option<f32>; 2],
    /// Plies in a row that both have seen White win, Black win, neither.
    agreed: [u32; 3],
}

impl Opinions {
    /// Takes the opinion that `mover` had of its own move, after the move. Returns what White
    /// scores (1, 0 or -1) if that ends the game.
    pub(crate) fn after_move(
        &mut self,
        rules: &Adjudication,
        mover: Side,
        opinion: Option<f32>,
    ) -> Option<i8> {
        if rules.resign.is_none() && rules.draw.is_none() {
            return None;
        }
        if let Some(score) = opinion {
            let white = if mover == Side::White { score } else { -score };
            self.latest[usize::from(mover == Side::Black)] = Some(white);
        }
        let &[Some(a), Some(b)] = &self.latest else { return None };
        let (least, most) = (a.min(b), a.max(b));
        let holds = [
            rules.resign.is_some_and(|score| least >= score),
            rules.resign.is_some_and(|score| most <= -score),
            rules.draw.is_some_and(|score| most <= score && least >= -score),
        ];
        for (agreed, holds) in self.agreed.iter_mut().zip(holds) {
            *agreed = if holds { *agreed + 1 } else { 0 };
        }
        let ended = self.agreed.iter().position(|&plies| plies >= rules.plies)?;
        Some([1, -1, 0][ended])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Adjudication = Adjudication { resign: Some(0.9), draw: Some(0.05), plies: 4 };

    /// The ply after which a game ends in which White and Black take turns to say what they expect
    /// White to score, and what White scores.
    fn ended(rules: Adjudication, said: &[[f32; 2]]) -> Option<(usize, i8)> {
        let mut opinions = Opinions::default();
        let plies = said.iter().flatten().enumerate();
        plies
            .map(|(ply, &white)| {
                let mover = Side::ALL[ply % 2];
                let mine = if mover == Side::White { white } else { -white };
                (ply, opinions.after_move(&rules, mover, Some(mine)))
            })
            .find_map(|(ply, score)| Some((ply, score?)))
    }

    #[test]
    fn a_game_ends_when_both_have_agreed_for_long_enough() {
        assert_eq!(ended(RULES, &[[0.95, 0.9]; 4]), Some((4, 1)));
        assert_eq!(ended(RULES, &[[-0.95, -1.0]; 4]), Some((4, -1)));
        assert_eq!(ended(RULES, &[[0.02, -0.05]; 4]), Some((4, 0)));
        assert_eq!(ended(RULES, &[[0.95, 0.5]; 40]), None);
        assert_eq!(ended(RULES, &[[1.0, -1.0]; 40]), None);
        // A doubt in between starts the count anew.
        let doubt = [[1.0, 1.0], [1.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]];
        assert_eq!(ended(RULES, &doubt), Some((8, 1)));
    }

    #[test]
    fn what_is_off_ends_no_game() {
        assert_eq!(ended(Adjudication::default(), &[[1.0, 1.0]; 40]), None);
        assert_eq!(ended(Adjudication { resign: None, ..RULES }, &[[1.0, 1.0]; 40]), None);
        assert_eq!(ended(Adjudication { draw: None, ..RULES }, &[[0.0, 0.0]; 40]), None);
        let mut opinions = Opinions::default();
        for ply in 0..40 {
            let white = (ply % 2 == 0).then_some(1.0);
            assert_eq!(opinions.after_move(&RULES, Side::ALL[ply % 2], white), None, "one is mute");
        }
    }

    #[test]
    fn impossible_settings_are_refused() {
        assert_eq!(RULES.check(), Ok(()));
        assert_eq!(Adjudication::default().check(), Ok(()));
        let refused = |rules: Adjudication| rules.check().unwrap_err().to_string();
        assert_eq!(
            refused(Adjudication { resign: Some(0.0), ..RULES }),
            "resign: expected a score above 0 and up to 1, found 0"
        );
        assert_eq!(
            refused(Adjudication { draw: Some(f32::NAN), ..RULES }),
            "draw: expected a score from 0 to below 1, found NaN"
        );
        assert_eq!(
            refused(Adjudication { plies: 0, ..RULES }),
            "plies: expected a number from 2 to 1000, found 0"
        );
    }
}
