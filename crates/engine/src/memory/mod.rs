//! Memory objects, the windows that name them, and checked access to their bytes.
//!
//! Every object has windows of its own (see [`fathom_ir::layout`]), so the window number of an
//! address indexes a flat table whose entry says which object lives there and how much of it may
//! be read and written. One look-up and one compare decide an access; everything else (dead
//! object, read-only object, shared or symbolic object, no object) makes that compare fail and is
//! sorted out in [`access`] off the fast path.
//!
//! The objects themselves are in a persistent map that forked states share; the table ([`view`])
//! is a cache of it that only the running state has.

mod access;
mod contents;
mod explain;
mod quarantine;
mod store;
mod symbolic;
mod view;

use std::rc::Rc;

use fathom_expr::ExprId;
use fathom_ir::layout::{
    self, HEAP_END, HEAP_FIRST, N_WINDOWS, STACK_FIRST, WINDOW_BITS, offset_in_window, window_base,
    window_of, windows_for,
};

use crate::outcome::{Access, Fault, FaultKind, Site, Trace};

pub(crate) use access::Refusal;
use contents::Contents;
pub use explain::ObjectView;
use quarantine::Quarantine;
use store::Store;
pub(crate) use view::{Entry, View};

/// Objects aligned more strictly than this keep their windows for good.
const REUSE_ALIGN: u64 = 4096;

/// Records of returned functions' objects that a forked state keeps.
const DEAD_RECORDS: usize = 8;

/// A live or quarantined object that is not on the stack.
#[derive(Clone, Debug)]
pub struct Object {
    pub base: u64,
    pub size: u64,
    pub kind: ObjectKind,
    pub writable: bool,
    pub allocated: Trace,
    /// Set when the object is dead.
    pub freed: Option<Box<Trace>>,
    /// The size, where only the solver knows it: at least `sure`, at most `size` bytes.
    pub size_expr: Option<ExprId>,
    pub sure: u64,
    contents: Option<Contents>,
    /// How many windows may be used again after its death.
    n_windows: u32,
}

/// Where an object comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Global(fathom_ir::GlobalId),
    Heap,
    /// Made by `mmap`.
    Mapping,
    /// Made by the engine: an argument string, the initial stack, a save area.
    Engine(&'static str),
    Stack {
        site: Site,
        variable: u32,
    },
}

/// An object on the stack.
#[derive(Clone, Debug)]
struct StackObject {
    base: u64,
    size: u64,
    first_window: u32,
    n_windows: u32,
    site: Site,
    variable: u32,
    size_expr: Option<ExprId>,
    sure: u64,
    /// Dead records keep theirs for the next object of the same size.
    contents: Option<Rc<Contents>>,
}

/// A point in the life of the stack: objects made after it are freed on return to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackMark(pub u32);

/// All memory of one state.
pub struct Memory {
    /// Only the running state has one.
    view: Option<Box<View>>,
    /// Of the view, or null.
    table: *const Entry,
    store: Store,
    heap_next: u32,
    quarantine: Quarantine,
    stack: Vec<StackObject>,
    n_stack: usize,
    stack_window: u32,
    stack_bytes: u64,
    stack_limit: u64,
    live_bytes: u64,
    peak_bytes: u64,
    n_live: u64,
}

