//! Game records as bytes.
//!
//! Format 2. Numbers of fixed size are little-endian; `n` is an unsigned LEB128 number of at most
//! 32 bits; a text is its length `n` and UTF-8; `half` is an IEEE 754 half-precision number.
//!
//! ```text
//! record   seed u64, start text, nets n x (first step n, id text), end, steps n x step, resignation
//! end      outcome u8 (0 not by the rules, 1 White, 2 Black, 3 draw), then, unless 0, reason u8
//! step     played u32, legal n, shape u8, [values], [policy], visited n x visited
//! shape    bits 0-1 choice, 2-3 verdict (0 unproven), 4-5 policy (0 none, 1 dense, 2 sparse),
//!          6 raw value there
//! values   [raw 3 x half], searched 3 x half: win, draw, loss; absent after a forced choice
//! policy   dense: legal x half; sparse: n x (index delta, half), rest half
//! visited  index delta with verdict n (delta * 4 + verdict), visits n, Q half, prior half
//! resignation  side u8 (0 none, 1 White, 2 Black), then, unless 0, step n
//! ```
//!
//! Format 1, which is still read, ends before the resignation: there was none.
//!
//! An index delta is the index less the one before it less 1; the first is the index itself.
//! Verdicts are 1 win, 2 draw, 3 loss. Decoding takes any bytes and never panics; what it returns is
//! well-formed, and [`GameRecord::check`] says whether it is true.

use games::{End, EndReason, Game, Outcome, Side, Step};
use half::f16;

use crate::record::{
    Choice, GameRecord, NetSpan, Policy, RootValues, StepRecord, Verdict, Visited, Wdl16,
};
use crate::resignation::Resignation;

/// The version of the format that [`encode`] writes.
pub(crate) const FORMAT: u16 = 2;
/// The oldest version that [`decode`] reads.
pub(crate) const OLDEST_FORMAT: u16 = 1;

