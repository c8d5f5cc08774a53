//! The bytecode as text, for tests and for looking at it.

use std::fmt::Write;

use crate::inst::{
    Big, BigWidths, Float, FloatPredicate, Indexed, Inst, Int, Op, Special, Table, Wide, soft,
};
use crate::{Function, Program, SwitchKind};

/// One instruction per line, targets as instruction indices.
pub fn dump(program: &Program, function: &Function) -> String {
    let mut text = format!(
        "{}: {} parameter slots, {} frame slots\n",
        function.name, function.param_slots, function.frame_slots
    );
    for (index, inst) in function.code.iter().enumerate() {
        if let Some(block) = function.blocks.iter().rposition(|block| block.start as usize == index)
        {
            let _ = writeln!(text, " block {block}:");
        }
        let _ = writeln!(text, "{index:>4}  {}", one(program, function, index, inst));
    }
    text
}

fn one(program: &Program, function: &Function, index: usize, inst: &Inst) -> String {
    use Op::*;
    let Inst { op, x, d, a, b, imm } = *inst;
    let at = |distance: u32| target(index, distance as i32);
    let count = if x == 0 { String::new() } else { format!("  ; +{x}") };
    match op {
        Const => format!("%{d} = {imm:#x}"),
        Move => format!("%{d} = %{a}"),
        MoveN => format!("%{d}.. = %{a}.. x{b}"),
        Select => format!("%{d} = %{a} ? %{b} : %{imm}"),
        Load8X | Load16X | Load32X | Load64X | Load8S | Load16S | Load32S | Load64S | GepX
        | GepS => format!("%{d} = {op:?} {}", indexed(a, b, imm)),
        Store8X | Store16X | Store32X | Store64X | Store8S | Store16S | Store32S | Store64S => {
            format!("{op:?} {} <- %{d}", indexed(a, b, imm))
        }
        Load8T | Load16T | Load32T | Load64T | Load8TS | Load16TS | Load32TS | Load64TS | GepT
        | GepTS => format!("%{d} = {op:?} {}", table(program, b, imm)),
        Store8T | Store16T | Store32T | Store64T | Store8TS | Store16TS | Store32TS | Store64TS => {
            format!("{op:?} {} <- %{d}", table(program, b, imm))
        }
        Load8 | Load16 | Load32 | Load64 | LoadSext8To32 => {
            format!("%{d} = {op:?} [%{a}{:+}]", imm as i64)
        }
        LoadN => format!("%{d} = LoadN x{x} [%{a}{:+}]", imm as i64),
        Load8A | Load16A | Load32A | Load64A => {
            format!("%{d} = {op:?} [{}]", address(program, imm))
        }
        Store8 | Store16 | Store32 | Store64 => format!("{op:?} [%{a}{:+}] <- %{d}", imm as i64),
        StoreN => format!("StoreN x{x} [%{a}{:+}] <- %{d}", imm as i64),
        Store8A | Store16A | Store32A | Store64A => {
            format!("{op:?} [{}] <- %{d}", address(program, imm))
        }
        Store8I | Store16I | Store32I | Store64I => {
            format!("{op:?} [%{a}{:+}] <- {imm:#x}", b as i32)
        }
        Alloca => format!("%{d} = Alloca {imm} align {}{}", 1u64 << x, variable(function, a)),
        AllocaDyn => format!("%{d} = AllocaDyn %{b} x {imm} align {}", 1u64 << x),
        MemCpy | MemMove | MemSet => format!("{op:?} %{d}, %{a}, %{b}{count}"),
        Jump => format!("Jump -> {}{count}", at(d)),
        Branch => format!("Branch %{a} -> {}, {}{count}", at(d), at(b)),
        BrEq | BrUlt | BrSlt32 | BrSlt64 => {
            format!("{op:?} %{a}, %{b} -> {}, {}{count}", at(d), at(imm as u32))
        }
        BrEqI | BrUltI | BrUgtI | BrSlt32I | BrSgt32I | BrSlt64I | BrSgt64I => {
            format!("{op:?} %{a}, {imm:#x} -> {}, {}{count}", at(d), at(b))
        }
        Switch => format!("Switch %{a} {}{count}", switch(function, index, imm)),
        Call | CallExternal => {
            let name = &program.functions[crate::FuncId(a)].name;
            format!("%{d} = {op:?} {name}(%{b}..){count}")
        }
        CallIndirect => format!("%{d} = CallIndirect %{a}(%{b}..){count}"),
        RetI => format!("RetI {imm:#x}{count}"),
        Ret | IndirectBr => format!("{op:?} %{a}{count}"),
        RetN => format!("RetN %{a}.. x{b}{count}"),
        RetVoid | Unreachable | Count | Halt | Cover => format!("{op:?}{count}"),
        Unsupported => format!("Unsupported {:?}{count}", program.messages[imm as usize]),
        Fault => format!("Fault {d} 1 / (%{a} - {imm:#x})"),
        Bug => format!("Bug {imm}{count}"),
        VaStart | StackRestore => format!("{op:?} %{a}"),
        StackSave => format!("%{d} = StackSave"),
        FCmp32 | FCmp64 => format!("%{d} = {op:?} {:?} %{a}, %{b}", predicate(x)),
        F32ToS | F64ToS | F32ToU | F64ToU | SToF32 | SToF64 | UToF32 | UToF64 => {
            format!("%{d} = {op:?} %{a} i{x}")
        }
        Sext => format!("%{d} = Sext %{a} from {x} & {imm:#x}"),
        ShlW | LShrW | AShrW => format!("%{d} = {op:?} i{x} %{a}, %{b}"),
        Soft => {
            let (op, format, from) = soft::unpack(x);
            format!("%{d} = Soft {op:?} {format:?} {from:?} %{a}, %{b}, {imm:#x}")
        }
        Int => format!("%{d} = {:?} %{a}, %{b}, {imm:#x}", int(x)),
        Wide => format!("%{d} = Wide {:?} %{a}, %{b}, {imm:#x}", wide(x)),
        Big => {
            let BigWidths { width, other } = BigWidths::unpack(imm);
            format!("%{d} = Big {:?} i{width} %{a}, %{b}, {other}", big(x))
        }
        Float => format!("%{d} = {:?} %{a}, %{b}, {imm:#x}", float(x)),
        Special => format!("%{d} = {:?} %{a}, {imm:#x}", special(x)),
        _ if takes_immediate(op) => format!("%{d} = {op:?} %{a}, {imm:#x}"),
        _ if takes_one(op) => format!("%{d} = {op:?} %{a}"),
        _ => format!("%{d} = {op:?} %{a}, %{b}"),
    }
}

