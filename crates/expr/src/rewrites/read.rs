//! Reads of tables and of arrays with updates.

use super::rules;
use crate::array::{Array, Arrays};
use crate::facts::{Facts, transfer};
use crate::{ArrayId, BinaryOp, ExprId, Pool, View};

pub(crate) const NAMES: &[&[&str]] = &[READ];

/// A read with at most this many possible indices becomes a choice.
const FEW: usize = 4;

/// What is read over so many updates is remembered.
const LONG: u32 = 4;

/// A read over more updates than this becomes a choice of the newest ones only; what lies under them
/// is read as it is. Else n reads over n updates would be n² terms. Few updates are all chosen from:
/// of what is read as it is, such as a pointer, nobody knows anything.
const FEW_UPDATES: u32 = 512;
const NEWEST: usize = 32;

/// Tables are searched for facts over at most this many indices.
const MANY: u128 = 1 << 16;

rules!(read, READ, (pool, array: ArrayId, index: ExprId), (pool, array, index), [
    read_constant_index,
    read_over_writes,
    read_few,
]);

/// match:  table[k]
/// result: the byte, 0 beyond the end
fn read_constant_index(pool: &mut Pool, array: ArrayId, index: ExprId) -> Option<ExprId> {
    let at = pool.as_const_wide(index)?;
    let Array::Table(bytes) = pool.arrays.get(array) else { return None };
    let byte = Arrays::table_byte(bytes, at);
    Some(pool.constant(8, byte.into()))
}

/// match:  write(a, j, v)[i]
/// result: ite(i == j, v, a[i]), for each update down to the table, or for the newest ones
fn read_over_writes(pool: &mut Pool, array: ArrayId, index: ExprId) -> Option<ExprId> {
    let Array::Write { .. } = pool.arrays.get(array) else { return None };
    let most = pool.n_choices(array, 1);
    let mut base = array;
    let mut choices = Vec::new();
    let mut n_updates = 0;
    let mut result = loop {
        let &Array::Write { base: next, index: at, value } = pool.arrays.get(base) else {
            break pool.read(base, index);
        };
        if let Some(known) = pool.arrays.known_read(base, index, 1) {
            break known;
        }
        if choices.len() == most {
            break pool.read_as_is(base, index);
        }
        n_updates += 1;
        base = next;
        if index == at {
            break value;
        }
        if pool.facts(index).disjoint(&pool.facts(at)) {
            continue;
        }
        pool.refuel();
        let hit = pool.eq(index, at);
        match pool.as_const(hit) {
            Some(1) => break value,
            Some(_) => {}
            None => choices.push((hit, value)),
        }
    };
    for (hit, value) in choices.into_iter().rev() {
        pool.refuel();
        result = pool.ite(hit, value, result);
    }
    if n_updates >= LONG {
        pool.arrays.remember_read(array, index, 1, result);
    }
    Some(result)
}

/// match:  table[i], i has at most four values
/// result: a choice of their bytes
fn read_few(pool: &mut Pool, array: ArrayId, index: ExprId) -> Option<ExprId> {
    let Array::Table(bytes) = pool.arrays.get(array) else { return None };
    let bytes = bytes.clone();
    let values = few_values(pool, index)?;
    let (&last, others) = values.split_last()?;
    let byte = |pool: &mut Pool, at| pool.constant(8, Arrays::table_byte(&bytes, at).into());
    let mut result = byte(pool, last);
    for &at in others.iter().rev() {
        let place = pool.constant_wide(64, at);
        let hit = pool.eq(index, place);
        let value = byte(pool, at);
        result = pool.ite(hit, value, result);
    }
    Some(result)
}

/// All values `index` can have, if there are few.
fn few_values(pool: &mut Pool, index: ExprId) -> Option<Vec<u128>> {
    if let Some(table) = pool.table_of(index) {
        let mut values: Vec<u128> = Vec::new();
        for byte in 0..=255 {
            let value = u128::from(table.get(byte));
            if !values.contains(&value) {
                if values.len() == FEW {
                    return None;
                }
                values.push(value);
            }
        }
        values.sort_unstable();
        return Some(values);
    }
    let facts = pool.facts(index);
    let values: Vec<u128> = facts.admitted(MANY)?.take(FEW + 1).collect();
    (values.len() <= FEW).then_some(values)
}

