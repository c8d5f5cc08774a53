//! Large, sparsely used arrays: reserved address space that costs memory only where it is touched.

use std::ops::{Index, IndexMut};

use crate::memory::OutOfMemory;

/// A fixed number of zero-initialised `T`s. `T` must be valid when all its bytes are 0.
pub struct Pages<T> {
    start: *mut T,
    len: usize,
}

impl<T: Copy> Pages<T> {
    /// Reserves room for `len` elements, unless the host refuses the address space.
    pub fn reserve(len: usize) -> Result<Self, OutOfMemory> {
        let bytes = len * size_of::<T>();
        // SAFETY: a fresh anonymous mapping; no existing memory is touched.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(OutOfMemory);
        }
        Ok(Self { start: start.cast(), len })
    }

    pub fn as_ptr(&self) -> *const T {
        self.start
    }

    /// The first `count` elements. Nothing may write them while they are borrowed.
    pub fn first(&self, count: usize) -> &[T] {
        assert!(count <= self.len, "count within the reserved pages");
        // SAFETY: checked just above.
        unsafe { std::slice::from_raw_parts(self.start, count) }
    }

    /// Overwrites the elements from `at` on.
    pub fn copy_from(&mut self, at: usize, elements: &[T]) {
        assert!(at + elements.len() <= self.len, "count within the reserved pages");
        // SAFETY: checked just above.
        unsafe {
            std::ptr::copy_nonoverlapping(elements.as_ptr(), self.start.add(at), elements.len())
        }
    }

    pub fn fill(&mut self, range: std::ops::Range<usize>, element: T) {
        assert!(range.start <= range.end && range.end <= self.len, "within the reserved pages");
        // SAFETY: checked just above; `&mut self` makes it unique.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
            .fill(element);
    }

    /// Writes an element of an array that only serves as a cache; no reference to it may be held.
    pub fn put(&self, index: usize, value: T) {
        assert!(index < self.len, "index within the reserved pages");
        // SAFETY: checked just above; nobody holds a reference.
        unsafe { *self.start.add(index) = value }
    }
}

impl<T: Copy> Index<usize> for Pages<T> {
    type Output = T;
    fn index(&self, index: usize) -> &T {
        assert!(index < self.len, "index within the reserved pages");
        // SAFETY: checked just above.
        unsafe { &*self.start.add(index) }
    }
}

impl<T: Copy> IndexMut<usize> for Pages<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        assert!(index < self.len, "index within the reserved pages");
        // SAFETY: checked just above, and `&mut self` makes it unique.
        unsafe { &mut *self.start.add(index) }
    }
}

impl<T> Drop for Pages<T> {
    fn drop(&mut self) {
        // SAFETY: mapped in `reserve` with this length.
        unsafe { libc::munmap(self.start.cast(), self.len * size_of::<T>()) };
    }
}
