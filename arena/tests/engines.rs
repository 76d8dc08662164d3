//! Other programs as players, and all that they may do wrong.

use std::fs::File;
use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::time::Duration;

use arena::{Entrant, Match, MatchSettings, Patience, PlayedGame, PlayerSpec, Solo};
use games::{Dialect, Game, History, Position};

use crate::support::{GO_ON, book, entrant, game};

/// What the made-up engine is told by: how it misbehaves, in its how manieth search.
const BEHAVIOUR: &str = "MADE_UP_ENGINE";

/// A file whose existence shows that it has misbehaved before and is not to do so again.
const ONCE: &str = "MADE_UP_ENGINE_ONCE";

/// A command that runs [`made_up_engine`].
fn command(behaviour: &str, once: Option<&Path>) -> String {
    let program = std::env::current_exe().unwrap();
    let once = once.map(|path| format!("{ONCE}={}", path.display())).unwrap_or_default();
    let [test, program] = ["engines::made_up_engine", program.to_str().unwrap()];
    format!("env {BEHAVIOUR}={behaviour} {once} {program} --exact {test} --nocapture")
}

/// Not a test but an engine that plays the first legal move, when it is told to be one. What the
/// test harness prints is garbage that players have to overlook.
#[test]
#[allow(clippy::print_stdout, reason = "engines talk")]
fn made_up_engine() {
    let Ok(behaviour) = std::env::var(BEHAVIOUR) else { return };
    println!();
    let mut engine = MadeUp { behaviour, searches: 0, games: 0, position: game("chess").start() };
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "quit" => break,
            "accepted" if rest == "ping" && engine.behaviour == "hesitates" => {
                println!("feature setboard=1 usermove=1");
            }
            "uci" | "protover" => engine.introduce(word),
            "isready" => println!("readyok"),
            "setoption" => engine.choose(rest.rsplit(' ').next().unwrap()),
            "position" => engine.set_up(rest),
            "ucinewgame" => engine.begin(),
            "new" => {
                engine.begin();
                engine.choose("chess");
            }
            "variant" => engine.choose(rest),
            "ping" => println!("pong {rest}"),
            "setboard" => engine.position = engine.read(Dialect::Cecp, rest),
            "usermove" => engine.play(Dialect::Cecp, rest),
            "go" => engine.go(rest.is_empty()),
            _ => {}
        }
    }
}

struct MadeUp {
    behaviour: String,
    searches: u32,
    games: u32,
    position: Position,
}

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "engines talk")]
impl MadeUp {
    fn introduce(&self, protocol: &str) {
        let ids: Vec<&str> = Game::all().iter().map(|game| game.id).collect();
        match (protocol, self.behaviour.as_str()) {
            ("uci", "plain") => println!("uciok"),
            ("uci", _) => {
                let variants = ids.join(" var ");
                println!("option name UCI_Variant type combo default chess var {variants}\nuciok");
            }
            (_, "plain") => println!("feature ping=1 done=1"),
            // It goes on when it has been answered.
            (_, "hesitates") => println!("feature ping=1"),
            (_, "once") => println!("feature ping=1 setboard=1 usermove=1 reuse=0 done=1"),
            _ => println!(
                "feature ping=1 setboard=1 usermove=1 variants=\"normal,{}\" done=1",
                ids.join(",")
            ),
        }
    }

    fn begin(&mut self) {
        self.games += 1;
        if self.games == 2 && self.behaviour == "leaves" {
            std::process::exit(0);
        }
    }

    fn choose(&mut self, id: &str) {
        self.position = game(id).start();
    }

    fn read(&self, dialect: Dialect, fen: &str) -> Position {
        dialect.parse_fen(self.position.game(), fen).unwrap()
    }

    fn play(&mut self, dialect: Dialect, text: &str) {
        let chosen = dialect.parse_move(&self.position, text).unwrap();
        self.position.play_move(&chosen);
    }

    fn set_up(&mut self, text: &str) {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        self.position = match start.strip_prefix("fen ") {
            Some(fen) => self.read(Dialect::Uci, fen),
            None => self.position.game().start(),
        };
        moves.split_whitespace().for_each(|text| self.play(Dialect::Uci, text));
    }

    fn go(&mut self, is_cecp: bool) {
        let (word, dialect) = match is_cecp {
            true => ("move", Dialect::Cecp),
            false => ("bestmove", Dialect::Uci),
        };
        self.searches += 1;
        if self.searches == 3 && is_to_misbehave() {
            self.misbehave(word);
        }
        if self.games > 1 && self.behaviour == "once" {
            println!("{word} a1a1");
        }
        let first = self.position.moves().unwrap().swap_remove(0);
        println!("info depth 1 score cp 20\n{word} {}", dialect.move_text(&self.position, &first));
        if is_cecp {
            self.position.play_move(&first);
        }
    }

