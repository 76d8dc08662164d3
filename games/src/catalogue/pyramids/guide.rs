//! What players are told about the variants of Pyramids.

use crate::{Example, Guide, PieceGuide, Ruling, Section};

const STACKS: Section = Section {
    title: "Pinos",
    text: "A pino is a stack of up to four checkers of one colour and of different sizes on one \
           cell. A player moves it whole or takes any of its checkers off to move them together, \
           as one piece; the others stay. What moves does so by its own checkers only. A move \
           without capture may end on another own pino that has none of the moving sizes: the two \
           become one. Slaves and faraons are never stacked. The move text names the moving sizes \
           in braces when something stays behind.",
};

const RIGHT: Section = Section {
    title: "The leap right",
    text: "A faraon that stands in check when his side is to move has lost his leaps for good, \
           also as an answer to that check. Leaping does not use the right up.",
};

const END: Section = Section {
    title: "End of the game",
    text: "Checkmate wins, stalemate draws. Whatever is captured leaves the board with its whole \
           stack. Captures and slave moves that change rank restart the clock.",
};

const SINGLE: Section = Section {
    title: "Promotion",
    text: "A slave that arrives on the last rank becomes one checker of any size.",
};

const WEAK_SLAVE: &str = "One cell ahead or sideways, straight or diagonally, to an empty cell. \
    As its first move it may leap to an empty cell at distance two that gains ground. Captures one \
    cell diagonally ahead. One that has walked along its first rank has made its first move; the \
    rights field lists it.";

const CAPTURELESS: &str = "One cell in any direction, and until he is checked for the first time \
    also leaps, to empty cells only: he never captures.";

/// The small and the second checker of the variants played without jumps, and of the strong one.
const WEAK: [&str; 2] = ["One cell in any direction.", "Leaps to any cell at distance two."];
const STRONG: [&str; 2] =
    ["Leaps to any cell at distance two.", "Leaps to any cell at distance three."];

