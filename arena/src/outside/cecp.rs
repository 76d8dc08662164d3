//! CECP, the protocol of XBoard, in its second version.

use std::time::{Duration, Instant};

use games::{Dialect, Game, Side};

use super::process::{Fault, Process, shortened};
use super::{Answer, Engine, READY, Said, Situation, does_not_play};

/// A conversation by this protocol.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    features: Features,
    /// How many moves of the game the program knows, its own included.
    told: usize,
    pings: u32,
    /// Whether a game has been begun.
    has_played: bool,
}

/// A program that says no more about features for so long has said all, unless it has asked for time.
const SILENCE: Duration = Duration::from_secs(2);

/// What a program says that it can do.
#[derive(Debug)]
struct Features {
    ping: bool,
    setboard: bool,
    /// Whether moves are told with a word in front.
    usermove: bool,
    /// Whether it wants to know the time.
    time: bool,
    /// Whether it plays another game after the first one.
    reuse: bool,
    variants: Vec<String>,
    /// Whether anything has been said.
    begun: bool,
    /// Whether that is all, if it is said.
    done: Option<bool>,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            reuse: true,
            variants: vec![Dialect::NORMAL.to_owned()],
            begun: false,
            done: None,
        }
    }
}

impl Features {
    /// Takes what a line says about features; the names that are to be accepted, and refused.
    fn take(&mut self, line: &str) -> Vec<String> {
        let Some(rest) = line.strip_prefix("feature ") else { return Vec::new() };
        self.begun = true;
        let mut replies = Vec::new();
        for (name, value) in assignments(rest) {
            let on = value == "1";
            match name {
                "ping" => self.ping = on,
                "setboard" => self.setboard = on,
                "usermove" => self.usermove = on,
                "time" => self.time = on,
                "reuse" => self.reuse = on,
                "variants" => {
                    self.variants = value.split(',').map(|name| name.trim().to_owned()).collect();
                }
                "done" => self.done = Some(on),
                _ => {}
            }
            // Moves are told by their cells.
            let reply = if name == "san" && on { "rejected" } else { "accepted" };
            replies.push(format!("{reply} {name}"));
        }
        replies
    }
}

/// The `name=value` pairs in `text`; values may be quoted.
fn assignments(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (name, after) = rest.trim_start().split_once('=')?;
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        rest = left;
        Some((name, value))
    })
}

impl Conversation {
    /// Makes the acquaintance of a program and looks whether it plays `game`.
    pub(super) fn greet(&mut self, process: &mut Process, game: &Game) -> Result<(), Fault> {
        process.tell("xboard")?;
        process.tell("protover 2")?;
        let deadline = Instant::now() + READY;
        while self.features.done != Some(true) {
            let may_be_all = self.features.begun && self.features.done.is_none();
            let silence = Instant::now() + SILENCE;
            let until = if may_be_all { silence.min(deadline) } else { deadline };
            match process.hear("protover 2", until)? {
                Some(line) if Instant::now() < deadline => {
                    let replies = self.features.take(&line);
                    replies.iter().try_for_each(|reply| process.tell(reply))?;
                }
                _ if may_be_all => break,
                _ => return Err(process.has_not_answered("protover 2", READY)),
            }
        }
        let Features { ping, setboard, ref variants, .. } = self.features;
        if !ping || !setboard {
            let missing = if ping { "setboard" } else { "ping" };
            return Err(Fault(format!("does not have the feature {missing}")));
        }
        if !variants.contains(&Dialect::Cecp.variant(game).into_owned()) {
            return Err(does_not_play(game, variants));
        }
        self.synchronise(process)
    }

    /// Begins a game that stands at `start`, the usual one if there is none.
    pub(super) fn begin(
        &mut self,
        process: &mut Process,
        engine: &Engine,
        start: Option<&str>,
    ) -> Result<(), Fault> {
        (self.told, self.has_played) = (0, true);
        process.tell("new")?;
        let variant = Dialect::Cecp.variant(engine.game);
        if variant != Dialect::NORMAL {
            process.tell(&format!("variant {variant}"))?;
        }
        // It is to move when it is told to, and not to think at other times.
        process.tell("force")?;
        process.tell("easy")?;
        if let Some(fen) = start {
            process.tell(&format!("setboard {fen}"))?;
        }
        match engine.time() {
            Some(time) if is_whole(time) => process.tell(&format!("st {}", time.as_secs()))?,
            // Sessions of one move each, the time for which is told each time.
            Some(time) => {
                let seconds = time.as_secs() + 1;
                process.tell(&format!("level 1 {}:{:02} 0", seconds / 60, seconds % 60))?;
            }
            None => {}
        }
        self.synchronise(process)
    }

