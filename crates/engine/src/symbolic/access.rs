//! Loads and stores off the fast path: shared objects, symbolic bytes, symbolic addresses.

use fathom_expr::{BinaryOp, ExprId, View};
use fathom_ir::inst::{Indexed, Inst, Op, Table};
use fathom_ir::layout::WINDOW_BITS;
use fathom_solver::Answer;

use super::operands::{OPERANDS, READS_A, READS_B, READS_D};
use super::ops;
use crate::engine::Engine;
use crate::memory::Refusal;
use crate::outcome::{Access, Stop};
use crate::state::State;
use crate::step::Step;

/// Objects a symbolic pointer may lead to before the rest is left out.
const MAX_OBJECTS: usize = 32;
/// Places where it may be wrong in different ways before the rest is left out.
const MAX_FAULTS: usize = 8;

/// Bytes of an object at a symbolic offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub base: u64,
    /// 64 bits, and within these bounds.
    pub offset: ExprId,
    pub lowest: u64,
    pub highest: u64,
}

impl Engine<'_> {
    /// A load or store of up to 8 bytes with operands of whatever kind.
    pub(crate) fn exec_access(&mut self, state: &mut State, i: &Inst) -> Step {
        let size = access_size(i.op);
        let is_store = OPERANDS[i.op as usize] & READS_D != 0
            || matches!(i.op, Op::Store8I | Op::Store16I | Op::Store32I | Op::Store64I);
        let address = self.access_address(state, i);
        let address = self.settle_address(state, address);
        if is_store {
            let value = match i.op {
                Op::Store8I | Op::Store16I | Op::Store32I | Op::Store64I => Word::Concrete(i.imm),
                _ => match state.tag(i.d) {
                    Some(expr) => self.known(state, expr),
                    None => Word::Concrete(state.slot(i.d)),
                },
            };
            self.store(state, address, size, value)?;
        } else {
            let value = self.load(state, address, size)?;
            match value {
                Word::Concrete(value) if i.op == Op::LoadSext8To32 => {
                    state.set_slot(i.d, value as u8 as i8 as i32 as u32 as u64);
                }
                Word::Concrete(value) => state.set_slot(i.d, value),
                Word::Symbolic(expr) => {
                    let wide = match i.op {
                        Op::LoadSext8To32 => self.pool.sext(expr, 32),
                        _ => expr,
                    };
                    let wide = self.pool.zext(wide, 64);
                    self.set_value(state, i.d, wide);
                }
            }
        }
        self.advance(state);
        Ok(())
    }

    fn access_address(&mut self, state: &State, i: &Inst) -> Word {
        let flags = OPERANDS[i.op as usize];
        let tagged = |flag, slot| flags & flag != 0 && state.tag(slot).is_some();
        if !tagged(READS_A, i.a) && !tagged(READS_B, i.b) {
            return Word::Concrete(concrete_address(state, i));
        }
        let mut get = |pool: &mut _, slot| state.slot_expr(pool, slot);
        let address = ops::address(&mut self.pool, i, &mut get);
        self.word(address)
    }

    /// A number where the path leaves the address no choice. One that is a large term and not an
    /// index into one object is more than the solver can be asked about at every access: the path
    /// goes on with one value of it.
    fn settle_address(&mut self, state: &mut State, address: Word) -> Word {
        let Word::Symbolic(expr) = address else { return address };
        if let Some(value) = self.settled_value(state, expr) {
            return Word::Concrete(value);
        }
        if !self.is_large(expr) {
            return address;
        }
        let settled = self.settled(state, expr);
        if settled != expr {
            return self.word(settled);
        }
        match self.base_of(state, expr) {
            Some(_) => address,
            None => Word::Concrete(self.choose_address(state, expr)),
        }
    }

    fn choose_address(&mut self, state: &mut State, address: ExprId) -> u64 {
        let site = self.own_site(state);
        if let Some(policy) = &mut self.hooks.checks {
            policy.left_out(state, site);
        }
        self.choose(state, address, "an address")
    }

    /// The cheap layers of the solver do not know whether `safe` can be false; nor do the first
    /// steps of the others, which are asked once at each place. With relaxed checks nobody is asked.
    fn is_hard_to_tell(&mut self, state: &State, safe: ExprId) -> bool {
        if self.config.checks.relaxed
            || self.pool.is_true(safe)
            || state.path.contains(&mut self.pool, safe)
        {
            return false;
        }
        let (site, own_site) = (self.site(state), self.own_site(state));
        let policy = self.hooks.checks.as_mut();
        if let Some(is_hard) = policy.and_then(|policy| policy.is_hard(state, own_site)) {
            return is_hard;
        }
        let violated = self.pool.not(safe);
        let (pool, path, model) = (&mut self.pool, &state.path, Some(&state.model));
        let answer = match self.large_at.insert(site) {
            true => self.solver.brief(pool, path, violated, model),
            false => self.solver.quick(pool, path, violated, model),
        };
        if let Some(policy) = &mut self.hooks.checks {
            policy.found_hard(state, own_site, answer.is_none());
        }
        answer.is_none()
    }

    /// A term of which nobody knows how large it is.
    pub(super) fn is_large(&self, expr: ExprId) -> bool {
        self.pool.tree_size(expr) == u8::MAX
    }

    /// The expression, or its value if it is a constant.
    pub(super) fn word(&self, expr: ExprId) -> Word {
        self.pool.as_const(expr).map_or(Word::Symbolic(expr), Word::Concrete)
    }

    /// `size` bytes at `address`; an expression has 8 times as many bits.
    pub(super) fn load(
        &mut self,
        state: &mut State,
        address: Word,
        size: u64,
    ) -> Result<Word, Box<Stop>> {
        let address = match address {
            Word::Concrete(address) => address,
            Word::Symbolic(address) => {
                let range = self.resolve(state, address, size, Access::Read)?;
                let value = self.load_range(state, range, size);
                return Ok(self.known(state, value));
            }
        };
        let data = match state.memory.resolve_read(address, size) {
            Ok(data) => data,
            Err(Refusal::Fault(fault)) => return Err(self.fault_bug(state, fault)),
            Err(Refusal::Size) => {
                self.check_size(state, address, size, Access::Read)?;
                let value = state.memory.load(&mut self.pool, address, size);
                return Ok(self.known(state, value));
            }
            Err(Refusal::Symbolic) => {
                let value = state.memory.load(&mut self.pool, address, size);
                return Ok(self.known(state, value));
            }
        };
        let mut bytes = [0; 8];
        if size <= 8 {
            // SAFETY: `size` readable bytes are there.
            unsafe {
                std::ptr::copy_nonoverlapping(data.as_ptr(), bytes.as_mut_ptr(), size as usize)
            };
            return Ok(Word::Concrete(u64::from_le_bytes(bytes)));
        }
        let value = state.memory.load(&mut self.pool, address, size);
        Ok(Word::Symbolic(value))
    }

    /// What is loaded or stored: a number where the path leaves the input bytes it is made of no
    /// choice.
    fn known(&self, state: &State, value: ExprId) -> Word {
        self.settled_value(state, value).map_or(Word::Symbolic(value), Word::Concrete)
    }

    /// Writes `size` bytes, at most 8 of a concrete value; an expression has at least 8 times as
    /// many bits.
    pub(super) fn store(
        &mut self,
        state: &mut State,
        address: Word,
        size: u64,
        value: Word,
    ) -> Step {
        let address = match address {
            Word::Concrete(address) => address,
            Word::Symbolic(address) => {
                let range = self.resolve(state, address, size, Access::Write)?;
                let value = self.expr(value, 64);
                self.store_range(state, range, size, value);
                return Ok(());
            }
        };
        match state.memory.resolve_write(address, size) {
            Ok(data) => {
                if let Word::Concrete(value) = value {
                    let bytes = value.to_le_bytes();
                    // SAFETY: `size` writable bytes are there, and at most 8.
                    unsafe {
                        std::ptr::copy_nonoverlapping(bytes.as_ptr(), data.as_ptr(), size as usize);
                    }
                    return Ok(());
                }
            }
            Err(Refusal::Fault(fault)) => return Err(self.fault_bug(state, fault)),
            Err(Refusal::Size) => self.check_size(state, address, size, Access::Write)?,
            Err(Refusal::Symbolic) => {}
        }
        let value = self.expr(value, 64);
        state.memory.store(&mut self.pool, address, size, value);
        Ok(())
    }

    /// Loads `size` bytes from fp[a] + imm into slots from d on.
    pub(crate) fn load_words(&mut self, state: &mut State, i: &Inst, size: u64) -> Step {
        let base = state.slot_expr(&mut self.pool, i.a);
        for (slot, at) in (i.d..).zip((0..size).step_by(8)) {
            let distance = self.pool.constant(64, i.imm.wrapping_add(at));
            let address = self.pool.add(base, distance);
            let address = self.word(address);
            let value = self.load(state, address, (size - at).min(8))?;
            let value = self.expr(value, 64);
            let value = self.pool.zext(value, 64);
            self.set_value(state, slot, value);
        }
        Ok(())
    }

    /// Stores `size` bytes of the slots from d on to fp[a] + imm.
    pub(crate) fn store_words(&mut self, state: &mut State, i: &Inst, size: u64) -> Step {
        let base = state.slot_expr(&mut self.pool, i.a);
        for (slot, at) in (i.d..).zip((0..size).step_by(8)) {
            let distance = self.pool.constant(64, i.imm.wrapping_add(at));
            let address = self.pool.add(base, distance);
            let address = self.word(address);
            let value = state.tag(slot).map_or(Word::Concrete(state.slot(slot)), Word::Symbolic);
            self.store(state, address, (size - at).min(8), value)?;
        }
        Ok(())
    }

    pub(super) fn expr(&mut self, word: Word, width: u32) -> ExprId {
        match word {
            Word::Concrete(value) => self.pool.constant(width, value),
            Word::Symbolic(expr) => expr,
        }
    }

    pub(super) fn load_range(&mut self, state: &State, range: Range, size: u64) -> ExprId {
        let Range { base, offset, lowest, highest } = range;
        let (array, first) = state.memory.array(&mut self.pool, base, lowest, highest + size);
        let mut value = None;
        for at in (0..size).step_by(8) {
            let distance = self.pool.constant(64, at.wrapping_sub(first));
            let index = self.pool.add(offset, distance);
            let word = self.pool.read_word(array, index, (size - at).min(8) as u32);
            value = Some(match value {
                None => word,
                Some(low) => self.pool.concat(word, low),
            });
        }
        value.expect("at least one byte")
    }

    pub(super) fn store_range(
        &mut self,
        state: &mut State,
        range: Range,
        size: u64,
        value: ExprId,
    ) {
        let Range { base, offset, lowest, highest } = range;
        for at in 0..size {
            let byte = self.pool.extract(value, 8 * at as u32, 8);
            let distance = self.pool.constant(64, at);
            let index = self.pool.add(offset, distance);
            state.memory.store_at(&mut self.pool, base, index, lowest + at..=highest + at, byte);
        }
    }

    /// The bytes at `address` exist only where the object is large enough: reports the other case.
    pub(crate) fn check_size(
        &mut self,
        state: &mut State,
        address: u64,
        size: u64,
        access: Access,
    ) -> Step {
        let Some((base, _, Some(object_size))) = state.memory.sizes(address) else { return Ok(()) };
        let end = self.pool.constant(64, address - base + size);
        let safe = self.pool.ule(end, object_size);
        if !self.is_implied(state, safe) {
            self.check_with(state, safe, |engine, state, _| {
                engine.fault(state, access, address, size)
            })?;
        }
        state.memory.learn_size(base, address - base + size);
        Ok(())
    }

    /// Whether the domains of single bytes show that `condition`, part by part, holds on the path.
    fn is_implied(&mut self, state: &State, condition: ExprId) -> bool {
        let mut open = vec![condition];
        while let Some(part) = open.pop() {
            if let View::Binary(BinaryOp::And, a, b) = self.pool.view(part) {
                open.extend([a, b]);
                continue;
            }
            let not = self.pool.not(part);
            let answer = self.solver.glance(&mut self.pool, &state.path, not, &state.model);
            if !matches!(answer, Some(Answer::Unsat)) {
                return false;
            }
        }
        true
    }

    /// Finds the object that `size` bytes at a symbolic address lie in. Bugs are reported, and
    /// states fork, where it may lead elsewhere.
    pub(super) fn resolve(
        &mut self,
        state: &mut State,
        address: ExprId,
        size: u64,
        access: Access,
    ) -> Result<Range, Box<Stop>> {
        self.check_initialised(state, address);
        let derived = self.base_of(state, address);
        let wanted = match derived {
            Some(base) => base,
            None => self.pool.eval(address, &state.model) as u64,
        };
        let right = self.inside(state, address, wanted, size, access);
        let right = right
            .filter(|&(_, inside)| derived.is_some() || self.pool.eval_bool(inside, &state.model));
        let Some((base, inside)) = right else {
            // It leads nowhere in this model: a bug, unless it can lead elsewhere.
            return self.resolve_elsewhere(state, address, size, access);
        };
        if derived.is_some() {
            if self.is_large(address) && self.is_hard_to_tell(state, inside) {
                let at = self.choose_address(state, address);
                let address = self.pool.constant(64, at);
                return self.range_of(state, address, size, access);
            }
            self.check_with(state, inside, |engine, state, model| {
                let at = engine.pool.eval(address, model) as u64;
                engine.fault(state, access, at, size)
            })?;
        } else {
            self.part_by_object(state, address, size, access, (base, inside))?;
        }
        let (_, object_size, _) = state.memory.sizes(base).expect("it was found");
        let start = self.pool.constant(64, base);
        let offset = self.pool.sub(address, start);
        let (lowest, highest) = self.pool.range(offset);
        let last = object_size - size;
        let (lowest, highest) = (lowest as u64, (highest as u64).min(last));
        Ok(Range { base, offset, lowest: lowest.min(highest), highest })
    }

    /// The object that the address was computed from: a constant in the sum that points into one.
    fn base_of(&self, state: &State, address: ExprId) -> Option<u64> {
        let View::Binary(BinaryOp::Add, a, b) = self.pool.view(address) else { return None };
        [a, b].into_iter().find_map(|term| match self.pool.as_const(term) {
            Some(value) => state.memory.sizes(value).map(|_| value),
            None => self.base_of(state, term),
        })
    }

    /// The object at `wanted`, if the access may be in it, and the condition under which it is.
    fn inside(
        &mut self,
        state: &State,
        address: ExprId,
        wanted: u64,
        size: u64,
        access: Access,
    ) -> Option<(u64, ExprId)> {
        let (base, object_size, symbolic_size) = state.memory.sizes(wanted)?;
        if object_size < size || access == Access::Write && !state.memory.is_writable(base) {
            return None;
        }
        let start = self.pool.constant(64, base);
        let offset = self.pool.sub(address, start);
        let last = self.pool.constant(64, object_size - size);
        let mut inside = self.pool.ule(offset, last);
        if let Some(symbolic_size) = symbolic_size {
            let length = self.pool.constant(64, size);
            let end = self.pool.add(offset, length);
            let fits = self.pool.ule(end, symbolic_size);
            inside = self.pool.and(inside, fits);
        }
        Some((base, inside))
    }

    /// A state for each other object the pointer may lead to, and a report if it may lead to none.
    fn part_by_object(
        &mut self,
        state: &mut State,
        address: ExprId,
        size: u64,
        access: Access,
        (base, inside): (u64, ExprId),
    ) -> Step {
        if self.config.checks.relaxed {
            self.part_from_others(state, base, "a pointer", |engine, state, base| {
                engine.inside(state, address, base, size, access).map(|(_, inside)| inside)
            });
            return Ok(());
        }
        if self.advice(state).is_some() {
            return self.assume(state, inside);
        }
        if state.path.contains(&mut self.pool, inside) {
            return Ok(());
        }
        let mut rest = self.pool.not(inside);
        let (mut n_objects, mut n_faults) = (1, 0);
        loop {
            let changes = match self.ask_check(state, rest) {
                None | Some(Ok(Answer::Unsat)) => break,
                Some(Ok(Answer::Sat(changes))) => changes,
                Some(Err(failure)) => {
                    self.note_failure(state, "where a pointer leads", &failure);
                    break;
                }
            };
            if n_objects == MAX_OBJECTS {
                let site = self.own_site(state);
                let what = format!("a pointer may lead to more than {MAX_OBJECTS} objects");
                self.ledger.record(site, what);
                break;
            }
            if n_faults == MAX_FAULTS {
                self.note_faults(state);
                break;
            }
            let mut model = state.model.clone();
            model.update(&changes);
            let at = self.pool.eval(address, &model) as u64;
            let other = self.inside(state, address, at, size, access);
            let other = other.filter(|&(_, inside)| self.pool.eval_bool(inside, &model));
            let there = match other {
                Some((_, there)) => {
                    n_objects += 1;
                    // The other state executes the same instruction again, and finds that object.
                    if let Some(mut child) = self.fork(state, there, changes) {
                        child.origin.by_value = true;
                        self.forked.push(child);
                    }
                    there
                }
                None => {
                    n_faults += 1;
                    let stop = self.fault(state, access, at, size);
                    self.report(state, *stop, rest, model);
                    self.wrong_like(state, address, at, size, access)
                }
            };
            let not_there = self.pool.not(there);
            rest = self.pool.and(rest, not_there);
        }
        self.assume(state, inside)
    }

    /// The model's address is wrong: reports that, and the other ways in which it can be, and goes
    /// on with an address that is right, unless the pointer was made from an object that it leaves.
    fn resolve_elsewhere(
        &mut self,
        state: &mut State,
        address: ExprId,
        size: u64,
        access: Access,
    ) -> Result<Range, Box<Stop>> {
        let may_leave = self.base_of(state, address).is_none();
        let at = self.pool.eval(address, &state.model) as u64;
        let stop = self.fault(state, access, at, size);
        let here = self.wrong_like(state, address, at, size, access);
        let mut elsewhere = self.pool.not(here);
        for _ in 0..MAX_FAULTS {
            let changes = match self.ask(state, elsewhere) {
                Ok(Answer::Sat(changes)) => changes,
                Ok(Answer::Unsat) => return Err(stop),
                Err(failure) => {
                    self.note_failure(state, "where a pointer leads", &failure);
                    return Err(stop);
                }
            };
            let mut model = state.model.clone();
            model.update(&changes);
            let other = self.pool.eval(address, &model) as u64;
            let inside = self.inside(state, address, other, size, access);
            if may_leave && inside.is_some_and(|(_, inside)| self.pool.eval_bool(inside, &model)) {
                let whole = state.model.clone();
                self.report(state, *stop, here, whole);
                state.model.update(&changes);
                self.constrain(state, elsewhere);
                return self.resolve(state, address, size, access);
            }
            let wrong = self.wrong_like(state, address, other, size, access);
            let other_stop = self.fault(state, access, other, size);
            self.report(state, *other_stop, wrong, model);
            let not_wrong = self.pool.not(wrong);
            elsewhere = self.pool.and(elsewhere, not_wrong);
        }
        self.note_faults(state);
        Err(stop)
    }

    fn note_faults(&mut self, state: &State) {
        let site = self.own_site(state);
        let what = format!("a pointer may lead to more than {MAX_FAULTS} wrong places");
        self.ledger.record(site, what);
    }

    /// Where the access is wrong as it is at `at`: in the same window, which is a single object's, and
    /// like there in its bytes or around them.
    fn wrong_like(
        &mut self,
        state: &State,
        address: ExprId,
        at: u64,
        size: u64,
        access: Access,
    ) -> ExprId {
        let bits = self.pool.constant(64, WINDOW_BITS.into());
        let window = self.pool.lshr(address, bits);
        let its = self.pool.constant(64, at >> WINDOW_BITS);
        let same = self.pool.eq(window, its);
        let like = match self.inside(state, address, at, size, access) {
            Some((_, inside)) => self.pool.not(inside),
            None => match state.memory.sizes(at) {
                Some((base, object_size, _)) if object_size > 0 => {
                    let start = self.pool.constant(64, base);
                    let offset = self.pool.sub(address, start);
                    let last = self.pool.constant(64, object_size - 1);
                    let within = self.pool.ule(offset, last);
                    let is_within = at.wrapping_sub(base) < object_size;
                    if is_within { within } else { self.pool.not(within) }
                }
                _ => return same,
            },
        };
        self.pool.and(same, like)
    }
}

