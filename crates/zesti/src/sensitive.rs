//! Which code does something that an unlucky value could make go wrong.

use std::collections::HashSet;

use fathom_ir::inst::{Inst, Op};
use fathom_ir::{Function, Program};

/// By function, by block of the program's own code: whether it divides, copies, or accesses memory
/// at an address that was computed.
pub fn sensitive_blocks(program: &Program) -> Vec<Vec<bool>> {
    let of_function = |function: &Function| match program.is_own(function.loc) {
        true => blocks(function),
        false => vec![false; function.blocks.len()],
    };
    program.functions.iter().map(of_function).collect()
}

fn blocks(function: &Function) -> Vec<bool> {
    let computed = computed_slots(&function.code);
    let ends = function.blocks.iter().skip(1).map(|block| block.start as usize);
    let ends = ends.chain([function.code.len()]);
    let ranges = function.blocks.iter().map(|block| block.start as usize).zip(ends);
    ranges
        .map(|(start, end)| {
            let code = function.code.get(start..end).unwrap_or_default();
            code.iter().any(|inst| is_sensitive(inst, &computed))
        })
        .collect()
}

/// Slots that hold the result of arithmetic on pointers, as far as moves show it.
fn computed_slots(code: &[Inst]) -> HashSet<u32> {
    let mut computed: HashSet<u32> = code
        .iter()
        .filter(|inst| {
            matches!(
                inst.op,
                Op::GepX | Op::GepS | Op::GepT | Op::GepTS | Op::Add64 | Op::Add64I | Op::Sub64
            )
        })
        .map(|inst| inst.d)
        .collect();
    loop {
        let before = computed.len();
        for inst in code.iter().filter(|inst| inst.op == Op::Move) {
            if computed.contains(&inst.a) {
                computed.insert(inst.d);
            }
        }
        if computed.len() == before {
            return computed;
        }
    }
}

#[rustfmt::skip]
fn is_sensitive(inst: &Inst, computed: &HashSet<u32>) -> bool {
    match inst.op {
        Op::Load8X | Op::Load16X | Op::Load32X | Op::Load64X
        | Op::Load8S | Op::Load16S | Op::Load32S | Op::Load64S
        | Op::Load8T | Op::Load16T | Op::Load32T | Op::Load64T
        | Op::Load8TS | Op::Load16TS | Op::Load32TS | Op::Load64TS
        | Op::Store8X | Op::Store16X | Op::Store32X | Op::Store64X
        | Op::Store8S | Op::Store16S | Op::Store32S | Op::Store64S
        | Op::Store8T | Op::Store16T | Op::Store32T | Op::Store64T
        | Op::Store8TS | Op::Store16TS | Op::Store32TS | Op::Store64TS
        | Op::MemCpy | Op::MemMove | Op::MemSet
        | Op::UDiv | Op::URem | Op::SDiv32 | Op::SDiv64 | Op::SRem32 | Op::SRem64 => true,
        Op::Load8 | Op::Load16 | Op::Load32 | Op::Load64 | Op::LoadSext8To32 | Op::LoadN
        | Op::Store8 | Op::Store16 | Op::Store32 | Op::Store64 | Op::StoreN
        | Op::Store8I | Op::Store16I | Op::Store32I | Op::Store64I => computed.contains(&inst.a),
        _ => false,
    }
}