    fn misbehave(&self, word: &str) {
        match self.behaviour.as_str() {
            "dies" => {
                eprintln!("out of memory");
                std::process::exit(3);
            }
            "hangs" => std::thread::sleep(Duration::from_secs(3600)),
            "late" => std::thread::sleep(2 * SHORT),
            "illegal" => println!("{word} a1a1"),
            "garbage" => {
                let bytes = [&[0, 255, 200, b'\n'][..], &[b'x'; 200_000], b"\n"].concat();
                std::io::stdout().lock().write_all(&bytes).unwrap();
                println!("{word}s e2e4\n{word} \u{7}%s");
            }
            "floods" => loop {
                println!("info string more and more");
            },
            "claims" => println!("1/2-1/2 {{insufficient material}}"),
            "resigns" if word == "move" => println!("resign"),
            "resigns" => println!("{word} resign"),
            _ => {}
        }
    }
}

fn is_to_misbehave() -> bool {
    std::env::var_os(ONCE).is_none_or(|path| File::create_new(path).is_ok())
}

/// How long engines are waited for that do not answer: longer than any other answer takes.
const SHORT: Duration = Duration::from_secs(2);

/// An engine with `protocol`, which is waited for so long.
fn engine(protocol: &str, command: &str, game: &'static Game, late: Duration) -> Entrant {
    let patience = Patience { late, search: late };
    entrant(&format!("{protocol}:{command}"), game).with_patience(patience)
}

/// Longer than any answer takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// The games of a match against a random player.
fn play(engine: &Entrant, game: &'static Game, games: u32) -> Vec<PlayedGame> {
    let (random, book) = (entrant("random", game), book(game, 2));
    let settings = MatchSettings { games, threads: 1, ..MatchSettings::default() };
    let prepared = Match::new(engine, &random, &book, settings).unwrap();
    let played = std::sync::Mutex::new(Vec::new());
    let keep = |so_far: &arena::Progress<'_>| played.lock().unwrap().push(so_far.game.clone());
    assert!(prepared.play(&keep, &GO_ON).unwrap().complete);
    played.into_inner().unwrap()
}

#[test]
fn engines_play_whole_games_of_every_kind() {
    // Castling and promotion; drops; ten ranks; moves of several steps; a board of its own.
    for id in ["chess", "shogi", "mgc", "cheskers", "bermuda"] {
        for protocol in ["uci", "xboard"] {
            let engine = engine(protocol, &command("plays", None), game(id), LONG);
            for played in play(&engine, game(id), 2) {
                assert_eq!(played.note, None, "{id} by {protocol}");
                assert_ne!(played.ending, arena::Ending::Forfeit);
            }
        }
    }
}

/// What a behaviour is called and how it reads by UCI and by the protocol of XBoard.
type Failure<'a> = (&'a str, &'a str, &'a str);

#[test]
fn an_engine_that_fails_loses_that_game_and_no_other() {
    let silent = ["", "; it last said `info string more and more`"].map(|said| {
        ["go movetime 100", "go"].map(|go| format!("did not answer `{go}` within 2.1 s{said}"))
    });
    let [[uci, xboard], [uci_floods, xboard_floods]] = &silent;
    let failures: [Failure<'_>; 7] = [
        (
            "dies",
            "ended (exit status: 3) instead of answering `go movetime 100`; its last error was `out \
             of memory`",
            "ended (exit status: 3) instead of answering `go`; its last error was `out of memory`",
        ),
        ("hangs", uci, xboard),
        ("late", uci, xboard),
        ("illegal", "played `a1a1`, which is not legal", "played `a1a1`, which is not legal"),
        ("garbage", "played `\u{7}%s`, which is not legal", "played `\u{7}%s`, which is not legal"),
        ("floods", uci_floods, xboard_floods),
        ("resigns", "resigned", "resigned"),
    ];
    // Most of the time is waiting.
    std::thread::scope(|scope| {
        for (behaviour, uci, xboard) in failures {
            scope.spawn(move || loses_one_game("uci", behaviour, uci));
            scope.spawn(move || loses_one_game("xboard", behaviour, xboard));
        }
    });
}

/// Plays four games, in one of which the engine behaves so: that one is lost as `expected`.
fn loses_one_game(protocol: &str, behaviour: &str, expected: &str) {
    let is_silent = ["hangs", "late", "floods"].contains(&behaviour);
    let (chess, patience) = (game("chess"), if is_silent { SHORT } else { LONG });
    let folder = tempfile::tempdir().unwrap();
    let command = command(behaviour, Some(&folder.path().join("once")));
    let engine = engine(protocol, &command, chess, patience);
    engine.keep_stderr(folder.path());
    let games = play(&engine, chess, 4);
    let notes: Vec<_> = games.iter().filter_map(|game| game.note.as_deref()).collect();
    assert_eq!(notes, [format!("{} {expected}", engine.name())], "{behaviour}");
    let given_up = games.iter().find(|game| game.note.is_some()).unwrap();
    assert_eq!(given_up.score, -1);
    let ending = if behaviour == "resigns" { "resignation" } else { "forfeit" };
    assert_eq!(given_up.ending.to_string(), ending);
    drop(engine);
    let mut files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let kept = files.find(|path| path.to_string_lossy().contains("stderr_"));
    let kept = kept.map(|path| std::fs::read_to_string(path).unwrap());
    let errors = (behaviour == "dies").then(|| "out of memory\n".to_owned());
    assert_eq!(kept, errors, "{behaviour}");
}

