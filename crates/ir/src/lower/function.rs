//! Walks the body of a function: order of blocks, counts of instructions, moves on edges.

use rustc_hash::{FxHashMap, FxHashSet};

use super::llvm::{BasicBlock, LLVMOpcode, LLVMTypeKind, Type, Value};
use super::operand::Operand;
use super::roles::{Role, roles};
use super::slots::{Draft, NO_SLOT};
use super::{Lowered, Lowering};
use crate::inst::{Inst, Op};
use crate::{ArgKind, Block, Function, LocId, Param, Switch, SwitchKind, Variable};

/// A place in the code that branches name before it is known.
pub type Label = u32;

/// A function being lowered. `draft` grows instruction by instruction.
pub struct Body<'l, 'm> {
    pub m: &'l mut Lowering<'m>,
    pub draft: Draft,
    pub out: Function,
    /// First virtual slot of each value.
    pub slots: FxHashMap<Value, u32>,
    /// Debug variable of each alloca.
    pub variables: FxHashMap<Value, u32>,
    pub block_labels: FxHashMap<BasicBlock, Label>,
    n_edges_in: FxHashMap<BasicBlock, u32>,
    pub current: BasicBlock,
    pub next: Option<BasicBlock>,
    /// LLVM instructions since the last counting instruction.
    pending: u32,
    pub loc: LocId,
}

impl Lowering<'_> {
    pub fn param(&mut self, function_or_call: Value, index: u32, ty: Type) -> Param {
        if let Some((size, align)) = function_or_call.byval(self.module, index) {
            return Param { kind: ArgKind::ByVal { size, align }, byval: Some(size) };
        }
        let kind = match self.types.shape(ty) {
            Ok(shape) if ty.kind() == LLVMTypeKind::LLVMVectorTypeKind => {
                let lane_bytes = shape.leaves.first().map_or(0, |leaf| leaf.scalar.bytes());
                ArgKind::Vector { lanes: shape.leaves.len() as u32, lane_bytes }
            }
            Ok(shape) => shape.single().map_or(ArgKind::Slots(shape.slots), |s| s.arg_kind()),
            Err(_) => ArgKind::Slots(0),
        };
        Param { kind, byval: None }
    }

    /// `sizes` are those of its blocks as the compiler made them.
    pub fn lower_function(&mut self, value: Value, sizes: &FxHashMap<BasicBlock, u32>) {
        let id = self.functions[&value];
        let mut out = std::mem::take(&mut self.program.functions[id]);
        out.loc = self.function_loc(value);
        let blocks = reachable_blocks(value);
        let mut body = Body {
            m: self,
            draft: Draft::default(),
            out,
            slots: FxHashMap::default(),
            variables: FxHashMap::default(),
            block_labels: FxHashMap::default(),
            n_edges_in: FxHashMap::default(),
            current: blocks[0],
            next: None,
            pending: 0,
            loc: LocId(0),
        };
        body.prepare(value, &blocks);
        for (index, &block) in blocks.iter().enumerate() {
            body.next = blocks.get(index + 1).copied();
            let mark = body.lower_block(block);
            body.out.blocks[mark].n_llvm = sizes[&block];
        }
        let function = body.finish();
        self.program.functions[id] = function;
    }
}

/// How many instructions each block has.
pub fn sizes_of_blocks(function: Value) -> FxHashMap<BasicBlock, u32> {
    let is_counted = |inst: &Value| !super::intrinsics::is_debug(*inst);
    let size = |block: BasicBlock| block.instructions().filter(is_counted).count() as u32;
    function.blocks().into_iter().map(|block| (block, size(block))).collect()
}

/// The blocks that some way leads to, in their order in the function.
fn reachable_blocks(function: Value) -> Vec<BasicBlock> {
    let blocks = function.blocks();
    let mut seen = FxHashSet::default();
    seen.insert(blocks[0]);
    let mut work = vec![blocks[0]];
    while let Some(block) = work.pop() {
        for successor in block.terminator().successors() {
            if seen.insert(successor) {
                work.push(successor);
            }
        }
    }
    blocks.into_iter().filter(|block| seen.contains(block)).collect()
}

