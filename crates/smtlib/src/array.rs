//! Arrays of bytes: declared or constant ones, and what was stored over them.
//!
//! An array has 2^index bytes, a table of the pool only as many as it lists. A read that may fall
//! beyond what is known of a declared array gives an unknown byte of its own, and axioms say that
//! reads of one place are equal.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use fathom_expr::{ArrayId, ExprId, Model, Pool, Var};
use rustc_hash::FxHashMap;

/// A declared array read at an index of at most so many values is a choice of its bytes.
const FEW_VALUES: usize = 64;
/// Arrays chosen by a condition nest at most so deep.
const MAX_CHOICES: u32 = 256;

/// An array term. Indices are 64 bits wide inside.
#[derive(Clone, Debug)]
pub struct Array {
    index_width: u32,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Stored(Stored),
    Choice { condition: ExprId, then: Rc<Array>, otherwise: Rc<Array>, depth: u32 },
}

#[derive(Clone, Debug)]
struct Stored {
    base: Base,
    /// Stored at constant indices before anything was stored at another.
    cells: BTreeMap<u64, ExprId>,
    /// Stored after that, oldest first.
    writes: Vec<(ExprId, ExprId)>,
    table: OnceCell<Option<Table>>,
}

#[derive(Clone, Copy, Debug)]
enum Base {
    /// This byte everywhere.
    Constant(ExprId),
    /// A declared array, by its number.
    Declared(usize),
}

/// The cells as an array of the pool.
#[derive(Clone, Copy, Debug)]
struct Table {
    array: ArrayId,
    len: u64,
}

/// The declared arrays and what is known of their bytes.
#[derive(Default)]
pub(crate) struct Arrays {
    declared: Vec<Declared>,
    axioms: Vec<ExprId>,
}

struct Declared {
    name: String,
    bytes: BTreeMap<u64, ExprId>,
    /// Reads at other indices: index and byte, oldest first.
    reads: Vec<(ExprId, ExprId)>,
    read_at: FxHashMap<ExprId, ExprId>,
}

impl Array {
    fn stored(index_width: u32, base: Base) -> Self {
        let (cells, writes, table) = (BTreeMap::new(), Vec::new(), OnceCell::new());
        Self { index_width, kind: Kind::Stored(Stored { base, cells, writes, table }) }
    }

    pub fn constant(index_width: u32, byte: ExprId) -> Self {
        Self::stored(index_width, Base::Constant(byte))
    }

    pub fn index_width(&self) -> u32 {
        self.index_width
    }

    /// One array or the other, both of the same sort.
    pub fn choice(
        condition: ExprId,
        then: &Rc<Self>,
        otherwise: &Rc<Self>,
    ) -> Result<Self, String> {
        let depth = then.depth().max(otherwise.depth()) + 1;
        if depth > MAX_CHOICES {
            return Err(format!("arrays chosen by more than {MAX_CHOICES} conditions"));
        }
        let (then, otherwise) = (then.clone(), otherwise.clone());
        let kind = Kind::Choice { condition, then: then.clone(), otherwise, depth };
        Ok(Self { index_width: then.index_width, kind })
    }

    fn depth(&self) -> u32 {
        match self.kind {
            Kind::Stored(_) => 0,
            Kind::Choice { depth, .. } => depth,
        }
    }

    /// The declared array that this one is, with nothing stored.
    pub(crate) fn as_declared(&self) -> Option<usize> {
        match &self.kind {
            Kind::Stored(Stored { base: Base::Declared(number), cells, writes, .. })
                if cells.is_empty() && writes.is_empty() =>
            {
                Some(*number)
            }
            _ => None,
        }
    }

    /// Replaces the byte at `index`.
    pub(crate) fn store(self: &mut Rc<Self>, pool: &Pool, index: ExprId, byte: ExprId) {
        let array = Rc::make_mut(self);
        match &mut array.kind {
            Kind::Stored(stored) => stored.store(pool, index, byte),
            Kind::Choice { then, otherwise, .. } => {
                then.store(pool, index, byte);
                otherwise.store(pool, index, byte);
            }
        }
    }
}

impl Stored {
    fn store(&mut self, pool: &Pool, index: ExprId, byte: ExprId) {
        self.table = OnceCell::new();
        match pool.as_const(index) {
            Some(at) if self.writes.is_empty() => drop(self.cells.insert(at, byte)),
            _ => self.writes.push((index, byte)),
        }
    }

    /// Whether the cells fill most of the places up to the last.
    fn is_dense(&self) -> bool {
        let n_cells = self.cells.len() as u64;
        self.cells.last_key_value().is_some_and(|(&last, _)| last < 2 * n_cells + 64)
    }
}

