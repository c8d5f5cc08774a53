//! Memory objects, the windows that name them, and checked access to their bytes.
//!
//! Every object has windows of its own (see [`fathom_ir::layout`]), so the window number of an
//! address indexes a flat table whose entry says which object lives there and how much of it may
//! be read and written. One look-up and one compare decide an access; everything else (dead
//! object, read-only object, no object) makes that compare fail and is sorted out by
//! [`Memory::explain`] off the fast path.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::collections::{HashMap, VecDeque};
use std::ptr::NonNull;

use fathom_ir::layout::{
    self, HEAP_END, HEAP_FIRST, N_WINDOWS, STACK_FIRST, WINDOW_BITS, offset_in_window, window_base,
    window_of, windows_for,
};

use crate::outcome::{Access, Fault, FaultKind, Site, Trace};
use crate::pages::Pages;

/// What the table says about one window: the object living there, if any.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Entry {
    base: u64,
    data: *mut u8,
    /// Bytes that may be read and written from `base` on; 0 where nothing lives.
    readable: u64,
    writable: u64,
}

const NOTHING: Entry = Entry { base: 0, data: std::ptr::null_mut(), readable: 0, writable: 0 };

const ENTRY_BITS: u32 = 5;
const _: () = assert!(size_of::<Entry>() == 1 << ENTRY_BITS);
const ENTRY_MASK: u64 = ((N_WINDOWS as u64) - 1) << ENTRY_BITS;

/// How many freed objects of one window, and of each larger number of windows, are kept apart
/// before their windows are used again. Their bytes are given back at once: only the record and
/// the addresses wait.
const QUARANTINE: usize = 1 << 16;
const QUARANTINE_LARGE: usize = 1 << 8;

/// Objects aligned more strictly than this keep their windows for good.
const REUSE_ALIGN: u64 = 4096;

/// The windows of freed objects by how many they are, oldest first.
#[derive(Default)]
struct Quarantine {
    single: VecDeque<u32>,
    large: HashMap<u32, VecDeque<u32>>,
}

impl Quarantine {
    fn admit(&mut self, first: u32, n_windows: u32) {
        match n_windows {
            1 => self.single.push_back(first),
            _ => self.large.entry(n_windows).or_default().push_back(first),
        }
    }

    /// The first of `n_windows` windows that have waited long enough.
    fn release(&mut self, n_windows: u32) -> Option<u32> {
        let (queue, least) = match n_windows {
            1 => (&mut self.single, QUARANTINE),
            _ => (self.large.get_mut(&n_windows)?, QUARANTINE_LARGE),
        };
        if queue.len() > least { queue.pop_front() } else { None }
    }
}

const STACK_BYTES: usize = 64 << 20;

/// A live or quarantined object that is not on the stack.
#[derive(Debug)]
pub struct Object {
    pub base: u64,
    pub size: u64,
    pub kind: ObjectKind,
    pub writable: bool,
    pub allocated: Trace,
    /// Set when the object is dead.
    pub freed: Option<Box<Trace>>,
    bytes: Option<Bytes>,
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

/// The bytes of one object, allocated on the host and zeroed.
#[derive(Debug)]
struct Bytes {
    data: *mut u8,
    layout: Layout,
}

impl Bytes {
    fn zeroed(size: u64) -> Self {
        let layout = Layout::from_size_align(size.max(1) as usize, 16)
            .expect("object sizes are bounded by the address space");
        // SAFETY: the layout is not empty.
        let data = unsafe { alloc_zeroed(layout) };
        if data.is_null() {
            handle_alloc_error(layout);
        }
        Self { data, layout }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: allocated in `zeroed` with this layout.
        unsafe { dealloc(self.data, self.layout) }
    }
}

/// An object on the stack; its bytes are in the stack's own arena.
#[derive(Clone, Copy, Debug)]
struct StackObject {
    base: u64,
    size: u64,
    first_window: u32,
    n_windows: u32,
    /// Where its bytes begin in the arena.
    arena_offset: usize,
    site: Site,
    variable: u32,
}

/// A point in the life of the stack: objects made after it are freed on return to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackMark(pub u32);

/// All memory of one state.
pub struct Memory {
    table: Pages<Entry>,
    /// Objects by their first window; a block per 256 windows, made when first needed.
    blocks: Vec<Option<Box<[Option<Object>; 256]>>>,
    heap_next: u32,
    quarantine: Quarantine,
    stack_bytes: Pages<u8>,
    stack: Vec<StackObject>,
    n_stack: usize,
    stack_window: u32,
    stack_top: usize,
    stack_limit: usize,
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
        let mut blocks = Vec::new();
        blocks.resize_with(N_WINDOWS / 256, || None);
        Ok(Self {
            table: Pages::reserve(N_WINDOWS)?,
            blocks,
            heap_next: HEAP_FIRST,
            quarantine: Quarantine::default(),
            stack_bytes: Pages::reserve(STACK_BYTES.max(stack_limit as usize))?,
            stack: Vec::new(),
            n_stack: 0,
            stack_window: STACK_FIRST,
            stack_top: 0,
            stack_limit: stack_limit as usize,
            live_bytes: 0,
            peak_bytes: 0,
            n_live: 0,
        })
    }