impl Body<'_, '_> {
    fn prepare(&mut self, value: Value, blocks: &[BasicBlock]) {
        self.out.calls_setjmp = value.calls_setjmp();
        self.draft.keep_apart = self.out.calls_setjmp;
        for (index, param) in value.params().into_iter().enumerate() {
            let slot = self.draft.new_group(self.out.params[index].kind.slots());
            self.slots.insert(param, slot);
        }
        self.draft.n_params = self.out.params.len();
        for &block in blocks {
            let label = self.new_label();
            self.block_labels.insert(block, label);
            for successor in block.terminator().successors() {
                *self.n_edges_in.entry(successor).or_default() += 1;
            }
        }
        self.collect_variables(value);
    }

    fn collect_variables(&mut self, function: Value) {
        let (m, variables, out) = (&mut *self.m, &mut self.variables, &mut self.out);
        function.for_each_variable(|alloca, name, type_name, file, line| {
            let index = out.variables.len() as u32;
            let loc = m.debug.place(&mut m.program, file, line);
            out.variables.push(Variable { name, loc, type_name });
            if let Some(alloca) = alloca {
                variables.insert(alloca, index);
            }
        });
    }

    /// Says which of the function's blocks it has become.
    fn lower_block(&mut self, block: BasicBlock) -> usize {
        self.current = block;
        self.place_label(self.block_labels[&block]);
        if block.has_address_taken() {
            let address = self.m.label_address(block);
            // The label for now; its position once that is known.
            self.out.block_addresses.push((address, self.block_labels[&block]));
        }
        let mark = self.begin_block();
        for inst in block.instructions() {
            self.loc = self.m.loc(inst);
            if super::intrinsics::is_debug(inst) {
                continue;
            }
            self.pending += 1;
            if let Err(construct) = self.lower_inst(inst) {
                self.unsupported(&construct);
            }
        }
        mark
    }

    fn begin_block(&mut self) -> usize {
        let start = self.here();
        self.draft.marks.push(start);
        self.out.blocks.push(Block { start, n_llvm: 0 });
        self.out.blocks.len() - 1
    }

    fn lower_inst(&mut self, inst: Value) -> Lowered<()> {
        use LLVMOpcode::*;
        if self.alias_of(inst)?.is_some() {
            return Ok(());
        }
        match inst.opcode() {
            LLVMPHI | LLVMFence => Ok(()),
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl
            | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor => self.lower_arith(inst),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg => {
                self.lower_float_arith(inst)
            }
            LLVMICmp => self.lower_icmp(inst),
            LLVMFCmp => self.lower_fcmp(inst),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
            | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr => self.lower_cast(inst),
            LLVMBitCast | LLVMAddrSpaceCast | LLVMFreeze => self.lower_bitcast(inst),
            LLVMAlloca => self.lower_alloca(inst),
            LLVMLoad => self.lower_load(inst),
            LLVMStore => self.lower_store(inst),
            LLVMGetElementPtr => self.lower_gep(inst),
            LLVMAtomicRMW => self.lower_atomic_rmw(inst),
            LLVMAtomicCmpXchg => self.lower_compare_exchange(inst),
            LLVMSelect => self.lower_select(inst),
            LLVMExtractValue => self.lower_extract_value(inst),
            LLVMInsertValue => self.lower_insert_value(inst),
            LLVMExtractElement => self.lower_extract_element(inst),
            LLVMInsertElement => self.lower_insert_element(inst),
            LLVMShuffleVector => self.lower_shuffle(inst),
            LLVMCall => self.lower_call(inst),
            LLVMInvoke => {
                self.lower_call(inst)?;
                self.go_to(inst.successors()[0])
            }
            LLVMBr => self.lower_br(inst),
            LLVMSwitch => self.lower_switch(inst),
            LLVMIndirectBr => self.lower_indirect_br(inst),
            LLVMRet => self.lower_ret(inst),
            LLVMUnreachable => {
                self.emit_counting(Op::Unreachable, NO_SLOT, NO_SLOT, NO_SLOT, 0);
                Ok(())
            }
            opcode => Err(format!("the instruction {}", opcode_name(opcode))),
        }
    }

    // ---- emitting ------------------------------------------------------------------------

    pub fn here(&self) -> u32 {
        self.draft.code.len() as u32
    }

    pub fn new_label(&mut self) -> Label {
        self.draft.labels.push(u32::MAX);
        self.draft.labels.len() as u32 - 1
    }

    pub fn place_label(&mut self, label: Label) {
        self.draft.labels[label as usize] = self.here();
    }