impl Arrays {
    pub fn declare(&mut self, name: &str, index_width: u32) -> Array {
        let number = self.declared.iter().position(|array| array.name == name);
        let number = number.unwrap_or_else(|| {
            let name = name.to_owned();
            let (bytes, reads, read_at) = Default::default();
            self.declared.push(Declared { name, bytes, reads, read_at });
            self.declared.len() - 1
        });
        Array::stored(index_width, Base::Declared(number))
    }

    /// What holds of the bytes read so far, whatever is asserted.
    pub fn axioms(&self) -> &[ExprId] {
        &self.axioms
    }

    /// The byte of `array` at `index`.
    pub fn select(&mut self, pool: &mut Pool, array: &Array, index: ExprId) -> ExprId {
        match &array.kind {
            Kind::Stored(stored) => self.select_stored(pool, stored, index),
            Kind::Choice { condition, then, otherwise, .. } => {
                let then = self.select(pool, then, index);
                let otherwise = self.select(pool, otherwise, index);
                pool.ite(*condition, then, otherwise)
            }
        }
    }

    fn select_stored(&mut self, pool: &mut Pool, stored: &Stored, index: ExprId) -> ExprId {
        let mut choices = Vec::new();
        let mut found = None;
        for &(at, byte) in stored.writes.iter().rev() {
            let is_here = pool.eq(at, index);
            match pool.as_const(is_here) {
                Some(0) => {}
                Some(_) => {
                    found = Some(byte);
                    break;
                }
                None => choices.push((is_here, byte)),
            }
        }
        let oldest = found.unwrap_or_else(|| self.select_cell(pool, stored, index));
        choose(pool, choices, oldest)
    }

    /// The byte as it was before anything was stored at an index that is not constant.
    fn select_cell(&mut self, pool: &mut Pool, stored: &Stored, index: ExprId) -> ExprId {
        if let Some(at) = pool.as_const(index) {
            let cell = stored.cells.get(&at).copied();
            return cell.unwrap_or_else(|| self.base_byte(pool, stored.base, at));
        }
        if let Some(table) = self.table(pool, stored) {
            return self.select_table(pool, stored.base, table, index);
        }
        let mut choices = Vec::new();
        for (&at, &byte) in &stored.cells {
            let at = pool.constant(64, at);
            choices.push((pool.eq(at, index), byte));
        }
        let oldest = self.select_base(pool, stored.base, index);
        choose(pool, choices, oldest)
    }

    fn select_table(
        &mut self,
        pool: &mut Pool,
        base: Base,
        Table { array, len }: Table,
        index: ExprId,
    ) -> ExprId {
        let (min, max) = range(pool, index);
        let is_zero = |byte| pool.as_const(byte) == Some(0);
        if max < len || matches!(base, Base::Constant(byte) if is_zero(byte)) {
            return pool.read(array, index);
        }
        let beyond = self.select_base(pool, base, index);
        if min >= len {
            return beyond;
        }
        let len = pool.constant(64, len);
        let is_inside = pool.ult(index, len);
        let inside = pool.read(array, index);
        pool.ite(is_inside, inside, beyond)
    }

    /// The cells as a table, unless they are few and far between.
    fn table(&mut self, pool: &mut Pool, stored: &Stored) -> Option<Table> {
        if let Some(&table) = stored.table.get() {
            return table;
        }
        let table = stored.is_dense().then(|| self.build_table(pool, stored));
        *stored.table.get_or_init(|| table)
    }

    fn build_table(&mut self, pool: &mut Pool, stored: &Stored) -> Table {
        let len = stored.cells.last_key_value().map_or(0, |(&last, _)| last + 1);
        let mut bytes = vec![0; len as usize];
        let mut updates = Vec::new();
        for (at, slot) in (0..len).zip(&mut bytes) {
            let cell = stored.cells.get(&at).copied();
            let byte = cell.unwrap_or_else(|| self.base_byte(pool, stored.base, at));
            match pool.as_const(byte) {
                Some(value) => *slot = value as u8,
                None => updates.push((at, byte)),
            }
        }
        let mut array = pool.table(&bytes);
        for (at, byte) in updates {
            let at = pool.constant(64, at);
            array = pool.write(array, at, byte);
        }
        Table { array, len }
    }

    fn select_base(&mut self, pool: &mut Pool, base: Base, index: ExprId) -> ExprId {
        let number = match base {
            Base::Constant(byte) => return byte,
            Base::Declared(number) => number,
        };
        let Some(values) = few_values(pool, index) else {
            return self.unknown_read(pool, number, index);
        };
        let mut bytes = Vec::new();
        for at in values {
            let byte = self.declared_byte(pool, number, at);
            let at = pool.constant(64, at);
            bytes.push((pool.eq(at, index), byte));
        }
        let (_, last) = bytes.pop().expect("an index has a value");
        choose(pool, bytes, last)
    }

    fn base_byte(&mut self, pool: &mut Pool, base: Base, at: u64) -> ExprId {
        match base {
            Base::Constant(byte) => byte,
            Base::Declared(number) => self.declared_byte(pool, number, at),
        }
    }

