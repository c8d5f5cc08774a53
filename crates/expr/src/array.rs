//! Constant byte tables with updates at symbolic places.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::support::SupportId;
use crate::{ArrayId, ExprId, Pool};

/// What an array is.
#[derive(Clone, Copy, Debug)]
pub enum ArrayView<'a> {
    /// Constant bytes; beyond their end everything is 0.
    Table(&'a Rc<[u8]>),
    /// `base` with the byte at `index` replaced.
    Write { base: ArrayId, index: ExprId, value: ExprId },
}

pub(crate) enum Array {
    Table(Rc<[u8]>),
    Write { base: ArrayId, index: ExprId, value: ExprId },
}

/// All arrays of a pool, each stored once.
#[derive(Default)]
pub(crate) struct Arrays {
    arrays: Vec<Array>,
    supports: Vec<SupportId>,
    /// How many updates each has.
    n_updates: Vec<u32>,
    tables: FxHashMap<Rc<[u8]>, ArrayId>,
    writes: FxHashMap<(ArrayId, ExprId, ExprId), ArrayId>,
    /// What reads over many updates gave lately.
    reads: FxHashMap<(ArrayId, ExprId, u32), ExprId>,
    /// What is known of words in tables, by what is known of the index.
    words: FxHashMap<(ArrayId, u32, Facts), Facts>,
}

/// So many reads, and facts about words, are remembered at most.
const MAX_READS: usize = 1 << 18;
const MAX_WORDS: usize = 1 << 16;

impl Arrays {
    fn push(&mut self, array: Array, support: SupportId) -> ArrayId {
        let id = ArrayId(u32::try_from(self.arrays.len()).expect("more than 2^32 arrays"));
        let n_updates = match array {
            Array::Table(_) => 0,
            Array::Write { base, .. } => self.n_updates(base).saturating_add(1),
        };
        self.arrays.push(array);
        self.supports.push(support);
        self.n_updates.push(n_updates);
        id
    }

    pub fn n_updates(&self, id: ArrayId) -> u32 {
        self.n_updates[id.0 as usize]
    }

    pub fn get(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }

    pub fn support(&self, id: ArrayId) -> SupportId {
        self.supports[id.0 as usize]
    }

    /// Places and values of the updates of an array, the newest first.
    pub fn updates(&self, id: ArrayId) -> impl Iterator<Item = (ExprId, ExprId)> {
        self.layers(id).map_while(|array| match *array {
            Array::Write { index, value, .. } => Some((index, value)),
            Array::Table(_) => None,
        })
    }

    /// The bytes under all updates.
    pub fn bottom(&self, id: ArrayId) -> &Rc<[u8]> {
        let mut tables = self.layers(id).filter_map(|array| match array {
            Array::Table(bytes) => Some(bytes),
            Array::Write { .. } => None,
        });
        tables.next().expect("a table is at the bottom")
    }

    fn layers(&self, id: ArrayId) -> impl Iterator<Item = &Array> {
        let below = |array: &&Array| match **array {
            Array::Write { base, .. } => Some(self.get(base)),
            Array::Table(_) => None,
        };
        std::iter::successors(Some(self.get(id)), below)
    }

    pub fn known_read(&self, array: ArrayId, index: ExprId, n_bytes: u32) -> Option<ExprId> {
        self.reads.get(&(array, index, n_bytes)).copied()
    }

    pub fn remember_read(&mut self, array: ArrayId, index: ExprId, n_bytes: u32, value: ExprId) {
        if self.reads.len() >= MAX_READS {
            self.reads.clear();
        }
        self.reads.insert((array, index, n_bytes), value);
    }

    pub fn known_word(&self, table: ArrayId, n_bytes: u32, index: Facts) -> Option<Facts> {
        self.words.get(&(table, n_bytes, index)).copied()
    }

    pub fn remember_word(&mut self, table: ArrayId, n_bytes: u32, index: Facts, word: Facts) {
        if self.words.len() >= MAX_WORDS {
            self.words.clear();
        }
        self.words.insert((table, n_bytes, index), word);
    }

    /// The value at `index` of a constant table.
    pub fn table_byte(bytes: &[u8], index: u128) -> u8 {
        usize::try_from(index).ok().and_then(|index| bytes.get(index)).copied().unwrap_or(0)
    }

    /// The `n_bytes` (at most 8) from `index` on, which may begin again at 0, the first one lowest.
    pub fn table_word(bytes: &[u8], index: u64, n_bytes: u32) -> u64 {
        let byte = |n: u32| Self::table_byte(bytes, index.wrapping_add(n.into()).into());
        (0..n_bytes).fold(0, |word, n| word | u64::from(byte(n)) << (8 * n))
    }
}

impl Pool {
    /// The array of `bytes`; equal contents give the same id.
    pub fn table(&mut self, bytes: &[u8]) -> ArrayId {
        if let Some(&id) = self.arrays.tables.get(bytes) {
            return id;
        }
        let bytes: Rc<[u8]> = bytes.into();
        let id = self.arrays.push(Array::Table(bytes.clone()), SupportId::default());
        self.arrays.tables.insert(bytes, id);
        id
    }

    /// `array` with the byte at `index` (64 bits) replaced by `value` (8 bits).
    pub fn write(&mut self, array: ArrayId, index: ExprId, value: ExprId) -> ArrayId {
        assert!(self.width(index) == 64 && self.width(value) == 8, "widths of an array write");
        let key = (array, index, value);
        if let Some(&id) = self.arrays.writes.get(&key) {
            return id;
        }
        let mut support = self.arrays.support(array);
        for operand in [index, value] {
            support = self.supports.union(support, self.support_id(operand));
        }
        let id = self.arrays.push(Array::Write { base: array, index, value }, support);
        self.arrays.writes.insert(key, id);
        id
    }

    pub fn array(&self, array: ArrayId) -> ArrayView<'_> {
        match self.arrays.get(array) {
            Array::Table(bytes) => ArrayView::Table(bytes),
            &Array::Write { base, index, value } => ArrayView::Write { base, index, value },
        }
    }
}