    /// Asks for a move.
    pub(super) fn go(
        &mut self,
        process: &mut Process,
        engine: &Engine,
        patience: Duration,
        situation: &Situation<'_>,
    ) -> Result<Said, Fault> {
        for text in &situation.moves[self.told..] {
            match self.features.usermove {
                true => process.tell(&format!("usermove {text}"))?,
                false => process.tell(text)?,
            }
        }
        if self.features.time
            && let Some(time) = engine.time()
            && !is_whole(time)
        {
            let hundredths = time.as_millis().div_ceil(10);
            process.tell(&format!("time {hundredths}"))?;
            process.tell(&format!("otim {hundredths}"))?;
        }
        let answer = process.ask("go", patience, |line| answer(line, situation.mover))??;
        process.tell("force")?;
        self.told = situation.moves.len() + 1;
        Ok(Said { answer, opinion: None })
    }

    /// Whether the program plays another game.
    pub(super) fn plays_on(&self) -> bool {
        self.features.reuse || !self.has_played
    }

    /// Waits until the program has done all that it was told.
    fn synchronise(&mut self, process: &mut Process) -> Result<(), Fault> {
        self.pings += 1;
        let expected = format!("pong {}", self.pings);
        process.ask(&format!("ping {}", self.pings), READY, |line| (line == expected).then_some(()))
    }
}

/// Whether `time` can be told in seconds.
fn is_whole(time: Duration) -> bool {
    time.subsec_nanos() == 0
}

/// What a line says about the move that `mover` is to make, if anything.
fn answer(line: &str, mover: Side) -> Option<Result<Answer, Fault>> {
    let lost = match mover {
        Side::White => "0-1",
        Side::Black => "1-0",
    };
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    match words.as_slice() {
        ["move", text, ..] => Some(Ok(Answer::Move((*text).to_owned()))),
        ["resign", ..] | ["tellics", "resign", ..] => Some(Ok(Answer::Resigns)),
        [result, ..] if *result == lost => Some(Ok(Answer::Resigns)),
        // Draws are not claimed but found, by those who keep the game: its move is waited for.
        ["1-0" | "0-1", ..] => {
            Some(Err(Fault(format!("said `{}`, but the game goes on", shortened(line)))))
        }
        ["Illegal", "move:" | "move", ..] => {
            Some(Err(Fault(format!("said `{}` to a legal move", shortened(line)))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_taken_with_and_without_quotes() {
        let mut features = Features::default();
        let line =
            r#"feature ping=1 setboard=1 san=1 myname="a b=c" variants="normal, shogi" time=0"#;
        let replies = features.take(line);
        let names = ["ping", "setboard", "san", "myname", "variants", "time"];
        let expected = names.map(|name| match name {
            "san" => "rejected san".to_owned(),
            _ => format!("accepted {name}"),
        });
        assert_eq!(replies, expected);
        assert!(features.ping && features.setboard && !features.usermove && !features.time);
        assert_eq!(features.variants, ["normal", "shogi"]);
        features.take("feature done=0");
        assert_eq!(features.done, Some(false));
        features.take("feature option=\"Hash -spin 16 1 4\" done=1");
        assert_eq!(features.done, Some(true));
        for garbage in ["feature", "feature ", "feature x", "feature =", "feature a=\"b", "done=0"]
        {
            features.take(garbage);
        }
        assert_eq!(features.done, Some(true));
        assert!(features.reuse);
        features.take("feature reuse=0");
        assert!(!features.reuse);
    }

    #[test]
    fn answers_are_moves_resignations_and_false_claims() {
        let is = |line: &str, mover| answer(line, mover).map(|found| found.map_err(|f| f.0));
        let (white, black) = (Side::White, Side::Black);
        assert_eq!(is("move e7e8q", white), Some(Ok(Answer::Move("e7e8q".to_owned()))));
        for line in ["resign", "tellics resign", "0-1 {White resigns}"] {
            assert_eq!(is(line, white), Some(Ok(Answer::Resigns)));
        }
        assert_eq!(is("1-0 {Black resigns}", black), Some(Ok(Answer::Resigns)));
        let claim = "said `1-0 {mate}`, but the game goes on";
        assert_eq!(is("1-0 {mate}", white), Some(Err(claim.to_owned())));
        let claim = "said `Illegal move: e2e4` to a legal move";
        assert_eq!(is("Illegal move: e2e4", white), Some(Err(claim.to_owned())));
        let others = ["", "1 20 3 400 e2e4", "# move e2e4", "movee2e4", "setup (P) 8x8"];
        for line in others.into_iter().chain(["1/2-1/2 {insufficient material}", "offer draw"]) {
            assert_eq!(is(line, white), None, "{line}");
        }
    }
}
