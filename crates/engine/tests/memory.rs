//! Memory objects: bounds on both sides, death, permission, stack discipline.

use fathom_engine::ledger::NOWHERE;
use fathom_engine::memory::{Memory, ObjectKind};
use fathom_engine::outcome::{BugKind, Trace};

fn memory() -> Memory {
    Memory::new(1 << 20).expect("address space")
}

fn heap(memory: &mut Memory, size: u64) -> u64 {
    memory.allocate(size, 16, ObjectKind::Heap, Trace::default()).expect("room")
}

#[test]
fn bytes_are_kept_and_bounds_hold_on_both_sides() {
    let mut memory = memory();
    let address = heap(&mut memory, 12);
    memory.write(address, b"hello, world").expect("in bounds");
    assert_eq!(memory.slice(address + 7, 5).expect("in bounds"), b"world");
    for (at, size) in [(address - 1, 1), (address + 12, 1), (address + 8, 8), (address - 4, 8)] {
        let fault = memory.slice(at, size).expect_err("out of bounds");
        assert_eq!(fault.bug_kind(), BugKind::OutOfBoundsRead);
    }
    // An offset so large that adding the size wraps around.
    assert!(memory.slice(address.wrapping_sub(4), 8).is_err());
    assert!(memory.slice(u64::MAX - 3, 8).is_err());
}

#[test]
fn large_objects_span_windows() {
    let mut memory = memory();
    let size = 5 << 20;
    let address = heap(&mut memory, size);
    for at in [0, (1 << 20) - 4, (3 << 20) + 1, size - 8] {
        memory.write_u64(address + at, at).expect("in bounds");
        assert_eq!(memory.read_u64(address + at).expect("in bounds"), at);
    }
    assert!(memory.read_u64(address + size - 7).is_err());
    let next = heap(&mut memory, 1);
    assert!(next > address + size);
    memory.free(address, Trace::default()).expect("live");
    let fault = memory.read_u64(address + (3 << 20)).expect_err("freed");
    assert_eq!(fault.bug_kind(), BugKind::UseAfterFree);
}

#[test]
fn freeing_twice_or_in_the_middle_is_told_apart() {
    let mut memory = memory();
    let address = heap(&mut memory, 32);
    let kind =
        |result: Result<(), fathom_engine::outcome::Fault>| result.expect_err("bad").bug_kind();
    assert_eq!(kind(memory.free(address + 8, Trace::default())), BugKind::InvalidFree);
    memory.free(address, Trace::default()).expect("live");
    assert_eq!(kind(memory.free(address, Trace::default())), BugKind::DoubleFree);
    assert_eq!(memory.slice(address, 1).expect_err("dead").bug_kind(), BugKind::UseAfterFree);
}

#[test]
fn read_only_objects_can_be_read() {
    let mut memory = memory();
    let address = heap(&mut memory, 8);
    memory.set_writable(address, false);
    assert!(memory.slice(address, 8).is_ok());
    let fault = memory.write(address, b"x").expect_err("read-only");
    assert_eq!(fault.bug_kind(), BugKind::ReadOnlyWrite);
}

#[test]
fn stack_objects_die_with_their_mark() {
    let mut memory = memory();
    let outer = memory.push_stack(16, 8, NOWHERE, u32::MAX).expect("room");
    let mark = memory.stack_mark();
    let inner = memory.push_stack(16, 8, NOWHERE, u32::MAX).expect("room");
    memory.write(inner, &[7; 16]).expect("live");
    memory.pop_stack(mark);
    assert!(memory.slice(outer, 16).is_ok());
    assert_eq!(memory.slice(inner, 1).expect_err("dead").bug_kind(), BugKind::UseAfterFree);
    let again = memory.push_stack(16, 8, NOWHERE, u32::MAX).expect("room");
    assert_eq!(memory.slice(again, 16).expect("live"), [0; 16]);
    assert_eq!(memory.push_stack(2 << 20, 8, NOWHERE, u32::MAX), None);
}

#[test]
fn null_and_wild_pointers_fault() {
    let memory = memory();
    assert_eq!(memory.slice(0, 1).expect_err("null").bug_kind(), BugKind::NullDereference);
    assert_eq!(memory.slice(24, 8).expect_err("null").bug_kind(), BugKind::NullDereference);
    let wild = memory.slice(0xdead_beef_0000, 8).expect_err("wild");
    assert_eq!(wild.bug_kind(), BugKind::OutOfBoundsRead);
}

#[test]
fn quarantined_windows_are_reused_in_the_end() {
    let mut memory = memory();
    let first = heap(&mut memory, 8);
    memory.free(first, Trace::default()).expect("live");
    let mut reused = None;
    for round in 0..200_000 {
        let address = heap(&mut memory, 8);
        if address == first {
            reused = Some(round);
            break;
        }
        memory.free(address, Trace::default()).expect("live");
    }
    assert!(reused.is_some_and(|round| round > 60_000), "{reused:?}");
}

#[test]
fn alignment_is_honoured() {
    let mut memory = memory();
    for align in [16, 64, 4096, 1 << 16, 1 << 21] {
        let address =
            memory.allocate(100, align, ObjectKind::Heap, Trace::default()).expect("room");
        assert_eq!(address % align, 0, "{align}");
        memory.write(address, &[1; 100]).expect("live");
        memory.free(address, Trace::default()).expect("live");
    }
}
