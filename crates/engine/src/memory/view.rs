//! The table the interpreter looks addresses up in: a cache of the running state's objects.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use fathom_ir::layout::N_WINDOWS;

use super::OutOfMemory;
use crate::pages::Pages;

/// What the table says about one window: the object living there, if any.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Entry {
    pub base: u64,
    pub data: *mut u8,
    /// Bytes that may be read and written from `base` on without further thought; 0 where
    /// nothing lives, or something that needs thought.
    pub readable: u64,
    pub writable: u64,
}

pub(super) const ENTRY_BITS: u32 = 5;
const _: () = assert!(size_of::<Entry>() == 1 << ENTRY_BITS);
pub(super) const ENTRY_MASK: u64 = ((N_WINDOWS as u64) - 1) << ENTRY_BITS;

const NOTHING: Entry = Entry { base: 0, data: std::ptr::null_mut(), readable: 0, writable: 0 };

/// In `listed`: the window is in `shown`, in `written`.
const SHOWN: u8 = 1;
const WRITTEN: u8 = 2;

/// The table, and which of its entries are in use.
pub(crate) struct View {
    table: Pages<Entry>,
    listed: Pages<u8>,
    lists: RefCell<Lists>,
}

#[derive(Default)]
struct Lists {
    /// Windows whose entries may differ from `NOTHING`.
    shown: Vec<u32>,
    /// Windows whose entries may allow writing.
    written: Vec<u32>,
}

impl View {
    pub fn new() -> Result<Self, OutOfMemory> {
        Ok(Self {
            table: Pages::reserve(N_WINDOWS)?,
            listed: Pages::reserve(N_WINDOWS)?,
            lists: RefCell::default(),
        })
    }

    pub fn table(&self) -> *const Entry {
        self.table.as_ptr()
    }

    pub fn entry(&self, window: u32) -> Entry {
        self.table[window as usize]
    }

    /// Enters an object into its windows. The table is a cache, so `&self` suffices.
    pub fn show(&self, windows: RangeInclusive<u32>, entry: Entry) {
        for window in windows {
            let index = window as usize;
            let wanted = if entry.writable > 0 { SHOWN | WRITTEN } else { SHOWN };
            let listed = self.listed[index];
            if listed & wanted != wanted {
                let mut lists = self.lists.borrow_mut();
                if listed & SHOWN == 0 {
                    lists.shown.push(window);
                }
                if wanted & !listed & WRITTEN != 0 {
                    lists.written.push(window);
                }
                self.listed.put(index, listed | wanted);
            }
            self.table.put(index, entry);
        }
    }

    /// Forgets what lives in `windows`.
    pub fn hide(&self, windows: RangeInclusive<u32>) {
        for window in windows {
            if self.listed[window as usize] != 0 {
                self.table.put(window as usize, NOTHING);
            }
        }
    }

    /// From now on every write is looked at first.
    pub fn make_read_only(&mut self) {
        let lists = self.lists.get_mut();
        for window in lists.written.drain(..) {
            self.table[window as usize].writable = 0;
            self.listed[window as usize] &= !WRITTEN;
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let lists = self.lists.get_mut();
        for window in lists.shown.drain(..) {
            self.table[window as usize] = NOTHING;
            self.listed[window as usize] = 0;
        }
        lists.written.clear();
    }
}
