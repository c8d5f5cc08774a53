//! From virtual slots to frame slots: drops what nothing reads, finds how long each value lives,
//! and lets values that never live at the same time share a slot.
//!
//! Lowering gives every value a *group*: consecutive virtual slots of its own. Here each group
//! gets consecutive frame slots for the hull of its live range.

use super::roles::{Role, ends_block, is_pure, roles};
use crate::LocId;
use crate::inst::{Inst, Op};

/// "No slot here"; 0 in the finished code.
pub const NO_SLOT: u32 = u32::MAX;
/// `OUTGOING + n` is slot n of the frame that the next call will make.
pub const OUTGOING: u32 = 1 << 31;

/// Code over virtual slots and labels.
#[derive(Default)]
pub struct Draft {
    pub code: Vec<Inst>,
    pub locs: Vec<LocId>,
    /// Virtual slot to group.
    pub group_of: Vec<u32>,
    /// First virtual slot and length of each group. The parameters come first.
    pub groups: Vec<(u32, u32)>,
    pub n_params: usize,
    /// Instruction index of each label.
    pub labels: Vec<u32>,
    /// Labels each switch (by `imm`) may go to.
    pub switch_targets: Vec<Vec<u32>>,
    /// Labels an `IndirectBr` may go to.
    pub indirect_targets: Vec<u32>,
    /// Instruction indices to keep up to date: starts of blocks.
    pub marks: Vec<u32>,
    /// Every group keeps a slot of its own (the function calls setjmp).
    pub keep_apart: bool,
}

impl Draft {
    pub fn new_group(&mut self, slots: u32) -> u32 {
        let base = self.group_of.len() as u32;
        let group = self.groups.len() as u32;
        self.groups.push((base, slots));
        self.group_of.extend(std::iter::repeat_n(group, slots.max(1) as usize));
        base
    }

    pub fn group(&self, slot: u32) -> Option<u32> {
        (slot < OUTGOING).then(|| self.group_of[slot as usize])
    }

    pub fn for_each_group(&self, inst: &Inst, mut visit: impl FnMut(u32, Role)) {
        for &(field, role) in roles(inst) {
            if role != Role::Target
                && let Some(group) = self.group(field.get(inst))
            {
                visit(group, role);
            }
        }
    }

    /// Makes the code final but for branch distances. Returns the size of the frame.
    pub fn finish(&mut self) -> u32 {
        self.drop_unread();
        if !self.keep_apart {
            self.write_arguments_in_place();
            self.coalesce_moves();
        }
        let (slots, frame_slots) = if self.keep_apart {
            self.one_slot_each()
        } else {
            assign(&self.live_ranges(), &self.groups, self.n_params)
        };
        for index in 0..self.code.len() {
            for &(field, role) in roles(&self.code[index]) {
                if role == Role::Target {
                    continue;
                }
                let slot = match field.get(&self.code[index]) {
                    NO_SLOT => 0,
                    outgoing if outgoing >= OUTGOING => outgoing - OUTGOING + frame_slots,
                    slot => {
                        let group = self.group_of[slot as usize] as usize;
                        slots[group] + slot - self.groups[group].0
                    }
                };
                field.set(&mut self.code[index], slot);
            }
            let inst = &mut self.code[index];
            if matches!(inst.op, Op::Call | Op::CallExternal | Op::CallIndirect) {
                inst.b = frame_slots;
            }
        }
        let keep: Vec<bool> =
            self.code.iter().map(|inst| inst.op != Op::Move || inst.d != inst.a).collect();
        self.compact(&keep);
        frame_slots
    }

    fn one_slot_each(&self) -> (Vec<u32>, u32) {
        (self.groups.iter().map(|&(base, _)| base).collect(), self.group_of.len() as u32)
    }

    /// Removes pure instructions whose result nothing reads.
    fn drop_unread(&mut self) {
        let mut reads = vec![0u32; self.groups.len()];
        for inst in &self.code {
            self.for_each_group(inst, |group, role| {
                if role == Role::Use {
                    reads[group as usize] += 1;
                }
            });
        }
        let mut keep = vec![true; self.code.len()];
        for index in (0..self.code.len()).rev() {
            let inst = self.code[index];
            if !is_pure(&inst) {
                continue;
            }
            let unread = self.group(inst.d).is_some_and(|group| reads[group as usize] == 0);
            let idle = inst.op == Op::Move && inst.d == inst.a;
            if unread || idle {
                keep[index] = false;
                self.for_each_group(&inst, |group, role| {
                    if role == Role::Use {
                        reads[group as usize] -= 1;
                    }
                });
            }
        }
        self.compact(&keep);
    }

