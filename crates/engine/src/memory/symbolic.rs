//! Symbolic bytes: expressions at concrete places, and whole objects as arrays.

use fathom_expr::{ArrayId, ExprId, Pool};

use super::Memory;
use super::contents::Contents;
use crate::outcome::{Access, Fault, FaultKind};

impl Memory {
    /// The symbolic ones of `size` bytes at `address`, by their distance from it.
    pub fn symbols(&self, address: u64, size: u64) -> Vec<(u64, ExprId)> {
        let Some(place) = self.place(address) else { return Vec::new() };
        if place.contents.symbols.is_empty() {
            return Vec::new();
        }
        let offset = address.wrapping_sub(place.base);
        place.contents.symbols.range(offset, size).map(|(at, expr)| (at - offset, expr)).collect()
    }

    /// The concrete bytes at `address`; those that are symbolic are placeholders.
    pub fn bytes(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        let fault = || self.explain(Access::Read, address, size);
        let place = self.place(address).ok_or_else(fault)?;
        let offset = place.offset(address, size).ok_or_else(fault)? as usize;
        if place.contents.array.is_some() {
            return Err(Fault { kind: FaultKind::Symbolic, access: Access::Read, address, size });
        }
        Ok(place.contents.slice(offset, size as usize))
    }

    /// Puts expressions over bytes that exist, given by their distance from `address`.
    pub fn set_symbols(&mut self, address: u64, symbols: &[(u64, ExprId)]) {
        if symbols.is_empty() {
            return;
        }
        let Some(base) = self.place(address).map(|place| place.base) else { return };
        let Some(contents) = self.contents_mut(address) else { return };
        for &(at, expr) in symbols {
            contents.symbols.set(address - base + at, Some(expr));
        }
    }

    /// The live object that owns the window of `address`: its base, how large it is at most, and
    /// its size if only the solver knows that.
    pub(crate) fn sizes(&self, address: u64) -> Option<(u64, u64, Option<ExprId>)> {
        let place = self.place(address)?;
        Some((place.base, place.size, place.size_expr))
    }

    /// Where the live stack objects are.
    pub(crate) fn stack_bases(&self) -> impl Iterator<Item = u64> {
        self.stack[..self.n_stack].iter().map(|object| object.base)
    }

    pub(crate) fn is_writable(&self, address: u64) -> bool {
        self.place(address).is_some_and(|place| place.writable)
    }

    /// Gives the bytes of an object that became an array expressions of their own again.
    pub(crate) fn flatten(&mut self, pool: &mut Pool, address: u64) {
        let Some(contents) = self.contents_mut(address) else { return };
        let Some(array) = contents.array.take() else { return };
        let bytes = pool.read_each(array, contents.len() as u64);
        for (at, byte) in (0..).zip(bytes) {
            contents.set_byte(pool, at, byte);
        }
    }

    /// `size` existing bytes at a concrete address as an expression of 8 times as many bits,
    /// lowest byte first.
    pub(crate) fn load(&self, pool: &mut Pool, address: u64, size: u64) -> ExprId {
        let place = self.place(address).expect("checked by the caller");
        let offset = address - place.base;
        if let Some(array) = place.contents.array
            && size <= 8
        {
            let index = pool.constant(64, offset);
            return pool.read_word(array, index, size as u32);
        }
        let mut value = place.contents.byte(pool, offset);
        for at in offset + 1..offset + size {
            let byte = place.contents.byte(pool, at);
            value = pool.concat(byte, value);
        }
        value
    }

    /// Writes an expression of 8 * `size` bits to existing writable bytes at a concrete address.
    pub(crate) fn store(&mut self, pool: &mut Pool, address: u64, size: u64, value: ExprId) {
        let base = self.place(address).expect("checked by the caller").base;
        let contents = self.contents_mut(address).expect("just seen");
        for at in 0..size {
            let byte = pool.extract(value, 8 * at as u32, 8);
            contents.set_byte(pool, address - base + at, byte);
        }
    }

    /// Copies existing bytes, which may overlap, with what is symbolic about them.
    pub(crate) fn copy(&mut self, pool: &mut Pool, to: u64, from: u64, size: u64) {
        if self.is_array(from) || self.is_array(to) {
            let bytes: Vec<ExprId> = (0..size).map(|at| self.load(pool, from + at, 1)).collect();
            for (at, byte) in (0..).zip(bytes) {
                self.store(pool, to + at, 1, byte);
            }
            return;
        }
        let symbols = self.symbols(from, size);
        let bytes = self.bytes(from, size).expect("checked by the caller").to_vec();
        self.overwrite(to, &bytes);
        self.set_symbols(to, &symbols);
    }