/// Why memory could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl Memory {
    /// Empty memory, unless the host refuses the address space for it.
    pub fn new(stack_limit: u64) -> Result<Self, OutOfMemory> {
        let mut memory = Self {
            view: None,
            table: std::ptr::null(),
            store: Store::default(),
            heap_next: HEAP_FIRST,
            quarantine: Quarantine::default(),
            stack: Vec::new(),
            n_stack: 0,
            stack_window: STACK_FIRST,
            stack_bytes: 0,
            stack_limit,
            live_bytes: 0,
            peak_bytes: 0,
            n_live: 0,
        };
        memory.attach(Box::new(View::new()?));
        Ok(memory)
    }

    /// Makes this the memory whose objects the table shows.
    pub(crate) fn attach(&mut self, view: Box<View>) {
        self.table = view.table();
        self.view = Some(view);
    }

    /// Gives the table away, empty.
    pub(crate) fn detach(&mut self) -> Box<View> {
        let mut view = self.view.take().expect("the running state has the table");
        self.table = std::ptr::null();
        view.clear();
        view
    }

    /// A copy for a forked state. From now on each writes its own copy of what both see.
    pub(crate) fn fork(&mut self) -> Self {
        if let Some(view) = &mut self.view {
            view.make_read_only();
        }
        let mut stack = self.stack[..self.n_stack].to_vec();
        let dead = self.stack[self.n_stack..].iter().take(DEAD_RECORDS);
        stack.extend(dead.map(|object| StackObject { contents: None, ..object.clone() }));
        Self {
            view: None,
            table: std::ptr::null(),
            store: self.store.clone(),
            quarantine: self.quarantine.clone(),
            stack,
            ..*self
        }
    }

    fn view_mut(&mut self) -> &mut View {
        self.view.as_mut().expect("the running state has the table")
    }

    /// The table's address, for the interpreter's fast path.
    pub(crate) fn table(&self) -> *const Entry {
        self.table
    }

    /// Host bytes behind live objects: now and at most.
    pub fn live_bytes(&self) -> (u64, u64) {
        (self.live_bytes, self.peak_bytes)
    }

    /// How many objects are live, the stack's left out.
    pub fn n_live(&self) -> u64 {
        self.n_live
    }

    /// Lets objects that are yet to be made lie elsewhere than they would.
    pub(crate) fn shift(&mut self) {
        /// Windows; a prime, so that little else comes out the same.
        const BY: u32 = 61;
        self.heap_next += BY;
        self.stack_window += BY;
    }

    // ---- making and freeing objects ------------------------------------------------------

    /// A new zeroed object at a fresh address.
    pub fn allocate(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        allocated: Trace,
    ) -> Result<u64, OutOfMemory> {
        if size > 1 << 36 || align > 1 << 30 {
            return Err(OutOfMemory);
        }
        let n_windows = windows_for(size, align);
        let first = self.take_windows(n_windows, align)?;
        let base = if align > layout::WINDOW {
            (window_base(first) + align - 1) & !(align - 1)
        } else {
            window_base(first) + offset_in_window(first, align)
        };
        let n_windows = if align <= REUSE_ALIGN { n_windows } else { 0 };
        let mut contents = Contents::zeroed(size);
        let data = contents.own_data().expect("nobody shares it yet");
        let entry = Entry { base, data, readable: size, writable: size };
        self.view_mut().show(window_of(base)..=window_of(base + size), entry);
        let object = Object {
            base,
            size,
            kind,
            writable: true,
            allocated,
            freed: None,
            size_expr: None,
            sure: size,
            contents: Some(contents),
            n_windows,
        };
        self.insert(object);
        Ok(base)
    }

    /// A new zeroed object at a given address, if its windows are free.
    pub fn allocate_at(
        &mut self,
        base: u64,
        size: u64,
        kind: ObjectKind,
        allocated: Trace,
    ) -> Result<(), OutOfMemory> {
        let windows = window_of(base)..=window_of(base.checked_add(size).ok_or(OutOfMemory)?);
        let plausible = base >= 1 << 16 && size <= 1 << 32 && *windows.end() < HEAP_END;
        if !plausible || window_base(*windows.start()) != base & !(layout::WINDOW - 1) {
            return Err(OutOfMemory);
        }
        if windows.clone().any(|window| self.heap_object(window_base(window)).is_some()) {
            return Err(OutOfMemory);
        }
        self.insert(Object {
            base,
            size,
            kind,
            writable: true,
            allocated,
            freed: None,
            size_expr: None,
            sure: size,
            contents: Some(Contents::zeroed(size)),
            n_windows: 0,
        });
        Ok(())
    }

    /// Puts a global where the program says it lives.
    pub fn place_global(&mut self, id: fathom_ir::GlobalId, global: &fathom_ir::Global) {
        let mut contents = Contents::zeroed(global.size);
        contents.slice_mut(0, global.init.len()).copy_from_slice(&global.init);
        self.insert(Object {
            base: global.address,
            size: global.size,
            kind: ObjectKind::Global(id),
            writable: !global.constant,
            allocated: Trace::default(),
            freed: None,
            size_expr: None,
            sure: global.size,
            contents: Some(contents),
            n_windows: 0,
        });
    }

    fn insert(&mut self, object: Object) {
        self.live_bytes += object.size;
        self.peak_bytes = self.peak_bytes.max(self.live_bytes);
        self.n_live += 1;
        self.store.insert(window_of(object.base), object);
    }

    fn take_windows(&mut self, n_windows: u32, align: u64) -> Result<u32, OutOfMemory> {
        if align <= REUSE_ALIGN
            && let Some(window) = self.quarantine.release(n_windows)
        {
            self.store.remove(window);
            return Ok(window);
        }
        let step = (align >> WINDOW_BITS).max(1) as u32;
        let first = self.heap_next.next_multiple_of(step);
        let next = first.checked_add(n_windows + step).filter(|&end| end <= HEAP_END);
        self.heap_next = next.ok_or(OutOfMemory)?;
        if n_windows == 1 && step == 1 {
            self.heap_next = first + 1;
        }
        Ok(first)
    }

    /// Frees a heap object or mapping by its base address. The record stays in quarantine.
    pub fn free(&mut self, base: u64, freed: Trace) -> Result<(), Fault> {
        let fault = |kind| Fault { kind, access: Access::Free, address: base, size: 0 };
        let window = window_of(base);
        let kind = match self.store.get(window) {
            Some(object) if object.base != base => Some(FaultKind::InvalidFree),
            Some(object) if object.freed.is_some() => Some(FaultKind::DoubleFree),
            Some(object) if !matches!(object.kind, ObjectKind::Heap | ObjectKind::Mapping) => {
                Some(FaultKind::InvalidFree)
            }
            Some(_) => None,
            None => Some(FaultKind::InvalidFree),
        };
        if let Some(kind) = kind {
            return Err(fault(kind));
        }
        let object = self.store.get_mut(window).expect("just seen");
        object.freed = Some(Box::new(freed));
        object.contents = None;
        let (size, windows) = (object.size, object.n_windows);
        self.view_mut().hide(window..=window_of(base + size));
        self.live_bytes -= size;
        self.n_live -= 1;
        if windows > 0 {
            self.quarantine.admit(window, windows);
        }
        Ok(())
    }

    /// Makes an object read-only or writable again (`mprotect`, string tables of the engine).
    pub fn set_writable(&mut self, address: u64, writable: bool) {
        let Some((window, _)) = self.heap_object(address) else { return };
        let object = self.store.get_mut(window).expect("just seen");
        object.writable = writable;
        let windows = window..=window_of(object.base + object.size);
        self.view_mut().hide(windows);
    }

    /// Tells that only the solver knows the size of the object at `base`: at least `sure` bytes,
    /// at most what was allocated.
    pub(crate) fn set_symbolic_size(&mut self, base: u64, size: ExprId, sure: u64) {
        let window = window_of(base);
        let windows = if window >= STACK_FIRST {
            let object = self.stack[..self.n_stack].last_mut().expect("just made");
            (object.size_expr, object.sure) = (Some(size), sure);
            window..=object.first_window + object.n_windows - 1
        } else {
            let object = self.store.get_mut(window).expect("just made");
            (object.size_expr, object.sure) = (Some(size), sure);
            window..=window_of(base + object.size)
        };
        self.view_mut().hide(windows);
    }

    /// The object at `base`, whose size is symbolic, has at least `sure` bytes on this path.
    pub(crate) fn learn_size(&mut self, base: u64, sure: u64) {
        let window = window_of(base);
        let windows = if window >= STACK_FIRST {
            let Some(at) = self.stack_object(base) else { return };
            let object = &mut self.stack[at];
            object.sure = object.sure.max(sure);
            window..=object.first_window + object.n_windows - 1
        } else {
            let Some(object) = self.store.get_mut(window) else { return };
            object.sure = object.sure.max(sure);
            window..=window_of(base + object.size)
        };
        self.view_mut().hide(windows);
    }

    /// Settles the size of the object at `base`, which was symbolic.
    pub(crate) fn set_size(&mut self, base: u64, size: u64) {
        self.contents_mut(base);
        if let Some(at) = (window_of(base) >= STACK_FIRST).then(|| self.stack_object(base)) {
            if let Some(at) = at {
                let object = &mut self.stack[at];
                (object.size_expr, object.size, object.sure) = (None, size, size);
            }
        } else if let Some(object) = self.store.get_mut(window_of(base)) {
            (object.size_expr, object.size, object.sure) = (None, size, size);
        }
    }

    // ---- the stack -----------------------------------------------------------------------

    /// A new zeroed stack object. `None`: the stack is full.
    pub fn push_stack(&mut self, size: u64, align: u64, site: Site, variable: u32) -> Option<u64> {
        let stack_bytes = self.stack_bytes.checked_add(size.checked_next_multiple_of(16)?)?;
        if stack_bytes > self.stack_limit {
            return None;
        }
        let first_window = self.stack_window;
        let n_windows = windows_for(size, align);
        if first_window as usize + n_windows as usize >= N_WINDOWS {
            return None;
        }
        let base = window_base(first_window) + offset_in_window(first_window, align);
        let contents = self.stack_contents(size);
        let data = contents.data().expect("nobody shares it yet");
        let entry = Entry { base, data, readable: size, writable: size };
        self.view_mut().show(first_window..=first_window + n_windows - 1, entry);
        let object = StackObject {
            base,
            size,
            first_window,
            n_windows,
            site,
            variable,
            size_expr: None,
            sure: size,
            contents: Some(contents),
        };
        match self.stack.get_mut(self.n_stack) {
            Some(dead) => *dead = object,
            None => self.stack.push(object),
        }
        self.n_stack += 1;
        self.stack_window = first_window + n_windows;
        self.stack_bytes = stack_bytes;
        Some(base)
    }

    /// Zeroed bytes for the next stack object: the dead record's if they fit and nobody shares
    /// them.
    fn stack_contents(&mut self, size: u64) -> Rc<Contents> {
        let dead = self.stack.get_mut(self.n_stack).and_then(|dead| dead.contents.take());
        if let Some(mut contents) = dead
            && contents.len() as u64 == size
            && let Some(reused) = Rc::get_mut(&mut contents)
        {
            reused.clear();
            return contents;
        }
        Rc::new(Contents::zeroed(size))
    }

    pub fn stack_mark(&self) -> StackMark {
        StackMark(self.n_stack as u32)
    }

    /// Frees the stack objects made since `mark`. Their records stay until overwritten, so a
    /// dangling pointer can still be explained.
    #[inline(never)]
    pub fn pop_stack(&mut self, mark: StackMark) {
        while self.n_stack > mark.0 as usize {
            self.n_stack -= 1;
            let object = &self.stack[self.n_stack];
            let (first, last) = (object.first_window, object.first_window + object.n_windows - 1);
            self.stack_window = first;
            self.stack_bytes -= object.size.next_multiple_of(16);
            self.view_mut().hide(first..=last);
        }
    }

    /// All live objects that are not on the stack.
    pub fn live_objects(&self) -> impl Iterator<Item = &Object> {
        self.store.iter().filter(|object| object.freed.is_none())
    }
}