    pub fn temp(&mut self, slots: u32) -> u32 {
        self.draft.new_group(slots)
    }

    pub fn emit_x(&mut self, op: Op, x: u16, d: u32, a: u32, b: u32, imm: u64) {
        self.draft.code.push(Inst { op, x, d, a, b, imm });
        self.draft.locs.push(self.loc);
    }

    pub fn emit(&mut self, op: Op, d: u32, a: u32, b: u32, imm: u64) {
        self.emit_x(op, 0, d, a, b, imm);
    }

    pub fn emit_counting(&mut self, op: Op, d: u32, a: u32, b: u32, imm: u64) {
        while self.pending > u32::from(u16::MAX) {
            self.pending -= u32::from(u16::MAX);
            self.emit_x(Op::Count, u16::MAX, 0, 0, 0, 0);
        }
        let count = std::mem::take(&mut self.pending) as u16;
        self.emit_x(op, count, d, a, b, imm);
    }

    pub fn unsupported(&mut self, construct: &str) {
        let imm = self.m.program.messages.len() as u64;
        self.m.program.messages.push(construct.to_owned());
        self.emit_counting(Op::Unsupported, NO_SLOT, NO_SLOT, NO_SLOT, imm);
    }

    // ---- edges ---------------------------------------------------------------------------

    /// Goes to `target` unconditionally, by falling through where it stands next.
    pub fn go_to(&mut self, target: BasicBlock) -> Lowered<()> {
        let moves = self.edge_moves(target)?;
        self.emit_moves(moves);
        self.go_or_fall(target);
        Ok(())
    }

    fn go_or_fall(&mut self, target: BasicBlock) {
        if self.next != Some(target) {
            self.emit_counting(Op::Jump, self.block_labels[&target], NO_SLOT, NO_SLOT, 0);
        } else if self.pending > 0 && (self.n_edges_in[&target] > 1 || target.has_address_taken()) {
            self.emit_counting(Op::Count, NO_SLOT, NO_SLOT, NO_SLOT, 0);
        }
    }

    /// Labels for the edges to `targets`: the block's own, or that of a stub which does the moves
    /// first. Call [`Body::place_stubs`] after the branch.
    pub fn edge_labels(&mut self, targets: &[BasicBlock]) -> Lowered<(Vec<Label>, Stubs)> {
        let mut labels: FxHashMap<BasicBlock, Label> = FxHashMap::default();
        let mut stubs = Vec::new();
        let mut result = Vec::with_capacity(targets.len());
        for &target in targets {
            if let Some(&label) = labels.get(&target) {
                result.push(label);
                continue;
            }
            let moves = self.edge_moves(target)?;
            let label = if moves.is_empty() {
                self.block_labels[&target]
            } else {
                let label = self.new_label();
                stubs.push((label, target, moves));
                label
            };
            labels.insert(target, label);
            result.push(label);
        }
        Ok((result, stubs))
    }

    pub fn place_stubs(&mut self, mut stubs: Stubs) {
        // The one that can fall through goes last.
        stubs.sort_by_key(|&(_, target, _)| Some(target) == self.next);
        let last = stubs.len().wrapping_sub(1);
        for (index, (label, target, moves)) in stubs.into_iter().enumerate() {
            self.place_label(label);
            self.begin_block();
            self.emit_moves(moves);
            if index == last {
                self.go_or_fall(target);
            } else {
                self.emit_counting(Op::Jump, self.block_labels[&target], NO_SLOT, NO_SLOT, 0);
            }
        }
    }

    /// What the phis of `target` take over when control comes from the current block.
    fn edge_moves(&mut self, target: BasicBlock) -> Lowered<Vec<PhiMove>> {
        let from = self.current;
        let mut moves = Vec::new();
        for phi in target.phis() {
            let Some((_, value)) = phi.incoming().find(|&(block, _)| block == from) else {
                continue;
            };
            let to = self.slot_of(phi)?;
            let shape = self.m.types.shape(phi.ty())?;
            if value.is_constant() {
                for (to, word) in (to..).zip(self.m.const_words(value)?) {
                    moves.push(PhiMove { to, from: MoveSource::Const(word) });
                }
            } else {
                let from = self.slot_of(value)?;
                for slot in 0..shape.slots {
                    if to + slot != from + slot {
                        let from = MoveSource::Slot(from + slot);
                        moves.push(PhiMove { to: to + slot, from });
                    }
                }
            }
        }
        Ok(moves)
    }

