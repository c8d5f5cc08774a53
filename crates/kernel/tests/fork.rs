//! What a fork of the kernel costs: allocations, counted.

mod machine;

use std::alloc::{GlobalAlloc, Layout, System as HostAllocator};
use std::cell::Cell;

use fathom_engine::system::System;
use fathom_expr::Pool;
use fathom_kernel::{Inputs, Linux};
use libc::{O_CREAT, O_RDWR};
use machine::{Machine, config};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is passed on.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as for the caller.
        unsafe { HostAllocator.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as for the caller.
        unsafe { HostAllocator.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations_of_a_fork(machine: &Machine) -> usize {
    let before = ALLOCATIONS.get();
    let forked = machine.linux.fork();
    let count = ALLOCATIONS.get() - before;
    drop(forked);
    count
}

#[test]
fn a_fork_allocates_the_same_whatever_the_process_has_done() {
    let mut pool = Pool::new();
    let inputs = Inputs { stdin: Some(1000), ..Inputs::default() };
    let linux = Linux::symbolic(config(), &inputs, &mut pool).expect("inputs can be made");
    let mut machine = Machine::with(linux, pool);
    // The kernel itself, its descriptors and its open files.
    assert_eq!(allocations_of_a_fork(&machine), 3);
    let buffer = machine.buffer(&[1; 1 << 16]);
    for index in 0..200 {
        let fd = machine.open(&format!("/tmp/file{index}"), O_CREAT | O_RDWR) as u64;
        assert_eq!(machine.call(libc::SYS_write, &[fd, buffer, 1 << 16]), 1 << 16);
        let kept = index < 20;
        assert_eq!(machine.call(libc::SYS_close, &[if kept { 99 } else { fd }]) < 0, kept);
    }
    machine.call(libc::SYS_write, &[1, buffer, 1 << 16]);
    let fds = machine.buffer(&[0; 8]);
    machine.call(libc::SYS_pipe2, &[fds, 0]);
    let anonymous = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;
    machine.call(libc::SYS_mmap, &[0, 5000, 3, anonymous, u64::MAX, 0]);
    assert_eq!(allocations_of_a_fork(&machine), 3);
}
