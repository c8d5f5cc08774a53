//! What an object holds: concrete bytes, and expressions over some of them.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use fathom_expr::{ArrayId, ExprId};

/// Bytes allocated on the host. The interpreter writes through `data` while nothing borrows them.
#[derive(Debug)]
struct Bytes {
    data: *mut u8,
    layout: Layout,
    size: usize,
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
        Self { data, layout, size: size as usize }
    }

    fn as_slice(&self) -> &[u8] {
        // SAFETY: `size` bytes are allocated and initialised.
        unsafe { std::slice::from_raw_parts(self.data, self.size) }
    }

    fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `&mut self` makes it unique.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.size) }
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

/// Objects of at least this many bytes are copied page by page when they are shared.
const LARGE: usize = 16 << 10;
const PAGE: usize = 512;

/// Bytes, and what is known of the symbolic ones among them.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    base: Rc<Bytes>,
    /// Pages of a large shared object that differ from `base`.
    pages: BTreeMap<usize, Rc<[u8; PAGE]>>,
    /// All bytes in a row, once somebody has asked for a stretch over several pages.
    flat: OnceCell<Box<[u8]>>,
    pub symbols: Symbols,
    /// Set once something was written where only the solver knows: the whole object as an array,
    /// which then stands for the bytes and `symbols`.
    pub array: Option<ArrayId>,
}

impl Contents {
    pub fn zeroed(size: u64) -> Self {
        Self {
            base: Rc::new(Bytes::zeroed(size)),
            pages: BTreeMap::new(),
            flat: OnceCell::new(),
            symbols: Symbols::default(),
            array: None,
        }
    }

    pub fn len(&self) -> usize {
        self.base.size
    }

    /// Every byte is concrete.
    pub fn is_concrete(&self) -> bool {
        self.symbols.is_empty() && self.array.is_none()
    }

    /// `size` bytes from `offset` on are concrete.
    pub fn is_concrete_at(&self, offset: u64, size: u64) -> bool {
        self.is_concrete() || (self.array.is_none() && !self.symbols.any(offset, size))
    }

    /// Where the bytes are, if they are in one row.
    pub fn data(&self) -> Option<*mut u8> {
        self.pages.is_empty().then_some(self.base.data)
    }

    /// The same if nobody shares them, so that they may be written there.
    pub fn own_data(&mut self) -> Option<*mut u8> {
        (self.pages.is_empty() && Rc::get_mut(&mut self.base).is_some()).then_some(self.base.data)
    }

    pub fn slice(&self, offset: usize, size: usize) -> &[u8] {
        if self.pages.is_empty() {
            return &self.base.as_slice()[offset..offset + size];
        }
        let (first, last) = (offset / PAGE, (offset + size).saturating_sub(1) / PAGE);
        match self.pages.get(&first) {
            Some(page) if first == last => &page[offset % PAGE..offset % PAGE + size],
            None if self.pages.range(first..=last.max(first)).next().is_none() => {
                &self.base.as_slice()[offset..offset + size]
            }
            _ => &self.flat.get_or_init(|| self.flattened())[offset..offset + size],
        }
    }

    fn flattened(&self) -> Box<[u8]> {
        let mut bytes: Box<[u8]> = self.base.as_slice().into();
        for (page, contents) in &self.pages {
            let start = page * PAGE;
            let end = (start + PAGE).min(bytes.len());
            bytes[start..end].copy_from_slice(&contents[..end - start]);
        }
        bytes
    }

    /// Bytes to write: this object's own.
    pub fn slice_mut(&mut self, offset: usize, size: usize) -> &mut [u8] {
        self.flat.take();
        let own = self.pages.is_empty() && Rc::get_mut(&mut self.base).is_some();
        let page = offset / PAGE;
        if !own && self.len() >= LARGE && size > 0 && (offset + size - 1) / PAGE == page {
            let base = &self.base;
            let contents = self.pages.entry(page).or_insert_with(|| {
                let start = page * PAGE;
                let end = (start + PAGE).min(base.size);
                let mut contents = [0; PAGE];
                contents[..end - start].copy_from_slice(&base.as_slice()[start..end]);
                Rc::new(contents)
            });
            return &mut Rc::make_mut(contents)[offset % PAGE..offset % PAGE + size];
        }
        if !own {
            let bytes = self.flattened();
            let mut copy = Bytes::zeroed(bytes.len() as u64);
            copy.as_mut_slice().copy_from_slice(&bytes);
            self.base = Rc::new(copy);
            self.pages.clear();
        }
        let base = Rc::get_mut(&mut self.base).expect("nobody else has it");
        &mut base.as_mut_slice()[offset..offset + size]
    }

    /// All bytes become zero and concrete, as in a new object.
    pub fn clear(&mut self) {
        match Rc::get_mut(&mut self.base) {
            Some(base) => base.as_mut_slice().fill(0),
            None => self.base = Rc::new(Bytes::zeroed(self.base.size as u64)),
        }
        self.pages.clear();
        self.flat.take();
        self.symbols = Symbols::default();
        self.array = None;
    }
}