    /// Emits moves that happen all at once, one after the other.
    fn emit_moves(&mut self, mut moves: Vec<PhiMove>) {
        while !moves.is_empty() {
            let ready = moves
                .iter()
                .position(|one| !moves.iter().any(|other| other.from == MoveSource::Slot(one.to)));
            match ready {
                Some(index) => {
                    let one = moves.remove(index);
                    match one.from {
                        MoveSource::Slot(from) => self.emit(Op::Move, one.to, from, NO_SLOT, 0),
                        MoveSource::Const(bits) => {
                            self.emit(Op::Const, one.to, NO_SLOT, NO_SLOT, bits);
                        }
                    }
                }
                // Only cycles are left: free one destination by keeping its value aside.
                None => {
                    let kept = moves[0].to;
                    let temp = self.temp(1);
                    self.emit(Op::Move, temp, kept, NO_SLOT, 0);
                    for one in &mut moves {
                        if one.from == MoveSource::Slot(kept) {
                            one.from = MoveSource::Slot(temp);
                        }
                    }
                }
            }
        }
    }

    // ---- finishing -----------------------------------------------------------------------

    /// Virtual slots to frame slots, labels to distances.
    fn finish(mut self) -> Function {
        let mut out = self.out;
        let draft = &mut self.draft;
        draft.indirect_targets = out.block_addresses.iter().map(|&(_, label)| label).collect();
        out.frame_slots = draft.finish();
        draft.thread_jumps();
        let copied = draft.copy_terminators();
        let labels = std::mem::take(&mut draft.labels);
        for (index, inst) in draft.code.iter_mut().enumerate() {
            for &(field, role) in roles(inst) {
                if role == Role::Target {
                    let target = distance(index, labels[field.get(inst) as usize]);
                    field.set(inst, target as u32);
                }
            }
            if inst.op == Op::Switch {
                resolve_switch(&mut out.switches[inst.imm as usize], index, &labels);
            }
        }
        for (block, &mark) in out.blocks.iter_mut().zip(&draft.marks) {
            block.start = mark;
        }
        out.passed = passed(&out.blocks, &copied);
        for (_, position) in &mut out.block_addresses {
            *position = labels[*position as usize];
        }
        out.code = std::mem::take(&mut draft.code);
        out.locs = std::mem::take(&mut draft.locs);
        out.code.shrink_to_fit();
        out.locs.shrink_to_fit();
        out
    }

    pub fn constant_slot(&mut self, bits: u64) -> u32 {
        self.in_slot(Operand::Const(bits.into()), 1)
    }
}

/// The blocks that hold the copy of a terminator, and those that consist of its original.
fn passed(blocks: &[Block], copied: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let holder = |index: u32| {
        let before = blocks.iter().enumerate().filter(|(_, block)| block.start <= index);
        before.max_by_key(|&(number, block)| (block.start, number)).map(|(number, _)| number as u32)
    };
    let pairs = copied.iter().flat_map(|&(index, target)| {
        let originals = blocks.iter().enumerate().filter(move |(_, block)| block.start == target);
        originals.filter_map(move |(number, _)| Some((holder(index)?, number as u32)))
    });
    pairs.collect()
}

/// Stubs of edges that need moves.
pub type Stubs = Vec<(Label, BasicBlock, Vec<PhiMove>)>;

#[derive(Clone, Copy)]
pub struct PhiMove {
    to: u32,
    from: MoveSource,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MoveSource {
    Slot(u32),
    Const(u64),
}

fn distance(from: usize, to: u32) -> i32 {
    ((i64::from(to) - from as i64) * size_of::<Inst>() as i64) as i32
}

fn resolve_switch(switch: &mut Switch, index: usize, labels: &[u32]) {
    let resolve = |target: &mut i32| *target = distance(index, labels[*target as usize]);
    resolve(&mut switch.default);
    match &mut switch.kind {
        SwitchKind::Dense { targets, .. } | SwitchKind::Sparse { targets, .. } => {
            targets.iter_mut().for_each(resolve);
        }
    }
}

/// "landingpad" of `LLVMLandingPad`.
fn opcode_name(opcode: LLVMOpcode) -> String {
    format!("{opcode:?}").trim_start_matches("LLVM").to_lowercase()
}
