//! Copying and filling memory where something about it is symbolic.

use fathom_expr::ExprId;

use super::access::{Range, Word};
use crate::engine::Engine;
use crate::memory::Refusal;
use crate::outcome::{Access, BugKind, Stop};
use crate::state::State;
use crate::step::Step;

/// The longest copy of symbolic length that is done byte by byte.
const MAX_LENGTH: u64 = 4096;

/// The longest copy whose length stays symbolic; longer ones go on with each length of their own.
const MAX_SYMBOLIC: u64 = 256;

/// The longest copy between symbolic addresses that is done as one, without choosing addresses.
const MAX_MOVED: u64 = 32;

impl Engine<'_> {
    /// memcpy and memmove with operands of whatever kind.
    pub(crate) fn copy_symbolic(
        &mut self,
        state: &mut State,
        to: ExprId,
        from: ExprId,
        size: ExprId,
        may_overlap: bool,
    ) -> Step {
        let [to, from, size] = [to, from, size].map(|expr| self.settled(state, expr));
        let (Word::Concrete(to), Word::Concrete(from), Word::Concrete(size)) =
            (self.word(to), self.word(from), self.word(size))
        else {
            return self.copy_some(state, to, from, size, may_overlap);
        };
        if may_overlap {
            self.copy_overlapping(state, to, from, size)
        } else {
            self.copy(state, to, from, size)
        }
    }

    fn copy_some(
        &mut self,
        state: &mut State,
        to: ExprId,
        from: ExprId,
        size: ExprId,
        may_overlap: bool,
    ) -> Step {
        if let Word::Concrete(size @ 1..=MAX_MOVED) = self.word(size) {
            return self.move_few(state, to, from, size, may_overlap);
        }
        if self.touches_nothing(state, &[from, to], size) {
            return Ok(());
        }
        let from = self.choose_pointer(state, from, Access::Read)?;
        let to = self.choose_pointer(state, to, Access::Write)?;
        let length =
            self.bound_length(state, size, &[(from, Access::Read), (to, Access::Write)])?;
        if !may_overlap && from != to {
            let distance = self.pool.constant(64, to.abs_diff(from));
            let apart = self.pool.ule(size, distance);
            self.check(state, BugKind::OverlappingCopy, apart)?;
        }
        let is_dear =
            length > MAX_SYMBOLIC || [from, to].iter().any(|&at| state.memory.is_array(at));
        if length > MAX_MOVED && is_dear {
            let length = self.choose(state, size, "the length of a copy");
            return self.copy_overlapping(state, to, from, length);
        }
        let bytes: Vec<ExprId> =
            (0..length).map(|at| state.memory.load(&mut self.pool, from + at, 1)).collect();
        self.write_prefix(state, to, size, &bytes);
        Ok(())
    }

    /// Copies `size` bytes between addresses of whatever kind.
    fn move_few(
        &mut self,
        state: &mut State,
        to: ExprId,
        from: ExprId,
        size: u64,
        may_overlap: bool,
    ) -> Step {
        let from_range = self.range_of(state, from, size, Access::Read)?;
        let to_range = self.range_of(state, to, size, Access::Write)?;
        if !may_overlap && from_range.base == to_range.base {
            let length = self.pool.constant(64, size);
            let (forth, back) = (self.pool.sub(to, from), self.pool.sub(from, to));
            let [behind, before] = [forth, back].map(|distance| self.pool.ule(length, distance));
            let same = self.pool.eq(to, from);
            // Distances wrap: seen from one of the two, the other is far away.
            let apart = self.pool.and(behind, before);
            let safe = self.pool.or(same, apart);
            self.check(state, BugKind::OverlappingCopy, safe)?;
        }
        let bytes: Vec<ExprId> = (0..size)
            .map(|at| {
                let range = self.shifted(from_range, at);
                self.load_range(state, range, 1)
            })
            .collect();
        for (at, byte) in (0..).zip(bytes) {
            let range = self.shifted(to_range, at);
            self.store_range(state, range, 1, byte);
        }
        Ok(())
    }

    /// The object that `size` bytes at `address` lie in.
    pub(super) fn range_of(
        &mut self,
        state: &mut State,
        address: ExprId,
        size: u64,
        access: Access,
    ) -> Result<Range, Box<Stop>> {
        let Word::Concrete(at) = self.word(address) else {
            return self.resolve(state, address, size, access);
        };
        let place = match access {
            Access::Write => state.memory.resolve_write(at, size),
            _ => state.memory.resolve_read(at, size),
        };
        match place {
            Ok(_) | Err(Refusal::Symbolic) => {}
            Err(Refusal::Size) => self.check_size(state, at, size, access)?,
            Err(Refusal::Fault(fault)) => return Err(self.fault_bug(state, fault)),
        }
        let (base, ..) = state.memory.sizes(at).expect("it was resolved");
        let distance = at - base;
        let offset = self.pool.constant(64, distance);
        Ok(Range { base, offset, lowest: distance, highest: distance })
    }

    fn shifted(&mut self, range: Range, by: u64) -> Range {
        let distance = self.pool.constant(64, by);
        Range {
            base: range.base,
            offset: self.pool.add(range.offset, distance),
            lowest: range.lowest + by,
            highest: range.highest + by,
        }
    }

    /// memset with operands of whatever kind.
    pub(crate) fn fill_symbolic(
        &mut self,
        state: &mut State,
        to: ExprId,
        byte: ExprId,
        size: ExprId,
    ) -> Step {
        let byte = self.pool.extract(byte, 0, 8);
        let [to, size] = [to, size].map(|expr| self.settled(state, expr));
        if let (Word::Concrete(to), Word::Concrete(byte), Word::Concrete(size)) =
            (self.word(to), self.word(byte), self.word(size))
        {
            return self.fill(state, to, byte as u8, size);
        }
        if self.touches_nothing(state, &[to], size) {
            return Ok(());
        }
        let to = self.choose_pointer(state, to, Access::Write)?;
        let length = self.bound_length(state, size, &[(to, Access::Write)])?;
        let bytes = vec![byte; length as usize];
        self.write_prefix(state, to, size, &bytes);
        Ok(())
    }

    /// Whether no byte is meant on this path: then pointers may point anywhere. It is decided only
    /// where a pointer is symbolic, for then one byte at it is looked at.
    fn touches_nothing(&mut self, state: &mut State, pointers: &[ExprId], size: ExprId) -> bool {
        match self.word(size) {
            Word::Concrete(size) => size == 0,
            Word::Symbolic(_) if pointers.iter().all(|&at| self.pool.as_const(at).is_some()) => {
                false
            }
            Word::Symbolic(size) => {
                let zero = self.pool.constant(64, 0);
                let none = self.pool.eq(size, zero);
                self.decide(state, none)
            }
        }
    }

    /// A concrete pointer: one state goes on with each, if it is symbolic.
    pub(crate) fn choose_pointer(
        &mut self,
        state: &mut State,
        pointer: ExprId,
        access: Access,
    ) -> Result<u64, Box<Stop>> {
        if let Word::Concrete(pointer) = self.word(pointer) {
            return Ok(pointer);
        }
        // Wrong pointers are reported before one is chosen.
        self.resolve(state, pointer, 1, access)?;
        Ok(self.choose(state, pointer, "the address of a block of memory"))
    }

    /// Checks that the bytes exist for every length, and says how many there are at most.
    pub(super) fn bound_length(
        &mut self,
        state: &mut State,
        size: ExprId,
        ranges: &[(u64, Access)],
    ) -> Result<u64, Box<Stop>> {
        let mut most = MAX_LENGTH;
        for &(address, access) in ranges {
            let zero = self.pool.constant(64, 0);
            let none = self.pool.eq(size, zero);
            let room = match state.memory.sizes(address) {
                Some((base, ..)) if access == Access::Write && !state.memory.is_writable(base) => 0,
                Some((base, object_size, _)) if address - base <= object_size => {
                    object_size - (address - base)
                }
                _ => 0,
            };
            let symbolic =
                state.memory.sizes(address).and_then(|(base, _, size)| Some((base, size?)));
            let limit = self.pool.constant(64, room);
            let mut fits = self.pool.ule(size, limit);
            if let Some((base, object_size)) = symbolic {
                let skipped = self.pool.constant(64, address.wrapping_sub(base));
                let end = self.pool.add(size, skipped);
                let inside = self.pool.ule(end, object_size);
                fits = self.pool.and(fits, inside);
            }
            let safe = self.pool.or(none, fits);
            self.check_with(state, safe, |engine, state, model| {
                let length = engine.pool.eval(size, model) as u64;
                engine.fault(state, access, address, length)
            })?;
            most = most.min(room);
        }
        if let Word::Concrete(size) = self.word(size) {
            return Ok(size);
        }
        let (_, highest) = self.pool.range(size);
        if highest > u128::from(most) {
            let limit = self.pool.constant(64, most);
            let short = self.pool.ule(size, limit);
            let long = self.pool.not(short);
            let site = self.own_site(state);
            let what = format!("symbolic lengths of more than {most} bytes");
            // Where it happened once the solver is not asked again.
            if !self.pool.eval_bool(short, &state.model)
                || self.ledger.has(site, &what)
                || self.may_hold(state, long)
            {
                self.ledger.record(site, what);
            }
            self.assume(state, short)?;
        }
        Ok((highest as u64).min(most))
    }

    /// Whether `condition` can hold, as far as a short look tells.
    fn may_hold(&mut self, state: &mut State, condition: ExprId) -> bool {
        let answer = self.solver.brief(&mut self.pool, &state.path, condition, Some(&state.model));
        !matches!(answer, Some(fathom_solver::Answer::Unsat))
    }

    /// Writes as many of `bytes` as `size` says.
    fn write_prefix(&mut self, state: &mut State, to: u64, size: ExprId, bytes: &[ExprId]) {
        for (at, &byte) in (0..).zip(bytes) {
            let index = self.pool.constant(64, at);
            let within = self.pool.ult(index, size);
            let old = state.memory.load(&mut self.pool, to + at, 1);
            let new = self.pool.ite(within, byte, old);
            state.memory.store(&mut self.pool, to + at, 1, new);
        }
    }
}