    pub fn compact(&mut self, keep: &[bool]) {
        let mut new_index = Vec::with_capacity(keep.len() + 1);
        let mut kept = 0u32;
        for &keep in keep {
            new_index.push(kept);
            kept += u32::from(keep);
        }
        new_index.push(kept);
        let mut flags = keep.iter();
        self.code.retain(|_| *flags.next().expect("a flag for each instruction"));
        let mut flags = keep.iter();
        self.locs.retain(|_| *flags.next().expect("a flag for each instruction"));
        for mark in self.labels.iter_mut().chain(&mut self.marks) {
            *mark = new_index[*mark as usize];
        }
    }

    /// First and last position at which each group is live. Instruction i reads at position 2i
    /// and writes at 2i + 1.
    fn live_ranges(&self) -> Vec<Range> {
        let mut ranges = vec![Range::EMPTY; self.groups.len()];
        for (index, inst) in (0..).zip(&self.code) {
            self.for_each_group(inst, |group, role| {
                let range = &mut ranges[group as usize];
                // A wide result may not overlap an operand that dies here.
                let wide = self.groups[group as usize].1 > 1;
                if role == Role::Use || wide {
                    range.include(2 * index);
                }
                if role == Role::Def {
                    range.include(2 * index + 1);
                }
            });
        }
        let flow = Flow::new(self);
        flow.walk_live(
            self,
            |_| true,
            |group, block| {
                let range = &mut ranges[group as usize];
                range.include(flow.first_position(block));
                for &predecessor in &flow.predecessors[block as usize] {
                    range.include(flow.last_position(predecessor));
                }
            },
        );
        ranges
    }
}

/// Positions from `first` to `last`, both included.
#[derive(Clone, Copy)]
struct Range {
    first: u32,
    last: u32,
}

impl Range {
    const EMPTY: Self = Self { first: u32::MAX, last: 0 };

    fn include(&mut self, position: u32) {
        self.first = self.first.min(position);
        self.last = self.last.max(position);
    }
}

/// Straight runs of the bytecode and the edges between them.
pub struct Flow {
    /// First instruction of each run, and the end of the last one.
    pub starts: Vec<u32>,
    pub predecessors: Vec<Vec<u32>>,
}

impl Flow {
    pub fn new(draft: &Draft) -> Self {
        let length = draft.code.len() as u32;
        let mut starts: Vec<u32> = draft.labels.clone();
        starts.push(0);
        starts
            .extend((0..length).filter(|&i| ends_block(draft.code[i as usize].op)).map(|i| i + 1));
        starts.push(length);
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|&start| start <= length);
        let mut flow = Self { predecessors: vec![Vec::new(); starts.len()], starts };
        for block in 0..flow.starts.len().saturating_sub(1) as u32 {
            flow.connect(draft, block);
        }
        flow
    }

    fn connect(&mut self, draft: &Draft, block: u32) {
        let last = self.starts[block as usize + 1] - 1;
        let inst = &draft.code[last as usize];
        if !ends_block(inst.op) {
            self.predecessors[block as usize + 1].push(block);
        }
        for &(field, role) in roles(inst) {
            if role == Role::Target {
                self.edge(draft, block, field.get(inst));
            }
        }
        let more: &[u32] = match inst.op {
            Op::Switch => &draft.switch_targets[inst.imm as usize],
            Op::IndirectBr => &draft.indirect_targets,
            _ => &[],
        };
        for &label in more {
            self.edge(draft, block, label);
        }
    }

    fn edge(&mut self, draft: &Draft, from: u32, label: u32) {
        let start = draft.labels[label as usize];
        if let Ok(to) = self.starts.binary_search(&start)
            && self.predecessors[to].last() != Some(&from)
        {
            self.predecessors[to].push(from);
        }
    }

    pub fn first_position(&self, block: u32) -> u32 {
        2 * self.starts[block as usize]
    }

    pub fn last_position(&self, block: u32) -> u32 {
        2 * self.starts[block as usize + 1] - 1
    }

    /// Groups a run reads before it writes them, and groups it writes, as (group, run).
    fn exposed_and_defined(&self, draft: &Draft, wanted: impl Fn(u32) -> bool) -> (Pairs, Pairs) {
        let mut defined_in = vec![u32::MAX; draft.groups.len()];
        let (mut exposed, mut defined) = (Vec::new(), Vec::new());
        for (block, bounds) in (0..).zip(self.starts.windows(2)) {
            for inst in &draft.code[bounds[0] as usize..bounds[1] as usize] {
                // Uses first: an instruction may read what it overwrites.
                draft.for_each_group(inst, |group, role| {
                    if role == Role::Use && defined_in[group as usize] != block && wanted(group) {
                        exposed.push((group, block));
                    }
                });
                draft.for_each_group(inst, |group, role| {
                    if role == Role::Def && defined_in[group as usize] != block {
                        defined_in[group as usize] = block;
                        defined.push((group, block));
                    }
                });
            }
        }
        exposed.sort_unstable();
        exposed.dedup();
        defined.sort_unstable();
        (exposed, defined)
    }

    /// Calls `live_in` for each wanted group and run it is live into, walking back from each use
    /// that no definition of the same run precedes.
    pub fn walk_live(
        &self,
        draft: &Draft,
        wanted: impl Fn(u32) -> bool,
        mut live_in: impl FnMut(u32, u32),
    ) {
        let (exposed, defined) = self.exposed_and_defined(draft, wanted);
        let mut defined_for = vec![u32::MAX; self.starts.len()];
        let mut visited_for = vec![u32::MAX; self.starts.len()];
        let mut next_def = 0;
        let mut current = u32::MAX;
        let mut work = Vec::new();
        for (group, block) in exposed {
            if group != current {
                current = group;
                while next_def < defined.len() && defined[next_def].0 < group {
                    next_def += 1;
                }
                while next_def < defined.len() && defined[next_def].0 == group {
                    defined_for[defined[next_def].1 as usize] = group;
                    next_def += 1;
                }
            }
            work.push(block);
            while let Some(block) = work.pop() {
                if visited_for[block as usize] == group {
                    continue;
                }
                visited_for[block as usize] = group;
                live_in(group, block);
                for &predecessor in &self.predecessors[block as usize] {
                    if defined_for[predecessor as usize] != group {
                        work.push(predecessor);
                    }
                }
            }
        }
    }
}

