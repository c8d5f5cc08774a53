//! The system's allocator, with a count of the bytes it has given out. It has one itself, but to read
//! that is to walk over all that is free, which takes seconds after many paths have gone.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, Ordering};

pub struct Counting;

static GIVEN_OUT: AtomicI64 = AtomicI64::new(0);

/// So much of what a thread takes or gives back is not in the count.
const BATCH: i64 = 64 << 10;

thread_local! {
    static UNCOUNTED: Cell<i64> = const { Cell::new(0) };
}

/// Bytes that hold something.
pub fn given_out() -> u64 {
    GIVEN_OUT.load(Ordering::Relaxed).max(0) as u64
}

fn count(change: i64) {
    // A thread that ends has no count any more; what it still gives back is little.
    let _ = UNCOUNTED.try_with(|uncounted| {
        let sum = uncounted.get() + change;
        if sum.abs() < BATCH {
            return uncounted.set(sum);
        }
        uncounted.set(0);
        GIVEN_OUT.fetch_add(sum, Ordering::Relaxed);
    });
}

/// What a block of `size` bytes takes, its head included.
fn taken(size: usize) -> i64 {
    ((size + 8).next_multiple_of(16)).max(32) as i64
}

// SAFETY: all is done by the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(taken(layout.size()));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(taken(layout.size()));
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-taken(layout.size()));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(taken(size) - taken(layout.size()));
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_is_not_counted() {
        const SIZE: usize = 64 << 20;
        let before = given_out();
        let mut bytes: Vec<u8> = Vec::with_capacity(SIZE);
        let held = given_out();
        assert!(held >= before + SIZE as u64 - (1 << 20), "{before} {held}");
        bytes.reserve_exact(2 * SIZE);
        let grown = given_out();
        assert!(grown >= held + SIZE as u64 - (1 << 20), "{held} {grown}");
        drop(bytes);
        let after = given_out();
        assert!(after <= grown - 2 * SIZE as u64 + (1 << 20), "{grown} {after}");
    }
}
