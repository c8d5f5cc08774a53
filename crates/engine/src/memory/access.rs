//! Access to bytes: the fast path through the table, and what happens when it says no.

use std::ptr::NonNull;
use std::rc::Rc;

use fathom_expr::ExprId;
use fathom_ir::layout::{STACK_FIRST, WINDOW, WINDOW_BITS, window_base, window_of};

use super::contents::Contents;
use super::view::{ENTRY_BITS, ENTRY_MASK, Entry};
use super::{Memory, Object, StackObject};
use crate::outcome::{Access, Fault, FaultKind};

/// Why bytes at a concrete address cannot simply be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Fault(Fault),
    /// Some of the bytes are symbolic.
    Symbolic,
    /// Whether they exist depends on the object's symbolic size.
    Size,
}

/// The live object an address leads to.
pub(super) struct Place<'m> {
    pub base: u64,
    pub size: u64,
    pub sure: u64,
    pub size_expr: Option<ExprId>,
    pub writable: bool,
    pub contents: &'m Contents,
}

impl Memory {
    /// The host address of `size` readable bytes at `address`, if they are there.
    ///
    /// The bytes stay where they are until the object is freed or written after a fork.
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

    /// The live object that owns the window of `address`.
    pub(super) fn place(&self, address: u64) -> Option<Place<'_>> {
        let window = window_of(address);
        if window_base(window) != address & !(WINDOW - 1) {
            return None;
        }
        if window >= STACK_FIRST {
            let object = &self.stack[self.stack_object(address)?];
            let contents = object.contents.as_deref()?;
            let StackObject { base, size, sure, size_expr, .. } = *object;
            return Some(Place { base, size, sure, size_expr, writable: true, contents });
        }
        let (_, object) = self.heap_object(address)?;
        let contents = object.contents.as_ref()?;
        let Object { base, size, sure, size_expr, writable, .. } = *object;
        Some(Place { base, size, sure, size_expr, writable, contents })
    }

    /// The contents of the live object at `address` for writing, unshared; its windows leave the
    /// table.
    pub(super) fn contents_mut(&mut self, address: u64) -> Option<&mut Contents> {
        let window = window_of(address);
        if window >= STACK_FIRST {
            let at = self.stack_object(address)?;
            let view = self.view.as_ref().expect("the running state has the table");
            let object = &mut self.stack[at];
            view.hide(object.first_window..=object.first_window + object.n_windows - 1);
            return object.contents.as_mut().map(Rc::make_mut);
        }
        let (first, object) = self.heap_object(address)?;
        let last = window_of(object.base + object.size);
        self.view.as_ref().expect("the running state has the table").hide(first..=last);
        self.store.get_mut(first)?.contents.as_mut()
    }

    /// Reads that the table refused.
    #[cold]
    pub(crate) fn resolve_read(&self, address: u64, size: u64) -> Result<NonNull<u8>, Refusal> {
        let fault = || Refusal::Fault(self.explain(Access::Read, address, size));
        let place = self.place(address).ok_or_else(fault)?;
        let offset = place.offset(address, size).ok_or_else(fault)?;
        if offset + size > place.sure {
            return Err(Refusal::Size);
        }
        if !place.contents.is_concrete_at(offset, size) {
            return Err(Refusal::Symbolic);
        }
        let row = place.contents.data().filter(|_| place.contents.is_concrete());
        if let Some(data) = row {
            let entry = Entry { base: place.base, data, readable: place.sure, writable: 0 };
            let window = window_of(address);
            let view = self.view.as_ref().expect("the running state has the table");
            if view.entry(window).readable == 0 {
                view.show(window..=window, entry);
            }
        }
        Ok(NonNull::from(place.contents.slice(offset as usize, size as usize)).cast())
    }

    /// Writes that the table refused. The bytes are concrete afterwards: the caller fills them.
    #[cold]
    pub(crate) fn resolve_write(
        &mut self,
        address: u64,
        size: u64,
    ) -> Result<NonNull<u8>, Refusal> {
        let fault = || Refusal::Fault(self.explain(Access::Write, address, size));
        let place = self.place(address).ok_or_else(fault)?;
        let offset = place.offset(address, size).ok_or_else(fault)?;
        if !place.writable {
            return Err(fault());
        }
        if offset + size > place.sure {
            return Err(Refusal::Size);
        }
        if place.contents.array.is_some() {
            return Err(Refusal::Symbolic);
        }
        let (base, sure) = (place.base, place.sure);
        let contents = self.contents_mut(address).expect("just seen");
        let stale: Vec<u64> = contents.symbols.range(offset, size).map(|(at, _)| at).collect();
        for at in stale {
            contents.symbols.set(at, None);
        }
        let bytes = NonNull::from(contents.slice_mut(offset as usize, size as usize)).cast();
        let row = if contents.is_concrete() { contents.own_data() } else { None };
        if let Some(data) = row {
            let entry = Entry { base, data, readable: sure, writable: sure };
            let window = window_of(address);
            self.view_mut().show(window..=window, entry);
        }
        Ok(bytes)
    }

    /// The bytes at `address`, all within one live object and all concrete.
    pub fn slice(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        if size == 0 {
            return Ok(&[]);
        }
        // SAFETY: the table is ours; what it gives is `size` readable bytes.
        let data = match unsafe { Self::readable(self.table, address, size) } {
            Some(data) => data,
            None => self
                .resolve_read(address, size)
                .map_err(|refusal| self.refusal_fault(refusal, Access::Read, address, size))?,
        };
        // SAFETY: both give `size` readable bytes, which stay while memory is borrowed.
        Ok(unsafe { std::slice::from_raw_parts(data.as_ptr(), size as usize) })
    }

    /// The writable bytes at `address`, all within one live object; they become concrete.
    pub fn slice_mut(&mut self, address: u64, size: u64) -> Result<&mut [u8], Fault> {
        if size == 0 {
            return Ok(&mut []);
        }
        // SAFETY: as in `slice`; `&mut self` makes it the only reference.
        let data = match unsafe { Self::writable(self.table, address, size) } {
            Some(data) => data,
            None => match self.resolve_write(address, size) {
                Ok(data) => data,
                Err(refusal) => {
                    return Err(self.refusal_fault(refusal, Access::Write, address, size));
                }
            },
        };
        // SAFETY: as in `slice`.
        Ok(unsafe { std::slice::from_raw_parts_mut(data.as_ptr(), size as usize) })
    }

    fn refusal_fault(&self, refusal: Refusal, access: Access, address: u64, size: u64) -> Fault {
        match refusal {
            Refusal::Fault(fault) => fault,
            Refusal::Symbolic => Fault { kind: FaultKind::Symbolic, access, address, size },
            Refusal::Size => Fault { kind: FaultKind::SymbolicSize, access, address, size },
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
        let bytes = self.bytes(address, available)?;
        let length = bytes.iter().position(|&byte| byte == 0);
        let checked = length.map_or(available, |length| length as u64 + 1);
        if let Some(&(offset, _)) = self.symbols(address, available).first()
            && offset < checked
        {
            // As far as it may go: to the first byte that certainly ends it.
            let fault =
                |size| Fault { kind: FaultKind::Symbolic, access: Access::Read, address, size };
            return Err(fault(self.string_extent(address, available)));
        }
        match length {
            Some(length) => Ok(&bytes[..length]),
            None => Err(self.explain(Access::Read, address + available, 1)),
        }
    }

    /// How many bytes from `address` on a string may have, its terminator included, when some of
    /// them are symbolic.
    fn string_extent(&self, address: u64, available: u64) -> u64 {
        let symbols = self.symbols(address, available);
        let bytes = self.bytes(address, available).unwrap_or(&[]);
        let is_symbolic = |at: u64| symbols.binary_search_by_key(&at, |&(at, _)| at).is_ok();
        let end = bytes.iter().enumerate().position(|(at, &b)| b == 0 && !is_symbolic(at as u64));
        end.map_or(available, |end| end as u64 + 1)
    }

    /// How many bytes of its live object lie from `address` on, if it points into one.
    pub fn extent(&self, address: u64) -> Option<u64> {
        let place = self.place(address)?;
        let offset = address.wrapping_sub(place.base);
        (offset <= place.size && place.size > 0).then(|| place.size - offset)
    }

    /// Whether a live object has bytes among the `size` bytes at `address`, which must not cross
    /// a window.
    pub fn touches_object(&self, address: u64, size: u64) -> bool {
        self.place(address).is_some_and(|place| {
            let end = place.base + place.size;
            place.size > 0 && address < end && place.base < address.saturating_add(size)
        })
    }
}

impl Place<'_> {
    /// Where in the object `size` bytes at `address` begin, if it has them.
    pub fn offset(&self, address: u64, size: u64) -> Option<u64> {
        let offset = address.wrapping_sub(self.base);
        (offset.checked_add(size)? <= self.size).then_some(offset)
    }
}

#[inline(always)]
unsafe fn entry_of(table: *const Entry, address: u64) -> *const Entry {
    let offset = address >> (WINDOW_BITS - ENTRY_BITS) & ENTRY_MASK;
    // SAFETY: the mask keeps the offset within the table.
    unsafe { table.byte_add(offset as usize) }
}
