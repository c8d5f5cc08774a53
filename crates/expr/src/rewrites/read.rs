//! Reads of tables and of arrays with updates.

use super::rules;
use crate::array::{Array, Arrays};
use crate::facts::Facts;
use crate::{ArrayId, ExprId, Pool};

pub(crate) const NAMES: &[&[&str]] = &[READ];

/// A read with at most this many possible indices becomes a choice.
const FEW: usize = 4;

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
/// result: ite(i == j, v, a[i]), for each update down to the table
fn read_over_writes(pool: &mut Pool, array: ArrayId, index: ExprId) -> Option<ExprId> {
    let Array::Write { .. } = pool.arrays.get(array) else { return None };
    let mut base = array;
    let mut choices = Vec::new();
    let mut result = loop {
        let &Array::Write { base: next, index: at, value } = pool.arrays.get(base) else {
            break pool.read(base, index);
        };
        pool.refuel();
        let hit = pool.eq(index, at);
        match pool.as_const(hit) {
            Some(1) => break value,
            Some(_) => {}
            None => choices.push((hit, value)),
        }
        base = next;
    };
    for (hit, value) in choices.into_iter().rev() {
        pool.refuel();
        result = pool.ite(hit, value, result);
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
    let values: Vec<u128> = admitted(facts)?.take(FEW + 1).collect();
    (values.len() <= FEW).then_some(values)
}

/// The values that `facts` admit, if the range is not too large to walk.
fn admitted(facts: Facts) -> Option<impl Iterator<Item = u128>> {
    // Values below the lowest bit that may vary need not be visited.
    let step = 1u128 << facts.zeros.trailing_ones().min(63);
    let first = facts.min.next_multiple_of(step);
    ((facts.max - facts.min) / step < MANY).then(|| {
        (first..=facts.max).step_by(step as usize).filter(move |&value| facts.admits(value))
    })
}

impl Pool {
    /// What is known of a byte read from `array` at `index`.
    pub(crate) fn read_facts(&mut self, array: ArrayId, index: ExprId) -> Facts {
        let Array::Table(bytes) = self.arrays.get(array) else { return Facts::unknown(8) };
        let bytes = bytes.clone();
        let join = |known: Option<Facts>, at: u128| {
            let byte = Facts::constant(8, Arrays::table_byte(&bytes, at).into());
            Some(known.map_or(byte, |known| known.join(byte)))
        };
        if let Some(table) = self.table_of(index) {
            let indices = (0..=255).map(|byte| u128::from(table.get(byte)));
            return indices.fold(None, join).expect("a byte has values");
        }
        let mut facts = self.facts(index);
        let len = bytes.len() as u128;
        let beyond = (facts.max >= len).then(|| Facts::constant(8, 0));
        if facts.min >= len {
            return Facts::constant(8, 0);
        }
        facts.max = facts.max.min(len - 1);
        let known = admitted(facts).and_then(|indices| indices.fold(beyond, join));
        known.map_or(Facts::unknown(8), |known| known.sharpen(8))
    }
}
