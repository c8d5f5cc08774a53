//! The interpreter loop: one short arm per instruction, everything slow behind a call.
//!
//! While a path runs, the instruction pointer, the frame pointer and the fuel are locals; they are
//! written back to the state before anything outside this file may look at it.
//!
//! The loop exists twice. Frames whose slots are all concrete run without a thought for symbolic
//! values. A frame that has met one runs in the other, which looks at the tags of the operands of
//! each instruction and leaves those with a symbolic one to [`crate::symbolic`].

use fathom_ir::inst;
use fathom_ir::inst::{Indexed, Inst, Op, Table};

use crate::engine::Engine;
use crate::float;
use crate::int::sext;
use crate::memory::Memory;
use crate::outcome::{BugKind, Stop};
use crate::state::{N_SLOTS, State};
use crate::symbolic::operands::{
    COMPLEX, OPERANDS, READS_A, READS_B, READS_D, READS_IMM, WRITES_D,
};

/// `base` plus a signed 32-bit distance.
macro_rules! near {
    ($base:expr, $distance:expr) => {
        $base.wrapping_add($distance as i32 as i64 as u64)
    };
}

/// The outcome of a slow instruction: go on at the state's instruction pointer, or stop.
pub(crate) type Step = Result<(), Box<Stop>>;