    /// The table's address, for the interpreter's fast path.
    pub(crate) fn table(&self) -> *const Entry {
        self.table.as_ptr()
    }

    /// Host bytes behind live objects: now and at most.
    pub fn live_bytes(&self) -> (u64, u64) {
        (self.live_bytes, self.peak_bytes)
    }

    /// How many objects are live, the stack's left out.
    pub fn n_live(&self) -> u64 {
        self.n_live
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
        self.insert(first, base, size, true, kind, allocated);
        if align <= REUSE_ALIGN
            && let Some(object) = self.slot_mut(first)
        {
            object.n_windows = n_windows;
        }
        Ok(base)
    }

    /// Puts a global where the program says it lives.
    pub fn place_global(&mut self, id: fathom_ir::GlobalId, global: &fathom_ir::Global) {
        let first = window_of(global.address);
        let kind = ObjectKind::Global(id);
        let bytes = self.insert(
            first,
            global.address,
            global.size,
            !global.constant,
            kind,
            Trace::default(),
        );
        // SAFETY: the object has `size` bytes and `init` is no longer than that.
        unsafe { std::ptr::copy_nonoverlapping(global.init.as_ptr(), bytes, global.init.len()) }
    }

    fn insert(
        &mut self,
        first: u32,
        base: u64,
        size: u64,
        writable: bool,
        kind: ObjectKind,
        allocated: Trace,
    ) -> *mut u8 {
        let bytes = Bytes::zeroed(size);
        let data = bytes.data;
        let entry = Entry { base, data, readable: size, writable: if writable { size } else { 0 } };
        for window in first..=window_of(base + size) {
            self.table[window as usize] = entry;
        }
        self.live_bytes += size;
        self.peak_bytes = self.peak_bytes.max(self.live_bytes);
        self.n_live += 1;
        let object = Object {
            base,
            size,
            kind,
            writable,
            allocated,
            freed: None,
            bytes: Some(bytes),
            n_windows: 0,
        };
        *self.slot_mut(window_of(base)) = Some(object);
        data
    }