type Pairs = Vec<(u32, u32)>;

/// Gives each group its first slot, in the order in which their ranges begin.
fn assign(ranges: &[Range], groups: &[(u32, u32)], n_params: usize) -> (Vec<u32>, u32) {
    let mut slots = vec![0; groups.len()];
    let mut free = FreeSlots::default();
    let mut active: std::collections::BinaryHeap<(std::cmp::Reverse<u32>, u32, u32)> =
        Default::default();
    let mut next = 0;
    for group in 0..n_params {
        slots[group] = next;
        free.take_at(next, groups[group].1);
        active.push((std::cmp::Reverse(ranges[group].last), next, groups[group].1));
        next += groups[group].1;
    }
    let mut order: Vec<u32> = (n_params as u32..groups.len() as u32)
        .filter(|&group| ranges[group as usize].first != u32::MAX)
        .collect();
    order.sort_by_key(|&group| ranges[group as usize].first);
    for group in order {
        let range = ranges[group as usize];
        while let Some(&(std::cmp::Reverse(last), slot, length)) = active.peek() {
            if last >= range.first {
                break;
            }
            active.pop();
            free.give_back(slot, length);
        }
        let length = groups[group as usize].1;
        let slot = free.take(length);
        slots[group as usize] = slot;
        active.push((std::cmp::Reverse(range.last), slot, length));
    }
    (slots, free.high_water.max(next))
}

/// A bit set for each slot in use.
#[derive(Default)]
struct FreeSlots {
    used: Vec<u64>,
    high_water: u32,
}

impl FreeSlots {
    /// The lowest run of `length` free slots.
    fn take(&mut self, length: u32) -> u32 {
        let mut start = self.first_free(0);
        while let Some(busy) = (start..start + length).rev().find(|&slot| self.is_used(slot)) {
            start = self.first_free(busy + 1);
        }
        self.take_at(start, length);
        start
    }

    fn first_free(&self, from: u32) -> u32 {
        let mut slot = from;
        while let Some(&word) = self.used.get(slot as usize / 64) {
            let free = !word & u64::MAX << (slot % 64);
            if free != 0 {
                return slot / 64 * 64 + free.trailing_zeros();
            }
            slot = (slot / 64 + 1) * 64;
        }
        slot
    }

    fn is_used(&self, slot: u32) -> bool {
        self.used.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 != 0)
    }

    fn take_at(&mut self, start: u32, length: u32) {
        for slot in start..start + length {
            let word = slot as usize / 64;
            if word >= self.used.len() {
                self.used.resize(word + 1, 0);
            }
            self.used[word] |= 1 << (slot % 64);
        }
        self.high_water = self.high_water.max(start + length);
    }

    fn give_back(&mut self, start: u32, length: u32) {
        for slot in start..start + length {
            self.used[slot as usize / 64] &= !(1 << (slot % 64));
        }
    }
}
