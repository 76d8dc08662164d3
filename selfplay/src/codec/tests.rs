//! Any record survives its bytes, true to the rules or not; any bytes survive the decoder.

use proptest::prelude::*;

use super::*;

fn game() -> &'static Game {
    &Game::all()[0]
}

fn half() -> impl Strategy<Value = f16> {
    // Infinities and NaNs too: what a number means is not the codec's business.
    any::<u16>().prop_map(f16::from_bits)
}

fn wdl() -> impl Strategy<Value = Wdl16> {
    (half(), half(), half()).prop_map(|(win, draw, loss)| Wdl16 { win, draw, loss })
}

fn verdict() -> impl Strategy<Value = Option<Verdict>> {
    prop::option::of(prop::sample::select(&Verdict::ALL[..]))
}

fn indices(most: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::btree_set(any::<u16>(), 0..most).prop_map(|set| set.into_iter().collect())
}

fn policy(legal: u16) -> impl Strategy<Value = Policy> {
    let dense = prop::collection::vec(half(), usize::from(legal));
    let sparse = indices(40).prop_flat_map(|indices| {
        let halves = prop::collection::vec(half(), indices.len());
        (Just(indices), halves, half())
    });
    prop_oneof![
        dense.prop_map(|dense| Policy::Dense(dense.into())),
        sparse.prop_map(|(indices, halves, rest)| Policy::Sparse {
            listed: indices.into_iter().zip(halves).collect(),
            rest,
        }),
    ]
}

fn visited() -> impl Strategy<Value = Box<[Visited]>> {
    indices(20)
        .prop_flat_map(|indices| {
            let rest = (verdict(), any::<u32>(), half(), half());
            let rest = prop::collection::vec(rest, indices.len());
            (Just(indices), rest)
        })
        .prop_map(|(indices, rest)| {
            let visited =
                |(index, (proven, visits, q, prior))| Visited { index, proven, visits, q, prior };
            indices.into_iter().zip(rest).map(visited).collect()
        })
}

fn step() -> impl Strategy<Value = StepRecord> {
    let choice = prop::sample::select(&Choice::ALL[..]);
    let values = (prop::option::of(wdl()), wdl());
    let values = values.prop_map(|(raw, searched)| RootValues { raw, searched });
    (any::<u32>(), 0..200_u16, choice, verdict(), values, visited()).prop_flat_map(
        |(bits, legal, choice, proven, values, visited)| {
            prop::option::of(policy(legal)).prop_map(move |target| StepRecord {
                played: Step::from_bits(bits),
                legal,
                choice,
                proven,
                values: (choice != Choice::Forced).then_some(values),
                target,
                visited: visited.clone(),
            })
        },
    )
}

fn record() -> impl Strategy<Value = GameRecord> {
    let nets = (any::<u32>(), ".{0,20}").prop_map(|(first_step, net)| NetSpan { first_step, net });
    let end = (prop::sample::select(&OUTCOMES[..]), prop::sample::select(&REASONS[..]));
    let end = prop::option::of(end.prop_map(|(outcome, reason)| End { outcome, reason }));
    let nets = prop::collection::vec(nets, 0..4);
    let resignation = (prop::sample::select(&SIDES[..]), any::<u32>());
    let resignation =
        prop::option::of(resignation.prop_map(|(side, step)| Resignation { side, step }));
    let steps = prop::collection::vec(step(), 0..12);
    (any::<u64>(), ".{0,80}", nets, steps, end, resignation).prop_map(
        |(seed, start, nets, steps, end, resignation)| {
            let game = game();
            GameRecord { game, seed, start, nets, steps, end, resignation }
        },
    )
}

fn encoded(record: &GameRecord) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(record, &mut bytes);
    bytes
}

#[test]
fn lists_longer_than_any_are_refused_before_they_are_read() {
    let problem = |bytes: &[u8]| decode(bytes, game(), FORMAT).unwrap_err().problem;
    let zeros = vec![0; 8 * MOST_LISTED];
    for (count, expected) in [
        (MOST_LISTED + 1, "a list is longer than any game has"),
        (zeros.len(), "a list is longer than the bytes"),
    ] {
        // Seed, start, number of networks.
        let mut bytes = vec![0; 9];
        put_count(&mut bytes, count);
        bytes.extend(&zeros);
        assert_eq!(problem(&bytes), expected);
        // Seed, start, no networks, no end, number of steps.
        let mut bytes = vec![0; 11];
        put_count(&mut bytes, count);
        bytes.extend(&zeros);
        assert_eq!(problem(&bytes), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..Default::default() })]

    #[test]
    fn records_survive_their_bytes(record in record()) {
        let bytes = encoded(&record);
        let back = decode(&bytes, game(), FORMAT).unwrap();
        prop_assert_eq!(encoded(&back), bytes);
        // Bits, because a NaN does not equal itself.
        prop_assert_eq!(format!("{:?}", back.steps), format!("{:?}", record.steps));
        prop_assert_eq!((back.seed, back.start, back.nets), (record.seed, record.start, record.nets));
        prop_assert_eq!((back.end, back.resignation), (record.end, record.resignation));
    }

    #[test]
    fn records_of_format_1_have_no_resignation(mut record in record()) {
        record.resignation = None;
        let bytes = encoded(&record);
        let (none, old) = bytes.split_last().unwrap();
        prop_assert_eq!(*none, 0);
        let back = decode(old, game(), 1).unwrap();
        prop_assert_eq!(encoded(&back), bytes);
        prop_assert_eq!(decode(&encoded(&record), game(), 1).unwrap_err().problem, "bytes after the record");
    }

    #[test]
    fn spoilt_bytes_are_refused_or_read_as_another_record(
        record in record(),
        spoil in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        keep in any::<prop::sample::Index>(),
    ) {
        let mut bytes = encoded(&record);
        let cut = &bytes[..keep.index(bytes.len())];
        prop_assert!(decode(cut, game(), FORMAT).is_err(), "a part is not the whole");
        for (at, byte) in spoil {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(other) = decode(&bytes, game(), FORMAT) {
            // Checking and encoding again must not panic either.
            other.check().ok();
            encoded(&other);
        }
    }

    #[test]
    fn any_bytes_can_be_decoded(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        decode(&bytes, game(), FORMAT).ok();
    }
}