    fn take_windows(&mut self, n_windows: u32, align: u64) -> Result<u32, OutOfMemory> {
        if align <= REUSE_ALIGN
            && let Some(window) = self.quarantine.release(n_windows)
        {
            *self.slot_mut(window) = None;
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
        let object = match self.slot_mut(window) {
            Some(object) if object.base == base => object,
            _ => return Err(fault(FaultKind::InvalidFree)),
        };
        if object.freed.is_some() {
            return Err(fault(FaultKind::DoubleFree));
        }
        if !matches!(object.kind, ObjectKind::Heap | ObjectKind::Mapping) {
            return Err(fault(FaultKind::InvalidFree));
        }
        object.freed = Some(Box::new(freed));
        object.bytes = None;
        let (size, windows) = (object.size, object.n_windows);
        for dead in window..=window_of(base + size) {
            self.table[dead as usize] = NOTHING;
        }
        self.live_bytes -= size;
        self.n_live -= 1;
        if windows > 0 {
            self.quarantine.admit(window, windows);
        }
        Ok(())
    }

    /// Makes an object read-only or writable again (`mprotect`, string tables of the engine).
    pub fn set_writable(&mut self, address: u64, writable: bool) {
        let window = window_of(address);
        let Some(base) = self.object_at(address).map(|object| object.base) else { return };
        if let Some(object) = self.slot_mut(window_of(base)) {
            object.writable = writable;
            let size = object.size;
            for window in window_of(base)..=window_of(base + size).max(window) {
                self.table[window as usize].writable = if writable { size } else { 0 };
            }
        }
    }

    // ---- the stack -----------------------------------------------------------------------

    /// A new zeroed stack object. `None`: the stack is full.
    pub fn push_stack(&mut self, size: u64, align: u64, site: Site, variable: u32) -> Option<u64> {
        let start = self.stack_top.next_multiple_of(16);
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        if end > self.stack_limit {
            return None;
        }
        let first_window = self.stack_window;
        let n_windows = windows_for(size, align);
        if first_window as usize + n_windows as usize >= N_WINDOWS {
            return None;
        }
        let base = window_base(first_window) + offset_in_window(first_window, align);
        // SAFETY: the arena is at least `stack_limit` bytes.
        let data = unsafe { self.stack_bytes.as_mut_ptr().add(start) };
        // SAFETY: as above; `end` is within the arena.
        unsafe { std::ptr::write_bytes(data, 0, size as usize) };
        let entry = Entry { base, data, readable: size, writable: size };
        self.table[first_window as usize] = entry;
        for window in first_window + 1..first_window + n_windows {
            self.table[window as usize] = entry;
        }
        let object = StackObject {
            base,
            size,
            first_window,
            n_windows,
            arena_offset: start,
            site,
            variable,
        };
        match self.stack.get_mut(self.n_stack) {
            Some(dead) => *dead = object,
            None => self.stack.push(object),
        }
        self.n_stack += 1;
        self.stack_window = first_window + n_windows;
        self.stack_top = end;
        Some(base)
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
            let object = self.stack[self.n_stack];
            for window in object.first_window..object.first_window + object.n_windows {
                self.table[window as usize] = NOTHING;
            }
            self.stack_window = object.first_window;
            self.stack_top = object.arena_offset;
        }
    }

    // ---- access --------------------------------------------------------------------------

    /// The host address of `size` readable bytes at `address`, if they are there.
    ///
    /// The bytes stay where they are until the object is freed.
    #[inline(always)]
    pub(crate) unsafe fn readable(
        table: *const Entry,
        address: u64,
        size: u64,
    ) -> Option<NonNull<u8>> {
        // SAFETY: `table` has `N_WINDOWS` entries and the mask keeps the index below that. An
        // entry that has bytes points to them.
        unsafe {
            let entry = entry_of(table, address);
            let offset = address.wrapping_sub((*entry).base);
            match offset.checked_add(size) {
                Some(end) if end <= (*entry).readable => {
                    Some(NonNull::new_unchecked((*entry).data.add(offset as usize)))
                }
                _ => None,
            }
        }
    }

    /// The host address of `size` writable bytes at `address`, if they are there.
    #[inline(always)]
    pub(crate) unsafe fn writable(
        table: *const Entry,
        address: u64,
        size: u64,
    ) -> Option<NonNull<u8>> {
        // SAFETY: as in `readable`.
        unsafe {
            let entry = entry_of(table, address);
            let offset = address.wrapping_sub((*entry).base);
            match offset.checked_add(size) {
                Some(end) if end <= (*entry).writable => {
                    Some(NonNull::new_unchecked((*entry).data.add(offset as usize)))
                }
                _ => None,
            }
        }
    }

    /// The bytes at `address`, all within one live object.
    pub fn slice(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        if size == 0 {
            return Ok(&[]);
        }
        // SAFETY: the table is ours; what it gives is `size` readable bytes.
        unsafe {
            match Self::readable(self.table(), address, size) {
                Some(data) => Ok(std::slice::from_raw_parts(data.as_ptr(), size as usize)),
                None => Err(self.explain(Access::Read, address, size)),
            }
        }
    }

