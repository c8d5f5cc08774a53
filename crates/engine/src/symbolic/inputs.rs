//! Symbolic inputs of a path.

use std::rc::Rc;

use fathom_expr::ExprId;

use crate::engine::Engine;
use crate::outcome::Fault;
use crate::state::{Input, InputKind, State};
use crate::step::Step;

impl Engine<'_> {
    /// A new input of `size` bytes; a name used before on this path gets a number.
    pub(crate) fn new_input(
        &mut self,
        state: &mut State,
        name: &str,
        size: u32,
        kind: InputKind,
    ) -> Vec<ExprId> {
        let taken = |name: &str| state.inputs.iter().any(|input| input.name == name);
        let mut unique = name.to_owned();
        let mut again = 0;
        while taken(&unique) {
            again += 1;
            unique = format!("{name}_{again}");
        }
        let id = self.pool.input(&unique, size);
        let input = Input { id, name: unique, size, kind };
        Rc::make_mut(&mut state.inputs).push(input);
        (0..size).map(|offset| self.pool.byte(id, offset)).collect()
    }

    /// Chooses values for the symbolic ones of these bytes; the path is bound to them.
    pub(crate) fn concretise_bytes(&mut self, state: &mut State, address: u64, size: u64) {
        state.memory.flatten(&mut self.pool, address);
        for (at, expr) in state.memory.symbols(address, size) {
            let value = self.concretise(state, expr, "bytes given to the system");
            state.memory.store_byte(address + at, value as u8);
        }
    }

    /// Chooses a size for the object at the fault's address, so that the access can be decided.
    pub(crate) fn settle_size(&mut self, state: &mut State, fault: Fault) -> Step {
        self.check_size(state, fault.address, fault.size, fault.access)?;
        if let Some((base, _, Some(size))) = state.memory.sizes(fault.address) {
            let size = self.concretise(state, size, "the size of an object given to the system");
            state.memory.set_size(base, size);
        }
        Ok(())
    }
}