    /// The byte at a constant index of a declared array.
    fn declared_byte(&mut self, pool: &mut Pool, number: usize, at: u64) -> ExprId {
        let declared = &mut self.declared[number];
        if let Some(&byte) = declared.bytes.get(&at) {
            return byte;
        }
        // No symbol has a bar in it, so this is no other input's name.
        let byte = input_byte(pool, &format!("{}|{at}", declared.name));
        declared.bytes.insert(at, byte);
        let index = pool.constant(64, at);
        for &(other_index, other) in &declared.reads {
            self.axioms.push(congruence(pool, (index, byte), (other_index, other)));
        }
        byte
    }

    /// An unknown byte for what is at `index`, equal to those at the same place.
    fn unknown_read(&mut self, pool: &mut Pool, number: usize, index: ExprId) -> ExprId {
        let declared = &mut self.declared[number];
        if let Some(&byte) = declared.read_at.get(&index) {
            return byte;
        }
        let byte = input_byte(pool, &format!("{}|read {}", declared.name, declared.reads.len()));
        for (&at, &other) in &declared.bytes {
            let at = pool.constant(64, at);
            self.axioms.push(congruence(pool, (index, byte), (at, other)));
        }
        for &other in &declared.reads {
            self.axioms.push(congruence(pool, (index, byte), other));
        }
        self.axioms.retain(|&axiom| !pool.is_true(axiom));
        declared.reads.push((index, byte));
        declared.read_at.insert(index, byte);
        byte
    }

    /// Gives every byte read so far a value that fits with the others of its array.
    pub fn complete(&self, pool: &Pool, model: &mut Model) {
        for declared in &self.declared {
            let mut contents = declared.contents(pool, model);
            for &(index, byte) in &declared.reads {
                let at = pool.eval(index, model) as u64;
                let var = var_of(pool, byte);
                if model.assigned(var) {
                    contents.insert(at, model.get(var));
                } else {
                    model.set(var, contents.get(&at).copied().unwrap_or(0));
                }
            }
            for (at, &byte) in &declared.bytes {
                let var = var_of(pool, byte);
                if !model.assigned(var) {
                    model.set(var, contents.get(at).copied().unwrap_or(0));
                }
            }
        }
    }

    /// The bytes that a model gives a declared array; the others are 0.
    pub fn contents(&self, pool: &Pool, number: usize, model: &Model) -> BTreeMap<u64, u8> {
        self.declared[number].contents(pool, model)
    }
}

/// The input byte that `byte` is.
fn var_of(pool: &Pool, byte: ExprId) -> Var {
    pool.support(byte).only().expect("a byte of an array is an input byte")
}

impl Declared {
    fn contents(&self, pool: &Pool, model: &Model) -> BTreeMap<u64, u8> {
        let mut contents = BTreeMap::new();
        for (&at, &byte) in &self.bytes {
            let var = var_of(pool, byte);
            if model.assigned(var) {
                contents.insert(at, model.get(var));
            }
        }
        for &(index, byte) in &self.reads {
            let var = var_of(pool, byte);
            if model.assigned(var) {
                contents.insert(pool.eval(index, model) as u64, model.get(var));
            }
        }
        contents
    }
}

fn input_byte(pool: &mut Pool, name: &str) -> ExprId {
    let input = pool.input(name, 1);
    pool.byte(input, 0)
}

/// The byte of the first choice that holds, or `otherwise`.
fn choose(pool: &mut Pool, choices: Vec<(ExprId, ExprId)>, otherwise: ExprId) -> ExprId {
    choices.into_iter().rev().fold(otherwise, |result, (holds, byte)| pool.ite(holds, byte, result))
}

/// Equal indices have equal bytes.
fn congruence(pool: &mut Pool, a: (ExprId, ExprId), b: (ExprId, ExprId)) -> ExprId {
    let differ = pool.ne(a.0, b.0);
    let same = pool.eq(a.1, b.1);
    pool.or(differ, same)
}

/// The least and the largest value of `index`: exactly if it depends on one byte.
fn range(pool: &mut Pool, index: ExprId) -> (u64, u64) {
    match pool.table_of(index) {
        Some(table) => {
            let values = table.values();
            (*values.iter().min().unwrap_or(&0), *values.iter().max().unwrap_or(&u64::MAX))
        }
        None => {
            let (min, max) = pool.range(index);
            (min as u64, max as u64)
        }
    }
}

/// All values of `index`, if they are few.
fn few_values(pool: &mut Pool, index: ExprId) -> Option<Vec<u64>> {
    let (min, max) = range(pool, index);
    if max - min < FEW_VALUES as u64 {
        return Some((min..=max).collect());
    }
    let mut values = pool.table_of(index)?.values().to_vec();
    values.sort_unstable();
    values.dedup();
    (values.len() <= FEW_VALUES).then_some(values)
}