    /// The writable bytes at `address`, all within one live object.
    pub fn slice_mut(&mut self, address: u64, size: u64) -> Result<&mut [u8], Fault> {
        if size == 0 {
            return Ok(&mut []);
        }
        // SAFETY: as in `slice`; `&mut self` makes it the only reference.
        unsafe {
            match Self::writable(self.table(), address, size) {
                Some(data) => Ok(std::slice::from_raw_parts_mut(data.as_ptr(), size as usize)),
                None => Err(self.explain(Access::Write, address, size)),
            }
        }
    }

    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.slice_mut(address, bytes.len() as u64)?.copy_from_slice(bytes);
        Ok(())
    }

    pub fn read_u32(&self, address: u64) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.slice(address, 4)?.try_into().expect("4 bytes")))
    }

    pub fn read_u64(&self, address: u64) -> Result<u64, Fault> {
        Ok(u64::from_le_bytes(self.slice(address, 8)?.try_into().expect("8 bytes")))
    }

    pub fn write_u32(&mut self, address: u64, value: u32) -> Result<(), Fault> {
        self.write(address, &value.to_le_bytes())
    }

    pub fn write_u64(&mut self, address: u64, value: u64) -> Result<(), Fault> {
        self.write(address, &value.to_le_bytes())
    }

    /// The bytes of a C string, without its terminator. Running off the object is a fault.
    pub fn c_string(&self, address: u64) -> Result<&[u8], Fault> {
        let available = match self.extent(address) {
            Some(rest) if rest > 0 => rest,
            _ => return Err(self.explain(Access::Read, address, 1)),
        };
        let bytes = self.slice(address, available)?;
        match bytes.iter().position(|&byte| byte == 0) {
            Some(length) => Ok(&bytes[..length]),
            None => Err(self.explain(Access::Read, address + available, 1)),
        }
    }

    /// How many bytes of its live object lie from `address` on, if it points into one.
    pub fn extent(&self, address: u64) -> Option<u64> {
        let entry = &self.table[window_of(address) as usize];
        let offset = address.wrapping_sub(entry.base);
        (offset <= entry.readable && entry.readable > 0).then(|| entry.readable - offset)
    }

    /// Whether a live object has bytes among the `size` bytes at `address`, which must not cross
    /// a window.
    pub fn touches_object(&self, address: u64, size: u64) -> bool {
        let entry = &self.table[window_of(address) as usize];
        let end = entry.base.saturating_add(entry.readable);
        entry.readable > 0 && address < end && entry.base < address.saturating_add(size)
    }

    // ---- explanation ---------------------------------------------------------------------

    /// Why an access that the fast path refused is a fault.
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

    /// The object, live or quarantined, that owns the window of `address` or lies nearest below
    /// it; for stack objects a record is made up.
    pub fn object_at(&self, address: u64) -> Option<ObjectView> {
        let window = window_of(address);
        if window_base(window) != address & !(layout::WINDOW - 1) {
            return None;
        }
        if window >= STACK_FIRST {
            return self.stack[..self.n_stack]
                .iter()
                .find(|o| (o.first_window..o.first_window + o.n_windows).contains(&window))
                .map(|object| ObjectView::stack(object, None));
        }
        let mut candidate = window;
        for _ in 0..=self.longest_run(window) {
            if let Some(object) = self.slot(candidate) {
                let covers = window <= window_of(object.base + object.size);
                return covers.then(|| ObjectView::of(object));
            }
            candidate = candidate.checked_sub(1)?;
        }
        None
    }

    /// How far below `window` its object's first window may be: read off the table while the
    /// object is live, else a bounded guess.
    fn longest_run(&self, window: u32) -> u32 {
        let entry = &self.table[window as usize];
        if entry.readable > 0 { window - window_of(entry.base) } else { 1024 }
    }

    /// What a dangling pointer into the stack pointed to, if the record is still there.
    pub fn dead_stack_object(&self, address: u64) -> Option<ObjectView> {
        let window = window_of(address);
        self.stack[self.n_stack..]
            .iter()
            .find(|o| (o.first_window..o.first_window + o.n_windows).contains(&window))
            .map(|object| ObjectView::stack(object, Some(Trace::default())))
    }

    /// All live objects that are not on the stack.
    pub fn live_objects(&self) -> impl Iterator<Item = &Object> {
        self.blocks
            .iter()
            .flatten()
            .flat_map(|block| block.iter().flatten())
            .filter(|object| object.freed.is_none())
    }

    fn slot(&self, window: u32) -> Option<&Object> {
        self.blocks[window as usize / 256].as_ref()?[window as usize % 256].as_ref()
    }

    fn slot_mut(&mut self, window: u32) -> &mut Option<Object> {
        let block = &mut self.blocks[window as usize / 256];
        let block = block.get_or_insert_with(|| Box::new([const { None }; 256]));
        &mut block[window as usize % 256]
    }
}

#[inline(always)]
unsafe fn entry_of(table: *const Entry, address: u64) -> *const Entry {
    let offset = address >> (WINDOW_BITS - ENTRY_BITS) & ENTRY_MASK;
    // SAFETY: the mask keeps the offset within the table.
    unsafe { table.byte_add(offset as usize) }
}

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