/// Updates of one aligned word, one after the other.
struct WordUpdate {
    /// Where the word begins.
    at: ExprId,
    bytes: [Option<ExprId>; 8],
    /// What was updated.
    base: ArrayId,
}

/// A number whose bytes lie side by side in a table, the lowest first.
pub(crate) struct Word {
    pub table: ArrayId,
    /// Of the lowest byte.
    pub index: ExprId,
    pub n_bytes: u32,
}

impl Pool {
    /// The `n_bytes` (at most 8) from `index` on, the first one lowest. Where words were written, and
    /// a word is read, the choice is one of words: bytes that happen to be equal would hide it.
    pub fn read_word(&mut self, array: ArrayId, index: ExprId, n_bytes: u32) -> ExprId {
        if !n_bytes.is_power_of_two() || !self.is_aligned(index, n_bytes) {
            return self.read_bytes(array, index, n_bytes, Pool::read);
        }
        let most = self.n_choices(array, n_bytes);
        let mut base = array;
        let mut choices = Vec::new();
        let mut n_updates = 0;
        let mut result = loop {
            if let Some(known) = self.arrays.known_read(base, index, n_bytes) {
                break known;
            }
            let Some(update) = self.word_update(base, n_bytes) else {
                break self.read_bytes(base, index, n_bytes, Pool::read);
            };
            if choices.len() == most {
                break self.read_bytes(base, index, n_bytes, Pool::read_as_is);
            }
            n_updates += 1;
            base = update.base;
            if self.facts(index).disjoint(&self.facts(update.at)) {
                continue;
            }
            self.refuel();
            let hit = self.eq(index, update.at);
            match self.as_const(hit) {
                Some(1) => break self.updated_word(&update, n_bytes),
                Some(_) => {}
                None => choices.push((hit, self.updated_word(&update, n_bytes))),
            }
        };
        for (hit, word) in choices.into_iter().rev() {
            self.refuel();
            result = self.ite(hit, word, result);
        }
        if n_updates >= LONG {
            self.arrays.remember_read(array, index, n_bytes, result);
        }
        result
    }

    /// How many updates a read of a word is a choice of at most.
    fn n_choices(&self, array: ArrayId, n_bytes: u32) -> usize {
        let are_few = self.arrays.n_updates(array) / n_bytes <= FEW_UPDATES;
        if are_few { FEW_UPDATES as usize } else { NEWEST }
    }

    fn read_bytes(
        &mut self,
        array: ArrayId,
        index: ExprId,
        n_bytes: u32,
        read: impl Fn(&mut Self, ArrayId, ExprId) -> ExprId,
    ) -> ExprId {
        let mut value = read(self, array, index);
        for n in 1..n_bytes {
            let distance = self.constant(64, n.into());
            let place = self.add(index, distance);
            let byte = read(self, array, place);
            value = self.concat(byte, value);
        }
        value
    }

    /// The byte as a read of the newest update that may be at `index`, and all under it.
    fn read_as_is(&mut self, array: ArrayId, index: ExprId) -> ExprId {
        let mut base = array;
        while let &Array::Write { base: older, index: at, value } = self.arrays.get(base) {
            if index == at {
                return value;
            }
            if !self.facts(index).disjoint(&self.facts(at)) {
                return self.without_rewriting(|pool| pool.read(base, index));
            }
            base = older;
        }
        self.read(base, index)
    }

    fn is_aligned(&self, index: ExprId, n_bytes: u32) -> bool {
        self.facts(index).trailing_zeros() >= n_bytes.trailing_zeros()
    }

    /// The last updates of `array`, if they are of one word: of all of its bytes, or of some at a
    /// constant place.
    fn word_update(&mut self, array: ArrayId, n_bytes: u32) -> Option<WordUpdate> {
        let mut bytes = [None; 8];
        let mut base = array;
        let mut word = None;
        while let &Array::Write { base: next, index, value } = self.arrays.get(base) {
            let (term, distance) = match self.as_const(index) {
                Some(place) => (None, place),
                None => {
                    let (term, distance) = self.split_constant(index);
                    (Some(term), distance)
                }
            };
            let n = distance % u64::from(n_bytes);
            let begin = (term, distance - n);
            if *word.get_or_insert(begin) != begin {
                break;
            }
            bytes[n as usize].get_or_insert(value);
            base = next;
        }
        let (term, distance) = word?;
        let distance = self.constant(64, distance);
        let Some(term) = term else { return Some(WordUpdate { at: distance, bytes, base }) };
        let is_whole = bytes[..n_bytes as usize].iter().all(Option::is_some);
        if !is_whole || !self.is_aligned(term, n_bytes) {
            return None;
        }
        Some(WordUpdate { at: self.add(term, distance), bytes, base })
    }