impl Engine<'_> {
    /// Runs `state` until it stops, has used up `fuel` LLVM instructions, or something happened
    /// that the caller of the engine must hear of; then `Ok`.
    ///
    /// `state.ip` and `state.fp` must be as a call, a start or an earlier run left them.
    pub(crate) fn run_for(&mut self, state: &mut State, fuel: u64) -> Result<(), Box<Stop>> {
        let end = state.instructions.saturating_add(fuel);
        while state.instructions < end && !self.has_news() {
            let left = end - state.instructions;
            if state.is_symbolic() {
                self.run_frames::<true>(state, left)?;
            } else {
                self.run_frames::<false>(state, left)?;
            }
        }
        Ok(())
    }

    /// Runs while the innermost frame is symbolic, or concrete, as `SYMBOLIC` says.
    fn run_frames<const SYMBOLIC: bool>(
        &mut self,
        state: &mut State,
        fuel: u64,
    ) -> Result<(), Box<Stop>> {
        let start = state.slots_start();
        let tags_start = state.tags_start();
        let mut ip: *const Inst = state.ip;
        let mut fp: *mut u64 = start.wrapping_add(state.fp);
        let table = state.memory.table();
        let slots_end = start.wrapping_add(N_SLOTS);
        let mut left = fuel as i64;
        let start_left = left;
        let start_instructions = state.instructions;

        macro_rules! save {
            () => {
                state.ip = ip;
                state.fp = fp.offset_from(start) as usize;
                state.instructions = start_instructions + (start_left - left) as u64;
            };
        }
        // Reads and writes of slots.
        macro_rules! get {
            ($slot:expr) => {
                *fp.add($slot as usize)
            };
        }
        macro_rules! set {
            ($slot:expr, $value:expr) => {
                *fp.add($slot as usize) = $value
            };
        }
        // The tag of a slot: its expression if it is symbolic.
        macro_rules! tag {
            ($slot:expr) => {
                *tags_start.offset(fp.offset_from(start)).add($slot as usize)
            };
        }
        macro_rules! stop {
            ($make:expr) => {{
                save!();
                return Err($make);
            }};
        }
        macro_rules! bug {
            ($kind:expr) => {
                stop!(self.bug(state, $kind))
            };
        }
        // A slow instruction: the state is written back, and read again afterwards.
        macro_rules! slow {
            ($call:expr) => {{
                save!();
                $call?;
                if state.is_symbolic() != SYMBOLIC || self.has_news() {
                    return Ok(());
                }
                ip = state.ip;
                fp = start.add(state.fp);
                continue;
            }};
        }
        macro_rules! count {
            ($i:expr) => {
                left -= i64::from($i.x)
            };
        }
        // Marks a place in the machine code with the line of the arm it belongs to. Two arms that
        // end alike would be merged otherwise, and the processor could no longer tell by the
        // address of the jump which instruction comes next.
        macro_rules! keep_apart {
            ($side:literal) => {
                std::arch::asm!(
                    concat!("# ", $side, line!()),
                    options(nomem, nostack, preserves_flags)
                )
            };
        }
        macro_rules! jump {
            ($i:expr, $distance:expr) => {
                jump!($i, $distance, "always")
            };
            ($i:expr, $distance:expr, $side:literal) => {{
                ip = ip.byte_offset($distance as i32 as isize);
                if left < 0 {
                    save!();
                    return Ok(());
                }
                keep_apart!($side);
                continue;
            }};
        }
        macro_rules! binary {
            ($i:ident, $ty:ty, $b:expr, |$x:ident, $y:ident| $result:expr) => {{
                let ($x, $y) = (get!($i.a) as $ty, $b as $ty);
                set!($i.d, $result as u64);
            }};
        }
        macro_rules! branch_if {
            ($i:ident, $condition:expr, $then:expr, $else:expr) => {{
                count!($i);
                if $condition { jump!($i, $then, "then") } else { jump!($i, $else, "else") }
            }};
        }
        macro_rules! load {
            ($i:ident, $ty:ty, $address:expr) => {{
                let address: u64 = $address;
                let Some(data) = Memory::readable(table, address, size_of::<$ty>() as u64) else {
                    slow!(self.exec_access(state, $i))
                };
                set!($i.d, data.cast::<$ty>().read_unaligned() as u64);
            }};
        }
        macro_rules! store {
            ($i:ident, $ty:ty, $address:expr, $value:expr) => {{
                let address: u64 = $address;
                let Some(data) = Memory::writable(table, address, size_of::<$ty>() as u64) else {
                    slow!(self.exec_access(state, $i))
                };
                data.cast::<$ty>().write_unaligned($value as $ty);
            }};
        }
        macro_rules! offset {
            ($i:ident) => {
                get!($i.a).wrapping_add($i.imm)
            };
        }
        macro_rules! indexed {
            ($i:ident) => {{
                let Indexed { scale, offset } = Indexed::unpack($i.imm);
                get!($i.a)
                    .wrapping_add(get!($i.b).wrapping_mul(u64::from(scale)))
                    .wrapping_add(offset as i64 as u64)
            }};
        }
        macro_rules! indexed32 {
            ($i:ident) => {{
                let Indexed { scale, offset } = Indexed::unpack($i.imm);
                let index = get!($i.b) as u32 as i32 as i64 as u64;
                get!($i.a)
                    .wrapping_add(index.wrapping_mul(u64::from(scale)))
                    .wrapping_add(offset as i64 as u64)
            }};
        }
        macro_rules! table {
            ($i:ident) => {{
                let Table { base, scale } = Table::unpack($i.imm);
                base.wrapping_add(get!($i.b).wrapping_mul(u64::from(scale)))
            }};
        }
        macro_rules! table32 {
            ($i:ident) => {{
                let Table { base, scale } = Table::unpack($i.imm);
                let index = get!($i.b) as u32 as i32 as i64 as u64;
                base.wrapping_add(index.wrapping_mul(u64::from(scale)))
            }};
        }
        macro_rules! signed_division {
            ($i:ident, $ty:ty, $uty:ty, $b:expr, $op:ident) => {{
                let (x, y) = (get!($i.a) as $ty, $b as $ty);
                if y == 0 {
                    bug!(BugKind::DivisionByZero);
                }
                if y == -1 && x == <$ty>::MIN {
                    bug!(BugKind::SignedOverflow);
                }
                set!($i.d, x.$op(y) as $uty as u64);
            }};
        }
        macro_rules! unsigned_division {
            ($i:ident, $b:expr, $op:tt) => {{
                let y: u64 = $b;
                if y == 0 {
                    bug!(BugKind::DivisionByZero);
                }
                set!($i.d, get!($i.a) $op y);
            }};
        }
        macro_rules! shift {
            ($i:ident, $width:expr, |$x:ident, $n:ident| $result:expr) => {{
                let ($x, amount) = (get!($i.a), get!($i.b));
                if amount >= $width as u64 {
                    bug!(BugKind::ShiftOverflow);
                }
                let $n = amount as u32;
                set!($i.d, $result);
            }};
        }
        macro_rules! float_binary {
            ($i:ident, $ty:ty, $uty:ty, $op:tt) => {{
                let x = <$ty>::from_bits(get!($i.a) as $uty);
                let y = <$ty>::from_bits(get!($i.b) as $uty);
                set!($i.d, (x $op y).to_bits() as u64);
            }};
        }

        macro_rules! ret {
            ($i:ident, |$result:ident| $write:expr) => {{
                count!($i);
                let Some(frame) = state.frames.pop() else {
                    unreachable!("a return without a frame")
                };
                if frame.mark != state.memory.stack_mark() {
                    state.memory.pop_stack(frame.mark);
                }
                if self.watch_calls {
                    self.announce_return(&frame);
                }
                let caller = fp.sub((*frame.call).b as usize);
                let $result = caller.add((*frame.call).d as usize);
                $write;
                fp = caller;
                ip = frame.call.add(1);
                if !SYMBOLIC && state.frames.last().is_some_and(|frame| frame.symbolic) {
                    save!();
                    state.forget_tags((*frame.call).d, self.result_slots(frame.function));
                    return Ok(());
                }
                continue;
            }};
        }

        // SAFETY: `ip` stays within code that lowering made (targets are its own, every function
        // ends in a terminator), slot numbers lie within the frame, and every call checks that
        // the callee's frame lies within the slots.
        unsafe {
            loop {
                let i = &*ip;
                if SYMBOLIC {
                    let flags = OPERANDS[i.op as usize];
                    if flags & COMPLEX != 0
                        || flags & READS_A != 0 && tag!(i.a).is_some()
                        || flags & READS_B != 0 && tag!(i.b).is_some()
                        || flags & READS_D != 0 && tag!(i.d).is_some()
                        || flags & READS_IMM != 0 && tag!(i.imm).is_some()
                    {
                        if counts(i.op) {
                            count!(i);
                        }
                        slow!(self.exec_symbolic(state, i))
                    }
                    if flags & WRITES_D != 0 {
                        tag!(i.d) = None;
                    }
                }
                match i.op {
                    Op::Const => set!(i.d, i.imm),
                    Op::Move => set!(i.d, get!(i.a)),
                    Op::MoveN => {
                        std::ptr::copy(fp.add(i.a as usize), fp.add(i.d as usize), i.b as usize);
                    }
                    Op::Select => {
                        let chosen = if get!(i.a) & 1 != 0 { get!(i.b) } else { get!(i.imm) };
                        set!(i.d, chosen);
                    }

                    Op::Add32 => binary!(i, u32, get!(i.b), |x, y| x.wrapping_add(y)),
                    Op::Add32I => binary!(i, u32, i.imm, |x, y| x.wrapping_add(y)),
                    Op::Add64 => binary!(i, u64, get!(i.b), |x, y| x.wrapping_add(y)),
                    Op::Add64I => binary!(i, u64, i.imm, |x, y| x.wrapping_add(y)),
                    Op::Sub32 => binary!(i, u32, get!(i.b), |x, y| x.wrapping_sub(y)),
                    Op::Sub32I => binary!(i, u32, i.imm, |x, y| x.wrapping_sub(y)),
                    Op::Sub64 => binary!(i, u64, get!(i.b), |x, y| x.wrapping_sub(y)),
                    Op::Sub64I => binary!(i, u64, i.imm, |x, y| x.wrapping_sub(y)),
                    Op::Mul32 => binary!(i, u32, get!(i.b), |x, y| x.wrapping_mul(y)),
                    Op::Mul32I => binary!(i, u32, i.imm, |x, y| x.wrapping_mul(y)),
                    Op::Mul64 => binary!(i, u64, get!(i.b), |x, y| x.wrapping_mul(y)),
                    Op::Mul64I => binary!(i, u64, i.imm, |x, y| x.wrapping_mul(y)),
                    Op::UDiv => unsigned_division!(i, get!(i.b), /),
                    Op::UDivI => unsigned_division!(i, i.imm, /),
                    Op::URem => unsigned_division!(i, get!(i.b), %),
                    Op::URemI => unsigned_division!(i, i.imm, %),
                    Op::SDiv32 => signed_division!(i, i32, u32, get!(i.b), wrapping_div),
                    Op::SDiv32I => signed_division!(i, i32, u32, i.imm, wrapping_div),
                    Op::SDiv64 => signed_division!(i, i64, u64, get!(i.b), wrapping_div),
                    Op::SDiv64I => signed_division!(i, i64, u64, i.imm, wrapping_div),
                    Op::SRem32 => signed_division!(i, i32, u32, get!(i.b), wrapping_rem),
                    Op::SRem32I => signed_division!(i, i32, u32, i.imm, wrapping_rem),
                    Op::SRem64 => signed_division!(i, i64, u64, get!(i.b), wrapping_rem),
                    Op::SRem64I => signed_division!(i, i64, u64, i.imm, wrapping_rem),
                    Op::And => binary!(i, u64, get!(i.b), |x, y| x & y),
                    Op::AndI => binary!(i, u64, i.imm, |x, y| x & y),
                    Op::Or => binary!(i, u64, get!(i.b), |x, y| x | y),
                    Op::OrI => binary!(i, u64, i.imm, |x, y| x | y),
                    Op::Xor => binary!(i, u64, get!(i.b), |x, y| x ^ y),
                    Op::XorI => binary!(i, u64, i.imm, |x, y| x ^ y),
                    Op::Shl32 => shift!(i, 32, |x, n| u64::from((x as u32) << n)),
                    Op::Shl64 => shift!(i, 64, |x, n| x << n),
                    Op::LShr32 => shift!(i, 32, |x, n| x >> n),
                    Op::LShr64 => shift!(i, 64, |x, n| x >> n),
                    Op::AShr32 => shift!(i, 32, |x, n| (x as i32 >> n) as u32 as u64),
                    Op::AShr64 => shift!(i, 64, |x, n| (x as i64 >> n) as u64),
                    Op::Shl32I => set!(i.d, u64::from((get!(i.a) as u32) << (i.imm & 31))),
                    Op::Shl64I => set!(i.d, get!(i.a) << (i.imm & 63)),
                    Op::LShrI => set!(i.d, get!(i.a) >> (i.imm & 63)),
                    Op::AShr32I => {
                        set!(i.d, (get!(i.a) as i32 >> (i.imm & 31)) as u32 as u64);
                    }
                    Op::AShr64I => set!(i.d, (get!(i.a) as i64 >> (i.imm & 63)) as u64),
                    Op::ShlW => shift!(i, i.x, |x, n| (x << n) & crate::int::mask(i.x.into())),
                    Op::LShrW => shift!(i, i.x, |x, n| x >> n),
                    Op::AShrW => shift!(i, i.x, |x, n| {
                        (sext(x, i.x.into()) >> n) as u64 & crate::int::mask(i.x.into())
                    }),

                    Op::Eq => binary!(i, u64, get!(i.b), |x, y| x == y),
                    Op::EqI => binary!(i, u64, i.imm, |x, y| x == y),
                    Op::Ne => binary!(i, u64, get!(i.b), |x, y| x != y),
                    Op::NeI => binary!(i, u64, i.imm, |x, y| x != y),
                    Op::Ult => binary!(i, u64, get!(i.b), |x, y| x < y),
                    Op::UltI => binary!(i, u64, i.imm, |x, y| x < y),
                    Op::Ule => binary!(i, u64, get!(i.b), |x, y| x <= y),
                    Op::UleI => binary!(i, u64, i.imm, |x, y| x <= y),
                    Op::UgtI => binary!(i, u64, i.imm, |x, y| x > y),
                    Op::UgeI => binary!(i, u64, i.imm, |x, y| x >= y),
                    Op::Slt32 => binary!(i, i32, get!(i.b), |x, y| x < y),
                    Op::Slt32I => binary!(i, i32, i.imm, |x, y| x < y),
                    Op::Sle32 => binary!(i, i32, get!(i.b), |x, y| x <= y),
                    Op::Sle32I => binary!(i, i32, i.imm, |x, y| x <= y),
                    Op::Sgt32I => binary!(i, i32, i.imm, |x, y| x > y),
                    Op::Sge32I => binary!(i, i32, i.imm, |x, y| x >= y),
                    Op::Slt64 => binary!(i, i64, get!(i.b), |x, y| x < y),
                    Op::Slt64I => binary!(i, i64, i.imm, |x, y| x < y),
                    Op::Sle64 => binary!(i, i64, get!(i.b), |x, y| x <= y),
                    Op::Sle64I => binary!(i, i64, i.imm, |x, y| x <= y),
                    Op::Sgt64I => binary!(i, i64, i.imm, |x, y| x > y),
                    Op::Sge64I => binary!(i, i64, i.imm, |x, y| x >= y),

                    Op::Sext => set!(i.d, sext(get!(i.a), i.x.into()) as u64 & i.imm),
                    Op::Sext8To32 => set!(i.d, get!(i.a) as i8 as i32 as u32 as u64),
                    Op::Sext16To32 => set!(i.d, get!(i.a) as i16 as i32 as u32 as u64),
                    Op::Sext8To64 => set!(i.d, get!(i.a) as i8 as i64 as u64),
                    Op::Sext16To64 => set!(i.d, get!(i.a) as i16 as i64 as u64),
                    Op::Sext32To64 => set!(i.d, get!(i.a) as i32 as i64 as u64),

                    Op::Load8 => load!(i, u8, offset!(i)),
                    Op::Load16 => load!(i, u16, offset!(i)),
                    Op::Load32 => load!(i, u32, offset!(i)),
                    Op::Load64 => load!(i, u64, offset!(i)),
                    Op::Load8X => load!(i, u8, indexed!(i)),
                    Op::Load16X => load!(i, u16, indexed!(i)),
                    Op::Load32X => load!(i, u32, indexed!(i)),
                    Op::Load64X => load!(i, u64, indexed!(i)),
                    Op::Load8S => load!(i, u8, indexed32!(i)),
                    Op::Load16S => load!(i, u16, indexed32!(i)),
                    Op::Load32S => load!(i, u32, indexed32!(i)),
                    Op::Load64S => load!(i, u64, indexed32!(i)),
                    Op::Load8A => load!(i, u8, i.imm),
                    Op::Load16A => load!(i, u16, i.imm),
                    Op::Load32A => load!(i, u32, i.imm),
                    Op::Load64A => load!(i, u64, i.imm),
                    Op::Load8T => load!(i, u8, table!(i)),
                    Op::Load16T => load!(i, u16, table!(i)),
                    Op::Load32T => load!(i, u32, table!(i)),
                    Op::Load64T => load!(i, u64, table!(i)),
                    Op::Load8TS => load!(i, u8, table32!(i)),
                    Op::Load16TS => load!(i, u16, table32!(i)),
                    Op::Load32TS => load!(i, u32, table32!(i)),
                    Op::Load64TS => load!(i, u64, table32!(i)),
                    Op::LoadSext8To32 => {
                        load!(i, u8, offset!(i));
                        set!(i.d, get!(i.d) as i8 as i32 as u32 as u64);
                    }
                    Op::LoadN => slow!(self.exec_load_n(state, i)),
                    Op::Store8 => store!(i, u8, offset!(i), get!(i.d)),
                    Op::Store16 => store!(i, u16, offset!(i), get!(i.d)),
                    Op::Store32 => store!(i, u32, offset!(i), get!(i.d)),
                    Op::Store64 => store!(i, u64, offset!(i), get!(i.d)),
                    Op::Store8X => store!(i, u8, indexed!(i), get!(i.d)),
                    Op::Store16X => store!(i, u16, indexed!(i), get!(i.d)),
                    Op::Store32X => store!(i, u32, indexed!(i), get!(i.d)),
                    Op::Store64X => store!(i, u64, indexed!(i), get!(i.d)),
                    Op::Store8S => store!(i, u8, indexed32!(i), get!(i.d)),
                    Op::Store16S => store!(i, u16, indexed32!(i), get!(i.d)),
                    Op::Store32S => store!(i, u32, indexed32!(i), get!(i.d)),
                    Op::Store64S => store!(i, u64, indexed32!(i), get!(i.d)),
                    Op::Store8A => store!(i, u8, i.imm, get!(i.d)),
                    Op::Store16A => store!(i, u16, i.imm, get!(i.d)),
                    Op::Store32A => store!(i, u32, i.imm, get!(i.d)),
                    Op::Store64A => store!(i, u64, i.imm, get!(i.d)),
                    Op::Store8T => store!(i, u8, table!(i), get!(i.d)),
                    Op::Store16T => store!(i, u16, table!(i), get!(i.d)),
                    Op::Store32T => store!(i, u32, table!(i), get!(i.d)),
                    Op::Store64T => store!(i, u64, table!(i), get!(i.d)),
                    Op::Store8TS => store!(i, u8, table32!(i), get!(i.d)),
                    Op::Store16TS => store!(i, u16, table32!(i), get!(i.d)),
                    Op::Store32TS => store!(i, u32, table32!(i), get!(i.d)),
                    Op::Store64TS => store!(i, u64, table32!(i), get!(i.d)),
                    Op::Store8I => store!(i, u8, near!(get!(i.a), i.b), i.imm),
                    Op::Store16I => store!(i, u16, near!(get!(i.a), i.b), i.imm),
                    Op::Store32I => store!(i, u32, near!(get!(i.a), i.b), i.imm),
                    Op::Store64I => store!(i, u64, near!(get!(i.a), i.b), i.imm),
                    Op::StoreN => slow!(self.exec_store_n(state, i)),
                    Op::GepX => set!(i.d, indexed!(i)),
                    Op::GepS => set!(i.d, indexed32!(i)),
                    Op::GepT => set!(i.d, table!(i)),
                    Op::GepTS => set!(i.d, table32!(i)),
                    Op::Alloca => {
                        save!();
                        self.exec_alloca(state, i, i.imm)?;
                    }
                    Op::AllocaDyn => {
                        save!();
                        let size = get!(i.b).checked_mul(i.imm).unwrap_or(u64::MAX);
                        self.exec_alloca(state, i, size)?;
                    }
                    Op::StackSave => set!(i.d, u64::from(state.memory.stack_mark().0)),
                    Op::StackRestore => {
                        state.memory.pop_stack(crate::memory::StackMark(get!(i.a) as u32));
                    }
                    Op::MemCpy => {
                        count!(i);
                        save!();
                        self.copy(state, get!(i.d), get!(i.a), get!(i.b))?;
                    }
                    Op::MemMove => {
                        count!(i);
                        save!();
                        self.copy_overlapping(state, get!(i.d), get!(i.a), get!(i.b))?;
                    }
                    Op::MemSet => {
                        count!(i);
                        save!();
                        self.fill(state, get!(i.d), get!(i.a) as u8, get!(i.b))?;
                    }

                    Op::Jump => {
                        count!(i);
                        jump!(i, i.d)
                    }
                    Op::Branch => branch_if!(i, get!(i.a) & 1 != 0, i.d, i.b),
                    Op::BrEq => branch_if!(i, get!(i.a) == get!(i.b), i.d, i.imm),
                    Op::BrUlt => branch_if!(i, get!(i.a) < get!(i.b), i.d, i.imm),
                    Op::BrSlt32 => {
                        branch_if!(i, (get!(i.a) as i32) < get!(i.b) as i32, i.d, i.imm)
                    }
                    Op::BrSlt64 => {
                        branch_if!(i, (get!(i.a) as i64) < get!(i.b) as i64, i.d, i.imm)
                    }
                    Op::BrEqI => branch_if!(i, get!(i.a) == i.imm, i.d, i.b),
                    Op::BrUltI => branch_if!(i, get!(i.a) < i.imm, i.d, i.b),
                    Op::BrUgtI => branch_if!(i, get!(i.a) > i.imm, i.d, i.b),
                    Op::BrSlt32I => branch_if!(i, (get!(i.a) as i32) < i.imm as i32, i.d, i.b),
                    Op::BrSgt32I => branch_if!(i, get!(i.a) as i32 > i.imm as i32, i.d, i.b),
                    Op::BrSlt64I => branch_if!(i, (get!(i.a) as i64) < i.imm as i64, i.d, i.b),
                    Op::BrSgt64I => branch_if!(i, get!(i.a) as i64 > i.imm as i64, i.d, i.b),
                    Op::Switch => {
                        count!(i);
                        let function = state.frames.last().expect("a running frame").function;
                        let switch = &self.program.functions[function].switches[i.imm as usize];
                        jump!(i, switch.target(get!(i.a)))
                    }
                    Op::IndirectBr => {
                        count!(i);
                        slow!(self.exec_indirect_branch(state, i))
                    }
                    Op::Call => {
                        count!(i);
                        let callee = &self.callees[i.a as usize];
                        let frame = fp.add(i.b as usize);
                        if !callee.plain || frame.add(callee.frame_slots as usize) > slots_end {
                            slow!(self.exec_call(state, i, fathom_ir::FuncId(i.a)))
                        }
                        state.frames.push(crate::state::Frame {
                            call: ip,
                            function: fathom_ir::FuncId(i.a),
                            mark: state.memory.stack_mark(),
                            serial: 0,
                            symbolic: false,
                        });
                        fp = frame;
                        ip = callee.code;
                        if left < 0 {
                            save!();
                            return Ok(());
                        }
                        keep_apart!("call");
                        continue;
                    }
                    Op::CallExternal => {
                        count!(i);
                        slow!(self.exec_external(state, i, fathom_ir::FuncId(i.a)))
                    }
                    Op::CallIndirect => {
                        count!(i);
                        slow!(self.exec_indirect_call(state, i))
                    }
                    Op::RetVoid => ret!(i, |_result| {}),
                    Op::Ret => ret!(i, |result| *result = get!(i.a)),
                    Op::RetI => ret!(i, |result| *result = i.imm),
                    Op::RetN => ret!(i, |result| {
                        std::ptr::copy(fp.add(i.a as usize), result, i.b as usize);
                    }),
                    Op::Halt => {
                        save!();
                        return Err(Box::new(Stop::Returned(self.entry_result(state))));
                    }
                    Op::Cover => slow!(self.exec_cover(state, i)),
                    Op::Fault => {
                        if get!(i.a) == i.imm {
                            slow!(self.exec_fault(state, i))
                        }
                    }
                    Op::Unreachable => {
                        count!(i);
                        bug!(BugKind::Unreachable)
                    }
                    Op::Unsupported => {
                        count!(i);
                        let message = self.program.messages[i.imm as usize].clone();
                        stop!(self.unsupported(state, message))
                    }
                    Op::Bug => {
                        count!(i);
                        bug!(if i.imm == inst::StaticBug::DivisionByZero as u64 {
                            BugKind::DivisionByZero
                        } else {
                            BugKind::ShiftOverflow
                        })
                    }
                    Op::Count => count!(i),
                    Op::VaStart => {
                        save!();
                        self.exec_va_start(state, i)?;
                    }

                    Op::FAdd32 => float_binary!(i, f32, u32, +),
                    Op::FAdd64 => float_binary!(i, f64, u64, +),
                    Op::FSub32 => float_binary!(i, f32, u32, -),
                    Op::FSub64 => float_binary!(i, f64, u64, -),
                    Op::FMul32 => float_binary!(i, f32, u32, *),
                    Op::FMul64 => float_binary!(i, f64, u64, *),
                    Op::FDiv32 => float_binary!(i, f32, u32, /),
                    Op::FDiv64 => float_binary!(i, f64, u64, /),
                    Op::FRem32 => float_binary!(i, f32, u32, %),
                    Op::FRem64 => float_binary!(i, f64, u64, %),
                    Op::FNeg32 => set!(i.d, get!(i.a) ^ 1 << 31),
                    Op::FNeg64 => set!(i.d, get!(i.a) ^ 1 << 63),
                    Op::FCmp32 => {
                        let x = f32::from_bits(get!(i.a) as u32);
                        let y = f32::from_bits(get!(i.b) as u32);
                        set!(i.d, u64::from(float::compare(i.x, x.partial_cmp(&y))));
                    }
                    Op::FCmp64 => {
                        let (x, y) = (f64::from_bits(get!(i.a)), f64::from_bits(get!(i.b)));
                        set!(i.d, u64::from(float::compare(i.x, x.partial_cmp(&y))));
                    }
                    Op::F32To64 => {
                        set!(i.d, f64::from(f32::from_bits(get!(i.a) as u32)).to_bits());
                    }
                    Op::F64To32 => {
                        set!(i.d, u64::from((f64::from_bits(get!(i.a)) as f32).to_bits()));
                    }
                    Op::F32ToS => {
                        let value = f32::from_bits(get!(i.a) as u32);
                        let bits = i.x.into();
                        set!(i.d, float::f32_to_signed(value, bits) & crate::int::mask(bits));
                    }
                    Op::F64ToS => {
                        let bits = i.x.into();
                        let value = f64::from_bits(get!(i.a));
                        set!(i.d, float::f64_to_signed(value, bits) & crate::int::mask(bits));
                    }
                    Op::F32ToU => {
                        let value = f32::from_bits(get!(i.a) as u32);
                        let bits = i.x.into();
                        set!(i.d, float::f32_to_unsigned(value, bits) & crate::int::mask(bits));
                    }
                    Op::F64ToU => {
                        let bits = i.x.into();
                        let value = f64::from_bits(get!(i.a));
                        set!(i.d, float::f64_to_unsigned(value, bits) & crate::int::mask(bits));
                    }
                    Op::SToF32 => {
                        set!(i.d, u64::from((sext(get!(i.a), i.x.into()) as f32).to_bits()));
                    }
                    Op::SToF64 => set!(i.d, (sext(get!(i.a), i.x.into()) as f64).to_bits()),
                    Op::UToF32 => set!(i.d, u64::from((get!(i.a) as f32).to_bits())),
                    Op::UToF64 => set!(i.d, (get!(i.a) as f64).to_bits()),
                    Op::Soft => {
                        save!();
                        self.exec_soft(state, i)?;
                    }
                    Op::Int => {
                        save!();
                        self.exec_int(state, i)?;
                    }
                    Op::Wide => {
                        save!();
                        self.exec_wide(state, i)?;
                    }
                    Op::Big => {
                        save!();
                        self.exec_big(state, i)?;
                    }
                    Op::Float => {
                        save!();
                        self.exec_float(state, i)?;
                    }
                    Op::Special => {
                        save!();
                        self.exec_special(state, i)?;
                    }
                }
                ip = ip.add(1);
            }
        }
    }
}

/// LLVM instructions that executing `i` counts.
pub(crate) fn counted(i: &Inst) -> u64 {
    if counts(i.op) { i.x.into() } else { 0 }
}

/// Whether `x` of the instruction counts LLVM instructions.
fn counts(op: Op) -> bool {
    let op = op as u16;
    (Op::MemCpy as u16..=Op::MemSet as u16).contains(&op)
        || (Op::Jump as u16..=Op::Count as u16).contains(&op)
}