fn table(program: &Program, index: u32, imm: u64) -> String {
    let Table { base, scale } = Table::unpack(imm);
    format!("[{} + %{index}*{scale}]", address(program, base))
}

fn takes_immediate(op: Op) -> bool {
    format!("{op:?}").ends_with('I')
}

#[rustfmt::skip]
fn takes_one(op: Op) -> bool {
    use Op::*;
    matches!(op, Sext8To32 | Sext16To32 | Sext8To64 | Sext16To64 | Sext32To64 | FNeg32 | FNeg64
        | F32To64 | F64To32)
}

fn target(index: usize, distance: i32) -> i64 {
    index as i64 + i64::from(distance) / size_of::<Inst>() as i64
}

fn indexed(a: u32, b: u32, imm: u64) -> String {
    let Indexed { scale, offset } = Indexed::unpack(imm);
    format!("[%{a} + %{b}*{scale}{offset:+}]")
}

/// An address by the global it points into.
fn address(program: &Program, address: u64) -> String {
    let global = program
        .globals
        .iter()
        .find(|global| address >= global.address && address - global.address < global.size.max(1));
    match global {
        Some(global) => format!("{}+{}", global.name, address - global.address),
        None => format!("{address:#x}"),
    }
}

fn variable(function: &Function, index: u32) -> String {
    match function.variables.get(index as usize) {
        Some(variable) => format!(" \"{} {}\"", variable.type_name, variable.name),
        None => String::new(),
    }
}

fn switch(function: &Function, index: usize, number: u64) -> String {
    let switch = &function.switches[number as usize];
    let mut text = String::from("{");
    match &switch.kind {
        SwitchKind::Dense { base, targets } => {
            for (value, &to) in (*base..).zip(targets) {
                let _ = write!(text, "{value:#x}: {}, ", target(index, to));
            }
        }
        SwitchKind::Sparse { values, targets } => {
            for (value, &to) in values.iter().zip(targets) {
                let _ = write!(text, "{value:#x}: {}, ", target(index, to));
            }
        }
    }
    let _ = write!(text, "else: {}}}", target(index, switch.default));
    text
}

macro_rules! from_number {
    ($name:ident, $type:ty, $last:path) => {
        fn $name(number: u16) -> $type {
            assert!(number <= $last as u16, "not the number of a {}", stringify!($type));
            // SAFETY: the enum is dense from 0 to its last variant.
            unsafe { std::mem::transmute::<u16, $type>(number) }
        }
    };
}

from_number!(int, Int, Int::SRem);
from_number!(wide, Wide, Wide::UToFp);
from_number!(big, Big, Big::FpToInt);
from_number!(float, Float, Float::ToUSat);
from_number!(special, Special, Special::VaCopy);
from_number!(predicate, FloatPredicate, FloatPredicate::True);
