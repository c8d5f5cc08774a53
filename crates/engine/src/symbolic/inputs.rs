//! Symbolic inputs of a path.

use std::rc::Rc;

use fathom_expr::{ExprId, InputId, Var};

use super::fork::Parted;
use crate::engine::Engine;
use crate::outcome::Fault;
use crate::state::{Input, InputKind, State};
use crate::step::Step;

/// What the system finds under this name cannot be read like a file.
const WORKING_DIRECTORY: &str = ".";

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
        self.meet_seeds(&unique);
        self.fit_seeds(state, &unique, id);
        let input = Input { id, name: unique, size, kind };
        Rc::make_mut(&mut state.inputs).push(input);
        (0..size).map(|offset| self.pool.byte(id, offset)).collect()
    }

    /// Notes that seeds which have this object have a place in the run.
    fn meet_seeds(&mut self, name: &str) {
        let is_seeded = self.seeded.iter().any(|&input| self.pool.input_info(input).name == name);
        if is_seeded && !self.seeds_met.contains(name) {
            self.seeds_met.insert(name.to_owned());
        }
    }

    /// Seeds may have this object in another size: it is padded with zeros or cut.
    fn fit_seeds(&mut self, state: &mut State, name: &str, id: InputId) {
        if state.guide.is_some() {
            // The model has the bytes already.
            return;
        }
        let info = |input| self.pool.input_info(input);
        let seeded = self.seeded.iter().copied();
        let others: Vec<InputId> =
            seeded.filter(|&other| other != id && info(other).name == name).collect();
        for other in others {
            let [(from, old), (to, new)] =
                [other, id].map(|input| (info(input).first.0, info(input).size));
            let mut fitted = 0;
            let seeds = Rc::make_mut(&mut state.seeds);
            for model in seeds.iter_mut().chain([&mut state.model]) {
                if (0..old).any(|at| model.assigned(Var(from + at))) {
                    for at in 0..new {
                        let value = if at < old { model.get(Var(from + at)) } else { 0 };
                        model.set(Var(to + at), value);
                    }
                    fitted += 1;
                }
            }
            if fitted > 0 {
                let site = self.own_site(state);
                let how = if old < new { "padded with zeros" } else { "cut" };
                self.remarks.record_many(site, format!("a seed's {name} was {how}"), fitted);
            }
        }
    }

    /// Bytes that may be the name of a symbolic file, or of the working directory: a state goes
    /// on with each such name, and makes the call again.
    pub(crate) fn part_by_name(&mut self, state: &mut State, fault: Fault) {
        let inputs = state.inputs.clone();
        let files = inputs.iter().filter_map(|input| match &input.kind {
            InputKind::File(name) => Some(name.as_str()),
            _ => None,
        });
        for name in files.chain([WORKING_DIRECTORY]) {
            if name.len() as u64 >= fault.size {
                continue;
            }
            let same = self.is_text(state, fault.address, name);
            if self.pool.as_const(same).is_some() {
                continue;
            }
            let different = self.pool.not(same);
            let is_same = self.pool.eval_bool(same, &state.model);
            let (own, other) = if is_same { (same, different) } else { (different, same) };
            if let Parted::Fork(child) = self.part_in_two(state, own, other) {
                self.forked.push(child);
                self.keep_to(state, own, other);
            }
            if is_same {
                break;
            }
        }
    }

    /// Whether the bytes at `address` are `text` and its end.
    fn is_text(&mut self, state: &State, address: u64, text: &str) -> ExprId {
        let mut same = self.pool.bool(true);
        for (at, byte) in (0..).zip(text.bytes().chain([0])) {
            let here = state.memory.load(&mut self.pool, address + at, 1);
            let wanted = self.pool.constant(8, byte.into());
            let equal = self.pool.eq(here, wanted);
            same = self.pool.and(same, equal);
        }
        same
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
