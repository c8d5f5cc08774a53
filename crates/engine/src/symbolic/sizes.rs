//! Objects whose size is symbolic: allocated at a cap, with the size kept as an expression.

use fathom_expr::ExprId;
use fathom_ir::inst::Inst;

use super::access::Word;
use crate::engine::Engine;
use crate::outcome::BugKind;
use crate::state::State;
use crate::step::Step;

/// The largest object whose size stays symbolic.
const CAP: u64 = 64 << 10;

impl Engine<'_> {
    /// The sizes an object is allocated for: how large at most and at least, or bounds of that. Larger ones than the
    /// cap go on in a state of their own, which executes the instruction again with one size.
    pub(super) fn size_range(
        &mut self,
        state: &mut State,
        size: ExprId,
    ) -> Result<(u64, u64), Box<crate::outcome::Stop>> {
        if self.is_large(size) {
            let one = self.choose(state, size, "the size of an object");
            return Ok((one, one));
        }
        let cap = self.pool.constant(64, CAP);
        let small = self.pool.ule(size, cap);
        if !self.decide(state, small) {
            let one = self.concretise(state, size, "the size of a large object");
            return Ok((one, one));
        }
        let model = state.model.clone();
        let (least, most) =
            self.solver.rough_bounds(&mut self.pool, &state.path, size, CAP, &model);
        Ok((most, least))
    }

    /// An object of a symbolic number of bytes, made by `allocate`; its address, or 0.
    pub(crate) fn allocate_symbolic(
        &mut self,
        state: &mut State,
        size: ExprId,
        allocate: impl FnOnce(&mut Self, &mut State, u64) -> u64,
    ) -> Result<u64, Box<crate::outcome::Stop>> {
        if let Word::Concrete(size) = self.word(size) {
            return Ok(allocate(self, state, size));
        }
        let (most, least) = self.size_range(state, size)?;
        let address = allocate(self, state, most);
        if address != 0 && most != least {
            state.memory.set_symbolic_size(address, size, least);
        }
        Ok(address)
    }

    /// `count` elements of `size` bytes, either of them symbolic; 0 where the product overflows.
    pub(crate) fn calloc_symbolic(
        &mut self,
        state: &mut State,
        count: ExprId,
        size: ExprId,
    ) -> Result<u64, Box<crate::outcome::Stop>> {
        let [wide_count, wide_size] = [count, size].map(|term| self.pool.zext(term, 128));
        let product = self.pool.mul(wide_count, wide_size);
        let high = self.pool.extract(product, 64, 64);
        let zero = self.pool.constant(64, 0);
        let fits = self.pool.eq(high, zero);
        if !self.decide(state, fits) {
            return Ok(self.out_of_memory(state));
        }
        let size = self.pool.extract(product, 0, 64);
        self.allocate_symbolic(state, size, |engine, state, size| engine.allocate(state, size, 16))
    }

    pub(super) fn alloca_symbolic(&mut self, state: &mut State, i: &Inst, size: ExprId) -> Step {
        let site = self.site(state);
        let address = self.allocate_symbolic(state, size, |_, state, size| {
            state.memory.push_stack(size, 1 << i.x, site, i.a).unwrap_or(0)
        })?;
        if address == 0 {
            return Err(self.bug(state, BugKind::StackOverflow));
        }
        state.set_slot(i.d, address);
        self.advance(state);
        Ok(())
    }
}
