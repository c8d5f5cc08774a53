//! Where things live in the simulated address space.
//!
//! The space is cut into *windows* of 1 MiB. An object starts in a window of its own and never
//! shares it, so the window number of an address names the object, and what lies between two
//! objects is a guard gap. An object too large for one window takes several in a row. Addresses
//! are plausible user-space numbers: code low, globals and heap above it, the stack near the top
//! of 47 bits.

/// log2 of a window's size.
pub const WINDOW_BITS: u32 = 20;
pub const WINDOW: u64 = 1 << WINDOW_BITS;

/// log2 of the number of windows. Window numbers are the address bits above [`WINDOW_BITS`],
/// taken modulo this.
pub const INDEX_BITS: u32 = 24;
pub const N_WINDOWS: usize = 1 << INDEX_BITS;

/// Functions without a window: `CODE_BASE + 16 * function`.
pub const CODE_BASE: u64 = 0x40_0000;
pub const CODE_STEP: u64 = 16;
/// Block addresses (`&&label`), numbered over the whole program.
pub const LABEL_BASE: u64 = 0x4000_0000;
pub const LABEL_STEP: u64 = 4;

/// First window of globals, then of the heap.
pub const GLOBAL_FIRST: u32 = 0x800;
pub const HEAP_FIRST: u32 = 0x5_5000;
pub const HEAP_END: u32 = 0xf0_0000;
/// Stack objects: windows from here up to the end, whose addresses start with 0x7ff.
pub const STACK_FIRST: u32 = HEAP_END;

/// The address of the first byte of a window.
pub const fn window_base(window: u32) -> u64 {
    let high = if window >= STACK_FIRST { 0x700_0000 } else { 0 };
    (high | window as u64) << WINDOW_BITS
}

/// The window an address falls into, modulo [`N_WINDOWS`].
pub const fn window_of(address: u64) -> u32 {
    (address >> WINDOW_BITS) as u32 & (N_WINDOWS as u32 - 1)
}

/// Where in its window an object starts: deterministic, a multiple of `align`, and different
/// from one object to the next, since programs hash the low bits of pointers.
pub const fn offset_in_window(window: u32, align: u64) -> u64 {
    let spread = (window as u64).wrapping_mul(0x9e37_79b9) >> 16 & 0xff0;
    let offset = 0x1000 + spread;
    if align <= 16 { offset } else { (offset + align - 1) & !(align - 1) }
}

/// How many windows an object of `size` bytes takes, its guard gaps included.
pub const fn windows_for(size: u64, align: u64) -> u32 {
    ((size + 0x4000 + align) >> WINDOW_BITS) as u32 + 1
}