    /// The word after `update`, in the place of the update.
    fn updated_word(&mut self, update: &WordUpdate, n_bytes: u32) -> ExprId {
        let mut value = None;
        for (n, byte) in (0..n_bytes).zip(update.bytes) {
            let byte = byte.unwrap_or_else(|| {
                let distance = self.constant(64, n.into());
                let place = self.add(update.at, distance);
                self.read(update.base, place)
            });
            value = Some(value.map_or(byte, |low| self.concat(byte, low)));
        }
        value.expect("at least one byte")
    }

    /// What reads of the first `count` bytes give, one by one, in one walk over the updates.
    pub fn read_each(&mut self, array: ArrayId, count: u64) -> Vec<ExprId> {
        let most = if self.n_places(array, count) > MANY { 0 } else { self.n_choices(array, 1) };
        let mut bytes: Vec<Option<ExprId>> = vec![None; count as usize];
        let mut choices: Vec<Vec<(ExprId, ExprId)>> = vec![Vec::new(); count as usize];
        let mut n_open = count;
        let mut base = array;
        while let &Array::Write { base: older, index, value } = self.arrays.get(base) {
            if n_open == 0 {
                break;
            }
            for at in self.places(index, count) {
                if bytes[at as usize].is_some() {
                    continue;
                }
                let place = self.constant_wide(64, at);
                self.refuel();
                let hit = self.eq(index, place);
                let found = match self.as_const(hit) {
                    Some(1) => value,
                    Some(_) => continue,
                    None if choices[at as usize].len() < most => {
                        choices[at as usize].push((hit, value));
                        continue;
                    }
                    None => self.read_as_is(base, place),
                };
                bytes[at as usize] = Some(found);
                n_open -= 1;
            }
            base = older;
        }
        let table = self.arrays.bottom(base).clone();
        let byte = |pool: &mut Self, at| pool.constant(8, Arrays::table_byte(&table, at).into());
        let last = |(at, found): (u128, Option<ExprId>)| found.unwrap_or_else(|| byte(self, at));
        let mut bytes: Vec<ExprId> = (0..).zip(bytes).map(last).collect();
        for (byte, choices) in bytes.iter_mut().zip(choices) {
            for (hit, value) in choices.into_iter().rev() {
                self.refuel();
                *byte = self.ite(hit, value, *byte);
            }
        }
        bytes
    }

    /// Which of the first `count` places `index` may be.
    fn places(&self, index: ExprId, count: u64) -> impl Iterator<Item = u128> + use<> {
        let facts = self.facts(index);
        let admitted = facts.min..facts.max.saturating_add(1).min(count.into());
        admitted.filter(move |&at| facts.admits(at))
    }

    /// How many places all updates of `array` together may be at.
    fn n_places(&self, array: ArrayId, count: u64) -> u128 {
        let span = |(index, _): (ExprId, ExprId)| {
            let facts = self.facts(index);
            let end = facts.max.saturating_add(1).min(count.into());
            end.saturating_sub(facts.min)
        };
        self.arrays.updates(array).map(span).sum()
    }

    /// `array` with `byte` at the `size` places from `first` on: in the table, and as the value of
    /// every update that lies there.
    pub fn fill(&mut self, array: ArrayId, first: u64, size: u64, byte: u8) -> ArrayId {
        let updates: Vec<(ExprId, ExprId)> = self.arrays.updates(array).collect();
        let mut bytes = self.arrays.bottom(array).to_vec();
        let (begin, end) = (first as usize, (first + size) as usize);
        bytes.resize(bytes.len().max(end), 0);
        bytes[begin..end].fill(byte);
        let mut filled = self.table(&bytes);
        let (start, length) = (self.constant(64, first), self.constant(64, size));
        let byte = self.constant(8, byte.into());
        for (index, value) in updates.into_iter().rev() {
            self.refuel();
            let distance = self.sub(index, start);
            let is_inside = self.ult(distance, length);
            if !self.is_true(is_inside) {
                let value = self.ite(is_inside, byte, value);
                filled = self.write(filled, index, value);
            }
        }
        filled
    }