/// Bytes that are no game record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {problem}")]
pub struct DecodeError {
    /// Where reading stopped.
    pub at: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

const SIDES: [Side; 2] = [Side::White, Side::Black];
const OUTCOMES: [Outcome; 3] =
    [Outcome::Win(Side::White), Outcome::Win(Side::Black), Outcome::Draw];
const REASONS: [EndReason; 5] = [
    EndReason::Rules,
    EndReason::Repetition,
    EndReason::HundredPlies,
    EndReason::MaximumLength,
    EndReason::PerpetualCheck,
];

/// Entries of a list: more than any game has. Without the limit a file of some kilobytes,
/// unpacked, would fill gigabytes with steps.
const MOST_LISTED: usize = 1 << 16;

const DENSE: u8 = 1;
const SPARSE: u8 = 2;

/// Appends the bytes of `record`.
pub(crate) fn encode(record: &GameRecord, into: &mut Vec<u8>) {
    into.extend(record.seed.to_le_bytes());
    put_text(into, &record.start);
    put_count(into, record.nets.len());
    for span in &record.nets {
        put_number(into, span.first_step);
        put_text(into, &span.net);
    }
    match record.end {
        None => into.push(0),
        Some(end) => into.extend([place(&OUTCOMES, end.outcome) + 1, place(&REASONS, end.reason)]),
    }
    put_count(into, record.steps.len());
    record.steps.iter().for_each(|step| put_step(into, step));
    match record.resignation {
        None => into.push(0),
        Some(Resignation { side, step }) => {
            into.push(place(&SIDES, side) + 1);
            put_number(into, step);
        }
    }
}

/// Reads the record of `game` in `format` that fills `bytes`.
pub(crate) fn decode(
    bytes: &[u8],
    game: &'static Game,
    format: u16,
) -> Result<GameRecord, DecodeError> {
    let mut reader = Reader { bytes, at: 0 };
    let seed = u64::from_le_bytes(reader.array()?);
    let start = reader.text()?;
    let nets = reader.list(2, MOST_LISTED, |reader| {
        Ok(NetSpan { first_step: reader.number()?, net: reader.text()? })
    })?;
    let end = match reader.byte()? {
        0 => None,
        outcome => {
            let outcome = reader.one_of(&OUTCOMES, outcome - 1, "unknown outcome")?;
            let reason = reader.byte()?;
            Some(End { outcome, reason: reader.one_of(&REASONS, reason, "unknown reason")? })
        }
    };
    let steps = reader.list(6, MOST_LISTED, Reader::step)?;
    let resignation = if format > 1 { reader.resignation()? } else { None };
    if reader.at < bytes.len() {
        return Err(reader.error("bytes after the record"));
    }
    Ok(GameRecord { game, seed, start, nets, steps, end, resignation })
}

/// The number of `item` in its table.
fn place<T: Copy + PartialEq>(table: &[T], item: T) -> u8 {
    table.iter().position(|other| *other == item).expect("the tables are complete") as u8
}

fn verdict_number(verdict: Option<Verdict>) -> u8 {
    verdict.map_or(0, |verdict| place(&Verdict::ALL, verdict) + 1)
}

fn put_step(into: &mut Vec<u8>, step: &StepRecord) {
    into.extend(step.played.bits().to_le_bytes());
    put_number(into, u32::from(step.legal));
    let policy = match step.target {
        None => 0,
        Some(Policy::Dense(_)) => DENSE,
        Some(Policy::Sparse { .. }) => SPARSE,
    };
    let raw = step.values.and_then(|values| values.raw);
    into.push(
        place(&Choice::ALL, step.choice)
            | verdict_number(step.proven) << 2
            | policy << 4
            | u8::from(raw.is_some()) << 6,
    );
    for wdl in raw.iter().chain(step.values.as_ref().map(|values| &values.searched)) {
        [wdl.win, wdl.draw, wdl.loss].iter().for_each(|&chance| put_half(into, chance));
    }
    match &step.target {
        None => {}
        Some(Policy::Dense(dense)) => dense.iter().for_each(|&p| put_half(into, p)),
        Some(Policy::Sparse { listed, rest }) => {
            put_count(into, listed.len());
            let mut least = 0;
            for &(index, p) in listed {
                put_number(into, u32::from(index) - least);
                put_half(into, p);
                least = u32::from(index) + 1;
            }
            put_half(into, *rest);
        }
    }
    put_count(into, step.visited.len());
    let mut least = 0;
    for visited in &step.visited {
        let delta = u32::from(visited.index) - least;
        put_number(into, delta * 4 + u32::from(verdict_number(visited.proven)));
        put_number(into, visited.visits);
        put_half(into, visited.q);
        put_half(into, visited.prior);
        least = u32::from(visited.index) + 1;
    }
}

fn put_half(into: &mut Vec<u8>, number: f16) {
    into.extend(number.to_le_bytes());
}

fn put_text(into: &mut Vec<u8>, text: &str) {
    put_count(into, text.len());
    into.extend(text.as_bytes());
}

fn put_count(into: &mut Vec<u8>, count: usize) {
    put_number(into, u32::try_from(count).expect("no list of a game is that long"));
}

fn put_number(into: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Reads from the front of `bytes`.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn error(&self, problem: &'static str) -> DecodeError {
        DecodeError { at: self.at, problem }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let rest = &self.bytes[self.at..];
        let &array = rest.first_chunk().ok_or_else(|| self.error("the bytes end too early"))?;
        self.at += N;
        Ok(array)
    }

    fn byte(&mut self) -> Result<u8, DecodeError> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    fn half(&mut self) -> Result<f16, DecodeError> {
        self.array().map(f16::from_le_bytes)
    }

    fn number(&mut self) -> Result<u32, DecodeError> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(number).map_err(|_| self.error("a number is too large"));
            }
        }
        Err(self.error("a number is too long"))
    }

    /// A count of items of at least `least` bytes each: never more than the bytes could hold, so
    /// that it is safe to reserve memory for.
    fn count(&mut self, least: usize) -> Result<usize, DecodeError> {
        let count = self.number()? as usize;
        if count.saturating_mul(least) > self.bytes.len() - self.at {
            return Err(self.error("a list is longer than the bytes"));
        }
        Ok(count)
    }

    fn list<T>(
        &mut self,
        least: usize,
        most: usize,
        mut item: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let count = self.count(least)?;
        if count > most {
            return Err(self.error("a list is longer than any game has"));
        }
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(item(self)?);
        }
        Ok(list)
    }

    fn text(&mut self) -> Result<String, DecodeError> {
        let len = self.count(1)?;
        let bytes = &self.bytes[self.at..self.at + len];
        let text = str::from_utf8(bytes).map_err(|_| self.error("a text is not UTF-8"))?;
        self.at += len;
        Ok(text.to_owned())
    }

    fn one_of<T: Copy>(
        &self,
        table: &[T],
        number: u8,
        problem: &'static str,
    ) -> Result<T, DecodeError> {
        table.get(usize::from(number)).copied().ok_or_else(|| self.error(problem))
    }

    /// The verdict with this number of 0 to 3.
    fn verdict(number: u32) -> Option<Verdict> {
        (number as usize).checked_sub(1).map(|index| Verdict::ALL[index])
    }

    /// The index `delta` places after the one before; `least` then moves past it.
    fn index(&self, least: &mut u32, delta: u32) -> Result<u16, DecodeError> {
        let index = least.checked_add(delta).and_then(|index| u16::try_from(index).ok());
        let index = index.ok_or_else(|| self.error("an index is too large"))?;
        *least = u32::from(index) + 1;
        Ok(index)
    }

    fn wdl(&mut self) -> Result<Wdl16, DecodeError> {
        Ok(Wdl16 { win: self.half()?, draw: self.half()?, loss: self.half()? })
    }

    fn step(&mut self) -> Result<StepRecord, DecodeError> {
        let played = Step::from_bits(u32::from_le_bytes(self.array()?));
        let legal = u16::try_from(self.number()?);
        let legal = legal.map_err(|_| self.error("too many legal steps"))?;
        let shape = self.byte()?;
        if shape & 0x80 != 0 {
            return Err(self.error("unknown shape of a step"));
        }
        let choice = Choice::ALL[usize::from(shape & 3)];
        let proven = Self::verdict(u32::from(shape >> 2 & 3));
        let raw = if shape & 0x40 == 0 { None } else { Some(self.wdl()?) };
        let values = match choice {
            Choice::Forced if raw.is_some() => {
                return Err(self.error("a value after a forced choice"));
            }
            Choice::Forced => None,
            _ => Some(RootValues { raw, searched: self.wdl()? }),
        };
        let target = match shape >> 4 & 3 {
            0 => None,
            DENSE => Some(self.dense(usize::from(legal))?),
            SPARSE => Some(self.sparse()?),
            _ => return Err(self.error("unknown form of a policy")),
        };
        let visited = self.visited()?;
        Ok(StepRecord { played, legal, choice, proven, values, target, visited })
    }

    fn resignation(&mut self) -> Result<Option<Resignation>, DecodeError> {
        let Some(side) = self.byte()?.checked_sub(1) else { return Ok(None) };
        let side = self.one_of(&SIDES, side, "unknown side")?;
        Ok(Some(Resignation { side, step: self.number()? }))
    }

    fn dense(&mut self, legal: usize) -> Result<Policy, DecodeError> {
        if legal * 2 > self.bytes.len() - self.at {
            return Err(self.error("a policy is longer than the bytes"));
        }
        let dense: Result<_, _> = (0..legal).map(|_| self.half()).collect();
        Ok(Policy::Dense(dense?))
    }

    fn sparse(&mut self) -> Result<Policy, DecodeError> {
        let mut least = 0;
        let listed = self.list(3, MOST_LISTED, |reader| {
            let delta = reader.number()?;
            Ok((reader.index(&mut least, delta)?, reader.half()?))
        })?;
        Ok(Policy::Sparse { listed: listed.into(), rest: self.half()? })
    }

    fn visited(&mut self) -> Result<Box<[Visited]>, DecodeError> {
        let mut least = 0;
        let visited = self.list(6, MOST_LISTED, |reader| {
            let number = reader.number()?;
            Ok(Visited {
                index: reader.index(&mut least, number / 4)?,
                proven: Self::verdict(number % 4),
                visits: reader.number()?,
                q: reader.half()?,
                prior: reader.half()?,
            })
        })?;
        Ok(visited.into())
    }
}

#[cfg(test)]
mod tests;