/// Of an engine that is gone when the next game begins, nobody can say that it has lost it.
#[test]
fn an_engine_that_plays_one_game_plays_the_next_one_anew() {
    for protocol in ["uci", "xboard"] {
        let engine = engine(protocol, &command("leaves", None), game("chess"), LONG);
        for played in play(&engine, game("chess"), 4) {
            assert_eq!(played.note, None, "{protocol}");
        }
    }
}

#[test]
fn engines_of_xboard_are_known_by_their_features() {
    // It plays one game only; it does not say when it has told all; it claims a draw, and goes on.
    for behaviour in ["once", "hesitates", "claims"] {
        let engine = engine("xboard", &command(behaviour, None), game("chess"), LONG);
        for played in play(&engine, game("chess"), 4) {
            assert_eq!(played.note, None, "{behaviour}");
        }
    }
}

/// The games to come are not lost: they can be played when it has been seen to.
#[test]
fn an_engine_that_cannot_be_started_any_more_ends_the_match() {
    let (chess, folder) = (game("chess"), tempfile::tempdir().unwrap());
    let script = folder.path().join("engine");
    let text = format!("rm {}; exec {}\n", script.display(), command("dies", None));
    std::fs::write(&script, text).unwrap();
    let engine = engine("uci", &format!("sh {}", script.display()), chess, LONG);
    let (random, book) = (entrant("random", chess), book(chess, 2));
    let settings = MatchSettings { games: 4, threads: 1, ..MatchSettings::default() };
    let prepared = Match::new(&engine, &random, &book, settings).unwrap();
    let lost = std::sync::Mutex::new(0);
    let count = |so_far: &arena::Progress<'_>| *lost.lock().unwrap() = so_far.score.losses;
    let error = prepared.play(&count, &GO_ON).unwrap_err().to_string();
    assert!(error.starts_with(&format!("player `{}`: it ended", engine.name())), "{error}");
    assert_eq!(*lost.lock().unwrap(), 1, "the game in which it died");
}

/// What an engine's play depends on is not known, so its games are looked at.
#[test]
fn games_of_engines_that_repeat_themselves_count_once() {
    let chess = game("chess");
    let [one, other] = ["A", "B"]
        .map(|name| engine("uci", &format!("{} {name}", command("plays", None)), chess, LONG));
    assert!(!one.is_noise_free() && one.may_repeat());
    let book = book(chess, 1);
    let settings = MatchSettings { games: 6, threads: 1, ..MatchSettings::default() };
    let result = Match::new(&one, &other, &book, settings).unwrap().play(&|_| {}, &GO_ON).unwrap();
    assert_eq!((result.copies, result.score.games(), result.complete), (2, 2, true));
}

#[test]
fn a_single_game_ends_with_the_reason() {
    let chess = game("chess");
    let refusal = |behaviour: &str| {
        let engine = engine("uci", &command(behaviour, None), chess, LONG);
        let mut solo = Solo::new(&engine, History::new(chess.start()), 1).unwrap();
        let error = (0..3).find_map(|_| solo.choose_move().err()).unwrap();
        error.to_string().replace(engine.name(), "It")
    };
    assert_eq!(refusal("illegal"), "It played `a1a1`, which is not legal");
    assert_eq!(refusal("resigns"), "it resigned");
}

#[test]
fn engines_that_cannot_play_are_refused() {
    let refused = |id: &str, text: &str| {
        let spec: PlayerSpec = text.parse().unwrap();
        let nets = |_: &'static Game, _: &Path| Err("no networks".to_owned());
        let error = Entrant::new(&spec, game(id), &nets).unwrap_err();
        assert_eq!(error.player, spec.to_string());
        error.problem
    };
    assert_eq!(
        refused("chess", "uci:/no/such/engine"),
        "it cannot be started: No such file or directory (os error 2)"
    );
    assert_eq!(
        refused("chess", "uci:true"),
        "it ended (exit status: 0) instead of answering `uci`"
    );
    assert_eq!(
        refused("chess", "xboard:sh -c 'echo usage >&2; exit 1'"),
        "it ended (exit status: 1) instead of answering `protover 2`; its last error was `usage`"
    );
    let plain = |protocol: &str| format!("{protocol}:{}", command("plain", None));
    assert_eq!(refused("mgc", &plain("uci")), "it does not play mgc; it plays chess");
    assert_eq!(refused("chess", &plain("xboard")), "it does not have the feature setboard");
    assert_eq!(
        refused("mgc1-no-Q", &format!("uci:{}", command("plays", None))),
        format!(
            "it does not play mgc1-no-Q; it plays {} and {} more",
            Game::all()[..12].iter().map(|game| game.id).collect::<Vec<_>>().join(", "),
            Game::all().len() - 12
        )
    );
    entrant(&plain("uci"), game("chess"));
}