    /// What is known of a byte read from `array` at `index`.
    pub(crate) fn read_facts(&mut self, array: ArrayId, index: ExprId) -> Facts {
        self.word_facts(Word { table: array, index, n_bytes: 1 }).unwrap_or(Facts::unknown(8))
    }

    /// What is known of `high` before `low` if together they are a number in a table, times a
    /// power of two: more than its bytes say one by one.
    pub(crate) fn joined_facts(&mut self, high: ExprId, low: ExprId) -> Option<Facts> {
        let (word, tail) = self.word_of(high, low)?;
        let width = 8 * word.n_bytes;
        let facts = self.word_facts(word)?;
        Some(match tail {
            Some(tail) => {
                let tail_width = self.width(tail);
                transfer::concat(facts, self.facts(tail), tail_width, width + tail_width)
            }
            None => facts,
        })
    }

    /// The number, and the constant bits behind it.
    pub(crate) fn word_of(&self, high: ExprId, low: ExprId) -> Option<(Word, Option<ExprId>)> {
        let View::Read { array, index } = self.view(high) else { return None };
        let (rest, tail) = match self.view(low) {
            View::Const { .. } => {
                return Some((Word { table: array, index, n_bytes: 1 }, Some(low)));
            }
            View::Read { array, index } => (Word { table: array, index, n_bytes: 1 }, None),
            View::Concat(high, low) => self.word_of(high, low)?,
            _ => return None,
        };
        let (base, distance) = self.split_constant(index);
        let (rest_base, rest_distance) = self.split_constant(rest.index);
        let adjacent = distance.wrapping_sub(rest_distance) == u64::from(rest.n_bytes);
        let whole = array == rest.table && base == rest_base && adjacent && rest.n_bytes < 8;
        whole.then(|| (Word { n_bytes: rest.n_bytes + 1, ..rest }, tail))
    }

    /// A sum as a term and a constant.
    fn split_constant(&self, sum: ExprId) -> (ExprId, u64) {
        match self.view(sum) {
            View::Binary(BinaryOp::Add, a, b) => match (self.as_const(a), self.as_const(b)) {
                (Some(constant), _) => (b, constant),
                (_, Some(constant)) => (a, constant),
                _ => (sum, 0),
            },
            _ => (sum, 0),
        }
    }

    fn word_facts(&mut self, word: Word) -> Option<Facts> {
        let Array::Table(bytes) = self.arrays.get(word.table) else { return None };
        let bytes = bytes.clone();
        let width = 8 * word.n_bytes;
        let value = |at: u128| {
            Facts::constant(width, Arrays::table_word(&bytes, at as u64, word.n_bytes).into())
        };
        let join = |known: Option<Facts>, at: u128| {
            let here = value(at);
            Some(known.map_or(here, |known| known.join(here)))
        };
        if let Some(table) = self.table_of(word.index) {
            let indices = (0..=255).map(|byte| u128::from(table.get(byte)));
            return indices.fold(None, join);
        }
        let index = self.facts(word.index);
        if let Some(known) = self.arrays.known_word(word.table, word.n_bytes, index) {
            return Some(known);
        }
        let mut facts = index;
        let len = bytes.len() as u128;
        let mut beyond = (facts.max >= len).then(|| Facts::constant(width, 0));
        // Words that begin at the last places and go on at the first.
        let around = (1..u128::from(word.n_bytes)).map(|n| (1 << 64) - n);
        beyond = around.filter(|&at| facts.admits(at)).fold(beyond, join);
        if facts.min >= len {
            return beyond;
        }
        facts.max = facts.max.min(len - 1);
        let known = facts.admitted(MANY)?.fold(beyond, join)?.sharpen(width);
        self.arrays.remember_word(word.table, word.n_bytes, index, known);
        Some(known)
    }
}
