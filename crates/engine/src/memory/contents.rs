//! What an object holds: concrete bytes, and expressions over some of them.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use std::collections::BTreeMap;

use fathom_expr::{ArrayId, ExprId};

/// Bytes allocated on the host.
#[derive(Debug)]
pub(crate) struct Bytes {
    data: *mut u8,
    layout: Layout,
    size: usize,
}

impl Bytes {
    pub fn zeroed(size: u64) -> Self {
        let layout = Self::layout(size);
        // SAFETY: the layout is not empty.
        Self::of(unsafe { alloc_zeroed(layout) }, layout, size)
    }

    fn layout(size: u64) -> Layout {
        Layout::from_size_align(size.max(1) as usize, 16)
            .expect("object sizes are bounded by the address space")
    }

    fn of(data: *mut u8, layout: Layout, size: u64) -> Self {
        if data.is_null() {
            handle_alloc_error(layout);
        }
        Self { data, layout, size: size as usize }
    }

    /// Where they are. The interpreter writes through this pointer while nothing borrows them.
    pub fn data(&self) -> *mut u8 {
        self.data
    }

    pub fn len(&self) -> usize {
        self.size
    }

    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: `size` bytes are allocated and initialised.
        unsafe { std::slice::from_raw_parts(self.data, self.size) }
    }

    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `&mut self` makes it unique.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.size) }
    }
}

impl Clone for Bytes {
    fn clone(&self) -> Self {
        let size = self.size as u64;
        let layout = Self::layout(size);
        // SAFETY: the layout is not empty; both have `size` bytes.
        unsafe {
            let copy = Self::of(alloc(layout), layout, size);
            std::ptr::copy_nonoverlapping(self.data, copy.data, self.size);
            copy
        }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.data, self.layout) }
    }
}

const CHUNK: u64 = 64;

/// The bytes of an object that are symbolic: expressions of 8 bits by offset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    chunks: BTreeMap<u64, Box<[Option<ExprId>; CHUNK as usize]>>,
    count: u64,
}

impl Symbols {
    pub fn get(&self, offset: u64) -> Option<ExprId> {
        if self.count == 0 {
            return None;
        }
        self.chunks.get(&(offset / CHUNK))?[(offset % CHUNK) as usize]
    }

    pub fn set(&mut self, offset: u64, expr: Option<ExprId>) {
        if expr.is_none() && !self.chunks.contains_key(&(offset / CHUNK)) {
            return;
        }
        let chunk = self.chunks.entry(offset / CHUNK);
        let chunk = chunk.or_insert_with(|| Box::new([None; CHUNK as usize]));
        let place = &mut chunk[(offset % CHUNK) as usize];
        self.count = self.count + u64::from(expr.is_some()) - u64::from(place.is_some());
        *place = expr;
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether one of `size` bytes from `offset` on is symbolic.
    pub fn any(&self, offset: u64, size: u64) -> bool {
        self.range(offset, size).next().is_some()
    }

    /// The symbolic ones of `size` bytes from `offset` on, ascending.
    pub fn range(&self, offset: u64, size: u64) -> impl Iterator<Item = (u64, ExprId)> {
        let end = offset.saturating_add(size);
        let last = if self.count == 0 { 0 } else { end.div_ceil(CHUNK) };
        let first = (offset / CHUNK).min(last);
        self.chunks.range(first..last).flat_map(move |(chunk, exprs)| {
            let base = chunk * CHUNK;
            let places = exprs.iter().enumerate().map(move |(at, expr)| (base + at as u64, *expr));
            places
                .filter(move |(at, _)| (offset..end).contains(at))
                .filter_map(|(at, expr)| Some((at, expr?)))
        })
    }
}

/// Bytes, and what is known of the symbolic ones among them.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    pub bytes: Bytes,
    pub symbols: Symbols,
    /// Set once something was written where only the solver knows: the whole object as an array,
    /// which then stands for `bytes` and `symbols`.
    pub array: Option<ArrayId>,
}

impl Contents {
    pub fn zeroed(size: u64) -> Self {
        Self { bytes: Bytes::zeroed(size), symbols: Symbols::default(), array: None }
    }

    /// Every byte is concrete.
    pub fn is_concrete(&self) -> bool {
        self.symbols.is_empty() && self.array.is_none()
    }

    /// `size` bytes from `offset` on are concrete.
    pub fn is_concrete_at(&self, offset: u64, size: u64) -> bool {
        self.is_concrete() || (self.array.is_none() && !self.symbols.any(offset, size))
    }

    /// All bytes become zero and concrete, as in a new object.
    pub fn clear(&mut self) {
        self.bytes.as_mut_slice().fill(0);
        self.symbols = Symbols::default();
        self.array = None;
    }
}
