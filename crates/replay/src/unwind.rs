//! The call stack of a dead program, from its registers, its stack's bytes and unwind tables.

use gimli::{
    BaseAddresses, CfaRule, DebugFrame, EhFrame, EndianSlice, LittleEndian, Register, RegisterRule,
    UnwindContext, UnwindSection, X86_64,
};
use object::{Object, ObjectSection};

use crate::report::GuardReport;

const MAX_FRAMES: usize = 64;

/// The tables of a program that is loaded where it was linked. The C library has them among its
/// debug information, other code where the program can find them itself.
pub(crate) struct Unwinder {
    eh_frame: Vec<u8>,
    debug_frame: Vec<u8>,
    bases: BaseAddresses,
    text: Option<(u64, u64)>,
}

#[derive(Clone, Copy)]
struct Registers {
    pc: u64,
    sp: u64,
    bp: u64,
}

impl Unwinder {
    pub fn new(program: &[u8]) -> Unwinder {
        let file = object::File::parse(program).ok();
        let section = |name| file.as_ref()?.section_by_name(name);
        let bytes = |name| {
            let bytes = section(name).and_then(|section| section.data().ok());
            bytes.unwrap_or_default().to_vec()
        };
        let eh_frame_at = section(".eh_frame").map_or(0, |section| section.address());
        let text = section(".text");
        Unwinder {
            eh_frame: bytes(".eh_frame"),
            debug_frame: bytes(".debug_frame"),
            bases: BaseAddresses::default().set_eh_frame(eh_frame_at),
            text: text.map(|text| (text.address(), text.address() + text.size())),
        }
    }

    /// The program counter, then the return addresses outwards.
    pub fn addresses(&self, report: &GuardReport, stack: &[u8]) -> Vec<u64> {
        let stack = Stack { base: report.sp, bytes: stack };
        let mut registers = Registers { pc: report.pc, sp: report.sp, bp: report.bp };
        // A call of a bad pointer: the caller is on top of the stack.
        if !self.is_code(registers.pc)
            && let Some(caller) = leaf(registers, &stack)
        {
            registers = caller;
        }
        let mut addresses = vec![registers.pc];
        while addresses.len() < MAX_FRAMES {
            let probe = if addresses.len() == 1 { registers.pc } else { registers.pc - 1 };
            let first = addresses.len() == 1;
            let Some(caller) = self
                .by_table(probe, registers, &stack)
                .or_else(|| without_table(first, registers, &stack))
            else {
                break;
            };
            if !self.is_code(caller.pc) || caller.sp <= registers.sp {
                break;
            }
            addresses.push(caller.pc);
            registers = caller;
        }
        addresses
    }

    fn is_code(&self, address: u64) -> bool {
        self.text.is_none_or(|(start, end)| (start..end).contains(&address))
    }

    fn by_table(&self, probe: u64, registers: Registers, stack: &Stack<'_>) -> Option<Registers> {
        let eh_frame = EhFrame::new(&self.eh_frame, LittleEndian);
        let mut debug_frame = DebugFrame::new(&self.debug_frame, LittleEndian);
        debug_frame.set_address_size(8);
        caller(&eh_frame, &self.bases, probe, registers, stack)
            .or_else(|| caller(&debug_frame, &self.bases, probe, registers, stack))
    }
}

/// One step outwards, where the table knows the function.
fn caller<'a, S: UnwindSection<EndianSlice<'a, LittleEndian>>>(
    table: &S,
    bases: &BaseAddresses,
    probe: u64,
    registers: Registers,
    stack: &Stack<'_>,
) -> Option<Registers> {
    let mut context = UnwindContext::new();
    let row = table.unwind_info_for_address(bases, &mut context, probe, S::cie_from_offset).ok()?;
    let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else { return None };
    let base = match *register {
        X86_64::RSP => registers.sp,
        X86_64::RBP => registers.bp,
        _ => return None,
    };
    let frame = base.wrapping_add_signed(*offset);
    let saved = |register: Register| match row.register(register) {
        Some(RegisterRule::Offset(offset)) => stack.word(frame.wrapping_add_signed(offset)),
        _ => None,
    };
    Some(Registers {
        pc: saved(X86_64::RA)?,
        sp: frame,
        bp: saved(X86_64::RBP).unwrap_or(registers.bp),
    })
}

/// The C library's assembly has no tables, but is called and calls nothing; other code without them
/// may keep frame pointers.
fn without_table(first: bool, registers: Registers, stack: &Stack<'_>) -> Option<Registers> {
    if first {
        return leaf(registers, stack);
    }
    Some(Registers {
        pc: stack.word(registers.bp.wrapping_add(8))?,
        sp: registers.bp.wrapping_add(16),
        bp: stack.word(registers.bp)?,
    })
}

/// The caller of a function that has pushed nothing.
fn leaf(registers: Registers, stack: &Stack<'_>) -> Option<Registers> {
    Some(Registers {
        pc: stack.word(registers.sp)?,
        sp: registers.sp.wrapping_add(8),
        bp: registers.bp,
    })
}

/// Bytes of the program's stack and where they were.
struct Stack<'a> {
    base: u64,
    bytes: &'a [u8],
}

impl Stack<'_> {
    fn word(&self, address: u64) -> Option<u64> {
        let at = usize::try_from(address.checked_sub(self.base)?).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(8)?)?;
        Some(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }
}