    /// Sets existing bytes.
    pub(crate) fn fill(&mut self, pool: &mut Pool, to: u64, size: u64, byte: u8) {
        if self.is_array(to) {
            let base = self.place(to).expect("checked by the caller").base;
            let contents = self.contents_mut(to).expect("just seen");
            let is_whole = size == contents.len() as u64;
            contents.array = contents
                .array
                .filter(|_| !is_whole)
                .map(|array| pool.fill(array, to - base, size, byte));
            if !is_whole {
                return;
            }
        }
        self.overwrite(to, &vec![byte; size as usize]);
    }

    /// Makes one existing byte concrete.
    pub(crate) fn store_byte(&mut self, address: u64, byte: u8) {
        self.overwrite(address, &[byte]);
    }

    fn overwrite(&mut self, address: u64, bytes: &[u8]) {
        // SAFETY: the table belongs to this memory, and gives as many bytes as asked for.
        if let Some(data) = unsafe { Self::writable(self.table, address, bytes.len() as u64) } {
            // SAFETY: as above.
            unsafe { std::ptr::copy(bytes.as_ptr(), data.as_ptr(), bytes.len()) };
            return;
        }
        let base = self.place(address).expect("checked by the caller").base;
        let contents = self.contents_mut(address).expect("just seen");
        let offset = address - base;
        let stale: Vec<u64> =
            contents.symbols.range(offset, bytes.len() as u64).map(|(at, _)| at).collect();
        for at in stale {
            contents.symbols.set(at, None);
        }
        contents.slice_mut(offset as usize, bytes.len()).copy_from_slice(bytes);
    }

    pub(crate) fn is_array(&self, address: u64) -> bool {
        self.place(address).is_some_and(|place| place.contents.array.is_some())
    }

    /// Writes one byte at each place of `offsets` (from `base`) where `index` may lead, or the
    /// array once those are too many: `value` where `index` equals the offset.
    pub(crate) fn store_at(
        &mut self,
        pool: &mut Pool,
        base: u64,
        index: ExprId,
        offsets: std::ops::RangeInclusive<u64>,
        value: ExprId,
    ) {
        /// Beyond this many places the object becomes an array.
        const MAX_PLACES: u64 = 64;
        let contents = self.contents_mut(base).expect("checked by the caller");
        if contents.array.is_none() && offsets.end() - offsets.start() < MAX_PLACES {
            for at in offsets {
                let place = pool.constant(64, at);
                let here = pool.eq(index, place);
                let old = contents.byte(pool, at);
                let new = pool.ite(here, value, old);
                contents.set_byte(pool, at, new);
            }
            return;
        }
        let array = match contents.array {
            Some(array) => array,
            None => contents.as_array(pool, 0, contents.len() as u64),
        };
        contents.array = Some(pool.write(array, index, value));
    }

    /// The bytes `first..end` of the object at `base` as an array, whose index 0 is `first`. An
    /// object that is an array already is given whole: the second value says what index 0 is.
    pub(crate) fn array(&self, pool: &mut Pool, base: u64, first: u64, end: u64) -> (ArrayId, u64) {
        let contents = self.place(base).expect("checked by the caller").contents;
        match contents.array {
            Some(array) => (array, 0),
            None => (contents.as_array(pool, first, end), first),
        }
    }
}

impl Contents {
    fn byte(&self, pool: &mut Pool, offset: u64) -> ExprId {
        if let Some(array) = self.array {
            let index = pool.constant(64, offset);
            return pool.read(array, index);
        }
        match self.symbols.get(offset) {
            Some(expr) => expr,
            None => pool.constant(8, u64::from(self.slice(offset as usize, 1)[0])),
        }
    }

    fn set_byte(&mut self, pool: &mut Pool, offset: u64, byte: ExprId) {
        if let Some(array) = self.array {
            let index = pool.constant(64, offset);
            self.array = Some(pool.write(array, index, byte));
            return;
        }
        match pool.as_const(byte) {
            Some(value) => {
                self.slice_mut(offset as usize, 1)[0] = value as u8;
                self.symbols.set(offset, None);
            }
            None => self.symbols.set(offset, Some(byte)),
        }
    }

    fn as_array(&self, pool: &mut Pool, first: u64, end: u64) -> ArrayId {
        let mut array = pool.table(self.slice(first as usize, (end - first) as usize));
        for (at, expr) in self.symbols.range(first, end - first) {
            let index = pool.constant(64, at - first);
            array = pool.write(array, index, expr);
        }
        array
    }
}