/// A value of up to 64 bits, or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Concrete(u64),
    Symbolic(ExprId),
}

/// The address of a load or store whose address operands are concrete.
#[rustfmt::skip]
fn concrete_address(state: &State, i: &Inst) -> u64 {
    let base = || state.slot(i.a);
    let sign_extended = || state.slot(i.b) as u32 as i32 as i64 as u64;
    let indexed = |index: u64| {
        let Indexed { scale, offset } = Indexed::unpack(i.imm);
        base().wrapping_add(index.wrapping_mul(scale.into())).wrapping_add(offset as i64 as u64)
    };
    let table = |index: u64| {
        let Table { base, scale } = Table::unpack(i.imm);
        base.wrapping_add(index.wrapping_mul(scale.into()))
    };
    match i.op {
        Op::Load8X | Op::Load16X | Op::Load32X | Op::Load64X
        | Op::Store8X | Op::Store16X | Op::Store32X | Op::Store64X => indexed(state.slot(i.b)),
        Op::Load8S | Op::Load16S | Op::Load32S | Op::Load64S
        | Op::Store8S | Op::Store16S | Op::Store32S | Op::Store64S => indexed(sign_extended()),
        Op::Load8T | Op::Load16T | Op::Load32T | Op::Load64T
        | Op::Store8T | Op::Store16T | Op::Store32T | Op::Store64T => table(state.slot(i.b)),
        Op::Load8TS | Op::Load16TS | Op::Load32TS | Op::Load64TS
        | Op::Store8TS | Op::Store16TS | Op::Store32TS | Op::Store64TS => table(sign_extended()),
        Op::Load8A | Op::Load16A | Op::Load32A | Op::Load64A
        | Op::Store8A | Op::Store16A | Op::Store32A | Op::Store64A => i.imm,
        Op::Store8I | Op::Store16I | Op::Store32I | Op::Store64I => {
            base().wrapping_add(i.b as i32 as i64 as u64)
        }
        _ => base().wrapping_add(i.imm),
    }
}

/// Bytes that a load or store of one slot moves.
#[rustfmt::skip]
fn access_size(op: Op) -> u64 {
    use Op::*;
    match op {
        Load16 | Load16X | Load16S | Load16A | Load16T | Load16TS
        | Store16 | Store16X | Store16S | Store16A | Store16T | Store16TS | Store16I => 2,
        Load32 | Load32X | Load32S | Load32A | Load32T | Load32TS
        | Store32 | Store32X | Store32S | Store32A | Store32T | Store32TS | Store32I => 4,
        Load64 | Load64X | Load64S | Load64A | Load64T | Load64TS
        | Store64 | Store64X | Store64S | Store64A | Store64T | Store64TS | Store64I => 8,
        _ => 1,
    }
}
