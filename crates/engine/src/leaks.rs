//! `--check-leaks`: heap objects that nothing points to when the program exits.

use std::collections::BTreeSet;

use crate::engine::Engine;
use crate::memory::ObjectKind;
use crate::outcome::{Bug, BugKind, Stop};
use crate::state::State;

impl Engine<'_> {
    /// The largest object of the program's own that was lost, as a bug; `None` if there is none.
    pub(crate) fn leak(&mut self, state: &State) -> Option<Stop> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<u64> = vec![state.thread_pointer];
        for object in state.memory.live_objects() {
            if !matches!(object.kind, ObjectKind::Heap) {
                open.push(object.base);
            }
        }
        open.extend(state.memory.stack_bases());
        open.extend(self.held_values(state));
        while let Some(address) = open.pop() {
            let Some((base, _, _)) = state.memory.sizes(address) else { continue };
            if reached.insert(base) {
                open.extend(self.pointers_in(state, base));
            }
        }
        let lost = state.memory.live_objects().filter(|object| {
            let own = object.allocated.sites().iter().any(|site| self.program.is_own(site.loc));
            own && matches!(object.kind, ObjectKind::Heap) && !reached.contains(&object.base)
        });
        let lost: Vec<_> = lost.collect();
        let largest = lost.iter().max_by_key(|object| (object.size, object.base))?;
        let bytes: u64 = lost.iter().map(|object| object.size).sum();
        let message = match lost.len() {
            1 => format!("{bytes} bytes are lost at exit"),
            n => format!("{bytes} bytes in {n} objects are lost at exit"),
        };
        Some(Stop::Bug(Box::new(Bug {
            kind: BugKind::Leak,
            message,
            stack: largest.allocated.sites().to_vec(),
            fault: None,
            object: state.memory.object_at(largest.base),
        })))
    }

    /// The values of variables that are not in memory, in the program's own functions that have
    /// not returned.
    fn held_values(&self, state: &State) -> Vec<u64> {
        let mut values = Vec::new();
        let mut fp = state.fp;
        for frame in state.frames.iter().rev() {
            let function = &self.program.functions[frame.function];
            if self.program.is_own(function.loc) {
                let slots = fp..fp + function.frame_slots as usize;
                values.extend(slots.map(|at| match state.tag_at(at).filter(|_| frame.symbolic) {
                    Some(expr) => self.pool.eval(expr, &state.model) as u64,
                    None => state.slot_at(at),
                }));
            }
            // SAFETY: a frame's call instruction lives as long as the code.
            fp -= unsafe { (*frame.call).b } as usize;
        }
        values
    }

    /// The words of an object, as the state's model has them.
    fn pointers_in(&self, state: &State, base: u64) -> Vec<u64> {
        let Some((_, size, _)) = state.memory.sizes(base) else { return Vec::new() };
        let Ok(bytes) = state.memory.bytes(base, size) else { return Vec::new() };
        let mut bytes = bytes.to_vec();
        for (at, expr) in state.memory.symbols(base, size) {
            bytes[at as usize] = self.pool.eval(expr, &state.model) as u8;
        }
        let words = bytes.chunks_exact(8);
        words.map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes"))).collect()
    }
}
