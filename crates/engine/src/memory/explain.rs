//! What is known of an address that cannot be accessed.

use fathom_ir::layout::{STACK_FIRST, WINDOW, window_base, window_of};

use super::{Memory, Object, ObjectKind, StackObject};
use crate::outcome::{Access, Fault, FaultKind, Trace};

/// How far below a window its dead object's first window is looked for.
const REACH: u32 = 1 << 16;

/// What reports say about an object.
#[derive(Clone, Debug)]
pub struct ObjectView {
    pub base: u64,
    pub size: u64,
    pub kind: ObjectKind,
    pub writable: bool,
    pub allocated: Trace,
    pub freed: Option<Trace>,
}

impl ObjectView {
    fn of(object: &Object) -> Self {
        Self {
            base: object.base,
            size: object.size,
            kind: object.kind.clone(),
            writable: object.writable,
            allocated: object.allocated,
            freed: object.freed.as_deref().copied(),
        }
    }

    fn stack(object: &StackObject, freed: Option<Trace>) -> Self {
        Self {
            base: object.base,
            size: object.size,
            kind: ObjectKind::Stack { site: object.site, variable: object.variable },
            writable: true,
            allocated: Trace::default(),
            freed,
        }
    }
}

impl Memory {
    /// Why an access that was refused is a fault.
    #[cold]
    pub fn explain(&self, access: Access, address: u64, size: u64) -> Fault {
        let fault = |kind| Fault { kind, access, address, size };
        if address < 1 << 16 {
            return fault(FaultKind::Null);
        }
        match self.object_at(address) {
            Some(object) if object.freed.is_some() => fault(FaultKind::Dead),
            Some(object)
                if access == Access::Write
                    && !object.writable
                    && address.wrapping_sub(object.base) < object.size =>
            {
                fault(FaultKind::ReadOnly)
            }
            Some(_) => fault(FaultKind::OutOfBounds),
            None if self.dead_stack_object(address).is_some() => fault(FaultKind::Dead),
            None => fault(FaultKind::OutOfBounds),
        }
    }

    /// The object, live or quarantined, that owns the window of `address`.
    pub fn object_at(&self, address: u64) -> Option<ObjectView> {
        if window_base(window_of(address)) != address & !(WINDOW - 1) {
            return None;
        }
        if window_of(address) >= STACK_FIRST {
            return self.stack_object(address).map(|at| ObjectView::stack(&self.stack[at], None));
        }
        self.heap_object(address).map(|(_, object)| ObjectView::of(object))
    }

    /// The object that owns the window of `address` and its first window, live or not.
    pub(super) fn heap_object(&self, address: u64) -> Option<(u32, &Object)> {
        let window = window_of(address);
        if let Some(object) = self.store.get(window) {
            return Some((window, object));
        }
        let (first, object) = self.store.below(window, REACH)?;
        (window <= window_of(object.base + object.size)).then_some((first, object))
    }

    /// The live stack object that owns the window of `address`.
    pub(super) fn stack_object(&self, address: u64) -> Option<usize> {
        let window = window_of(address);
        let live = &self.stack[..self.n_stack];
        let after = live.partition_point(|object| object.first_window <= window);
        let object = live[..after].last()?;
        (window < object.first_window + object.n_windows).then(|| after - 1)
    }

    /// What a dangling pointer into the stack pointed to, if the record is still there.
    pub fn dead_stack_object(&self, address: u64) -> Option<ObjectView> {
        let window = window_of(address);
        self.stack[self.n_stack..]
            .iter()
            .find(|o| (o.first_window..o.first_window + o.n_windows).contains(&window))
            .map(|object| ObjectView::stack(object, Some(Trace::default())))
    }
}