/// The faraon, the single checkers, of which small and second are told, and `others`.
fn pieces(
    faraon: PieceGuide,
    [small, second]: [&'static str; 2],
    others: Vec<PieceGuide>,
) -> Vec<PieceGuide> {
    let singles = vec![
        PieceGuide::new("[1]", "Small checker", small),
        PieceGuide::new("[2]", "Second checker", second),
        PieceGuide::new("[3]", "Third checker", "Diagonals."),
        PieceGuide::new("[4]", "Large checker", "Files and ranks."),
    ];
    [vec![faraon], singles, others].concat()
}

fn rulings(more: Vec<Ruling>) -> Vec<Ruling> {
    let shared = vec![
        Ruling::Reconstruction(
            "Both diagrams of the start are lost. The author says that some pinos descend from the \
             pieces of Modern Grand Chess, so they stand in that game's order; what does not fit \
             the board is left out.",
        ),
        Ruling::Reading(
            "Slaves step ahead or sideways, never back, as the pawns of Modern Grand Chess, whose \
             rule has the same words.",
        ),
        Ruling::Reading("Any part of a pino may move, since each part is a pino itself."),
    ];
    shared.into_iter().chain(more).collect()
}

const FARAON_9: &str = "f8/9/9/9/4*4/9/4s4/9/9 w F - - 0 1";
const SLAVE_9: &str = "9/f8/9/9/9/5s3/4*4/9/7F1 w - - - 0 1";
const BOARD_9: &str = "9/f8/9/5s3/4*4/9/2s6/9/7F1 w - - - 0 1";
const BOARD_7: &str = "7/f6/4s2/3*3/7/1s5/5F1 w - - - 0 1";

const DIVIDED_9: Example = Example {
    title: "Dividing and uniting",
    text: "Any checker or pair of the pino on e5 may go, or all three. Its small checker may join \
           the one on e6, the large one the pino on h5, the third one neither.",
    fen: "9/f8/9/4[2]4/4[134]2[13]1/9/9/9/F8 w - - - 0 1",
    moves: "e5",
};

const DIVIDED_STRONG: Example = Example {
    title: "Dividing and uniting",
    text: "Any checker or pair of the pino on e5 may go, or all three. Its small checker may join \
           the one on e7, the large one the pino on h5, the third one neither.",
    fen: "9/f8/4[2]4/9/4[134]2[13]1/9/9/9/F8 w - - - 0 1",
    moves: "e5",
};

const DIVIDED_7: Example = Example {
    title: "Dividing and uniting",
    text: "Any checker or pair of the pino on d4 may go, or all three. Its small checker may join \
           the one on d5, the large one the pino on g4, the third one neither.",
    fen: "7/f6/3[2]3/3[134]2[13]/7/7/F6 w - - - 0 1",
    moves: "d4",
};

pub(super) fn first() -> Guide {
    Guide {
        summary: "Chess with pyramids of checkers that divide and unite. What a pyramid can do \
                  depends on the sizes that move. Checkmate of the faraon wins.",
        board: BOARD_9,
        pieces: pieces(
            PieceGuide::new(
                "F",
                "Faraon",
                "One cell in any direction. Until he is checked for the first time also leaps to \
                 any cell at distance two or three, which he attacks as well.",
            )
            .on(FARAON_9),
            WEAK,
            vec![
                PieceGuide::new(
                    "[134]",
                    "Small, third and large",
                    "All that its checkers do, and leaps to any cell at distance three.",
                ),
                PieceGuide::new("S", "Slave", WEAK_SLAVE).on(SLAVE_9),
            ],
        ),
        sections: vec![
            STACKS,
            Section {
                title: "Promotion",
                text: "A slave that arrives on the last rank becomes any pino, even all four \
                       checkers at once.",
            },
            RIGHT,
            END,
        ],
        examples: vec![DIVIDED_9],
        rulings: rulings(vec![
            Ruling::Reading(
                "Legality is judged with the other faraon's leaps as they were before the move; \
                 only then does a checked faraon lose them.",
            ),
            Ruling::Reading(
                "Only the second edition says what a pino is; the first is played the same way.",
            ),
        ]),
    }
}

pub(super) fn weak() -> Guide {
    Guide {
        pieces: pieces(
            PieceGuide::new("F", "Faraon", CAPTURELESS).on(FARAON_9),
            WEAK,
            vec![
                PieceGuide::new(
                    "[12]",
                    "Small and second",
                    "All that its checkers do, and leaps to any cell at distance three.",
                ),
                PieceGuide::new("S", "Slave", WEAK_SLAVE).on(SLAVE_9),
            ],
        ),
        sections: vec![STACKS, SINGLE, RIGHT, END],
        rulings: rulings(vec![CAPTURELESS_FARAON]),
        ..first()
    }
}

const CAPTURELESS_FARAON: Ruling = Ruling::Reading(
    "The faraon never captures: the second edition says so of his moves where the first does not.",
);

pub(super) fn weak_7() -> Guide {
    Guide {
        board: BOARD_7,
        pieces: pieces(
            PieceGuide::new("F", "Faraon", CAPTURELESS).on("f6/7/7/3*3/7/3s3/7 w F - - 0 1"),
            WEAK,
            vec![PieceGuide::new("S", "Slave", WEAK_SLAVE).on("f6/7/7/7/4s2/3*3/6F w - - - 0 1")],
        ),
        examples: vec![DIVIDED_7],
        ..weak()
    }
}

pub(super) fn strong() -> Guide {
    Guide {
        pieces: pieces(
            PieceGuide::new("F", "Faraon", CAPTURELESS).on(FARAON_9),
            STRONG,
            vec![
                PieceGuide::new(
                    "S",
                    "Slave",
                    "One cell ahead or sideways, straight or diagonally, and it captures the same \
                     way. As its first move it may leap to an empty cell at distance two that \
                     gains ground. One that has moved along its first rank has made its first \
                     move; the rights field lists it.",
                )
                .on(SLAVE_9),
            ],
        ),
        examples: vec![DIVIDED_STRONG],
        ..weak()
    }
}

pub(super) fn cheskers() -> Guide {
    Guide {
        summary: "Pyramids that capture as in draughts, by jumping over. Whoever can jump must. \
                  The faraon is taken like any other piece, and whoever loses him has lost.",
        board: "9/f8/9/9/4*4/9/9/9/7F1 w - - - 0 1",
        pieces: pieces(
            PieceGuide::new("F", "Faraon", LEAPER).on("f8/9/9/9/4*4/9/4s4/9/9 w F - - 0 1"),
            JUMPING,
            vec![PieceGuide::new("S", "Slave", STEPPER)],
        ),
        sections: vec![
            STACKS,
            JUMPS,
            SINGLE,
            Section {
                title: "The leap right",
                text: "A faraon loses his leaps for good when his turn begins and a jump of the \
                       opponent could take him, be it the last of many in one move.",
            },
            Section {
                title: "End of the game",
                text: "A side without its faraon has lost. A side that cannot move draws. There is \
                       no check: a faraon may stand where he can be taken. Captures and slave \
                       moves that change rank restart the clock.",
            },
        ],
        examples: jumps(
            ("f8/9/9/3s5/9/3s1s3/4[12]4/9/F8 w - - - 0 1", "e3"),
            "f8/9/9/s8/9/9/s8/9/[4]6F1 w - - - 0 1",
        ),
        rulings: rulings(vec![
            CAPTURELESS_FARAON,
            Ruling::Reading(
                "There is no check, as in Russian cheskers, whose rules these are. Landing cells \
                 are free, jumped pieces leave at once, and a move goes on after jumping the \
                 faraon.",
            ),
            Ruling::Reading("Slaves jump in all eight directions."),
            Ruling::Reading(
                "The second checker gives a leap of its own only alone or with the small one; to \
                 the others it gives the right and the duty to go on jumping.",
            ),
        ]),
    }
}

const LEAPER: &str = "One cell in any direction, and as long as he has his leap right also leaps \
    over anything, to empty cells only. He never captures, nor takes what he leaps over.";
const JUMPING: [&str; 2] = [
    "Leaps to any cell at distance two; jumps over adjacent enemies.",
    "Alone or with the small one as the small one; whatever holds it goes on jumping as long as it \
     can.",
];
const STEPPER: &str = "One cell ahead or sideways, straight or diagonally. Jumps over an adjacent \
    enemy in any direction, once.";

/// Examples of jumps: the position of a tour and where it starts, and that of a long jump from a1.
fn jumps(tour: (&'static str, &'static str), long: &'static str) -> Vec<Example> {
    vec![
        Example {
            title: "A tour",
            text: "Small and second checker together jump short and must go on.",
            fen: tour.0,
            moves: tour.1,
        },
        Example {
            title: "A long jump",
            text: "The large checker may land on any free cell behind the slave, but jumps only \
                   once.",
            fen: long,
            moves: "a1",
        },
    ]
}

const JUMPS: Section = Section {
    title: "Jumping",
    text: "If any piece can jump, only jumps are legal. Slaves, parts with the small checker and \
           the second one alone jump over an adjacent enemy, in any of the eight directions, to \
           the empty cell right behind it. Parts with the third checker jump along diagonals and \
           those with the large one along files and ranks, over an enemy at any distance, to any \
           free cell behind it. A jumped stack leaves the board at once. A part with the second \
           checker must go on while it can; all others jump once. Jumps never unite pinos.",
};

pub(super) fn cheskers_7() -> Guide {
    Guide {
        board: "7/f6/7/3*3/7/7/5F1 w - - - 0 1",
        pieces: pieces(
            PieceGuide::new("F", "Faraon", LEAPER).on("f6/7/7/3*3/7/3s3/7 w F - - 0 1"),
            JUMPING,
            vec![PieceGuide::new("S", "Slave", STEPPER)],
        ),
        examples: jumps(
            ("f6/7/7/2s1s2/3[12]3/7/F6 w - - - 0 1", "d3"),
            "f6/7/7/7/s6/7/[4]4F1 w - - - 0 1",
        ),
        ..cheskers()
    }
}
