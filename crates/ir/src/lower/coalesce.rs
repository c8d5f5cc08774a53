//! Saves moves: values are computed where they are wanted.

use super::roles::{Role, is_pure, roles};
use super::slots::{Draft, Flow, OUTGOING};
use crate::inst::{Inst, Op};

impl Draft {
    /// Lets an argument be computed straight into the callee's frame, where it is used for
    /// nothing else and nothing but pure instructions lies between.
    pub fn write_arguments_in_place(&mut self) {
        let mut occurrences = vec![0u32; self.groups.len()];
        for inst in &self.code {
            self.for_each_group(inst, |group, _| occurrences[group as usize] += 1);
        }
        let starts: Vec<u32> = Flow::new(self).starts;
        let mut keep = vec![true; self.code.len()];
        for bounds in starts.windows(2) {
            self.place_arguments(bounds[0] as usize, bounds[1] as usize, &occurrences, &mut keep);
        }
        self.compact(&keep);
    }

    fn place_arguments(
        &mut self,
        start: usize,
        end: usize,
        occurrences: &[u32],
        keep: &mut [bool],
    ) {
        // Where the current stretch of pure instructions began.
        let mut stretch = start;
        for index in start..end {
            let inst = self.code[index];
            if !is_pure(&inst) {
                stretch = index + 1;
                continue;
            }
            if inst.op != Op::Move || inst.d < OUTGOING {
                continue;
            }
            let Some(group) = self.group(inst.a) else { continue };
            // One definition and this use.
            if occurrences[group as usize] != 2 || self.groups[group as usize].1 != 1 {
                continue;
            }
            let definition = (stretch..index).rev().find(|&i| keep[i] && self.code[i].d == inst.a);
            if let Some(definition) = definition {
                self.code[definition].d = inst.d;
                keep[index] = false;
            }
        }
    }

    /// Labels of stubs whose moves are all gone lead on to where the stub goes.
    pub fn thread_jumps(&mut self) {
        for label in 0..self.labels.len() {
            let mut position = self.labels[label];
            for _ in 0..4 {
                match self.code.get(position as usize) {
                    Some(inst) if inst.op == Op::Jump && inst.x == 0 => {
                        position = self.labels[inst.d as usize];
                    }
                    _ => break,
                }
            }
            self.labels[label] = position;
        }
    }

    /// Lets a jump (or a count that falls through) do itself what stands at its target, where that
    /// is a branch or a return: one instruction less on each way around a loop. Returns where that
    /// was done, and what was copied from where.
    pub fn copy_terminators(&mut self) -> Vec<(u32, u32)> {
        let mut copied = Vec::new();
        for index in 0..self.code.len() {
            let inst = self.code[index];
            let target = match inst.op {
                Op::Jump => self.labels[inst.d as usize] as usize,
                Op::Count => index + 1,
                _ => continue,
            };
            let Some(&found) = self.code.get(target).filter(|found| may_stand_anywhere(found.op))
            else {
                continue;
            };
            if let Some(x) = inst.x.checked_add(found.x) {
                self.code[index] = Inst { x, ..found };
                self.locs[index] = self.locs[target];
                copied.push((index as u32, target as u32));
            }
        }
        copied
    }

    /// Gives both sides of a move one slot where they never live at the same time.
    pub fn coalesce_moves(&mut self) {
        let moves: Vec<(u32, u32)> = self
            .code
            .iter()
            .filter(|inst| inst.op == Op::Move)
            .filter_map(|inst| Some((self.group(inst.d)?, self.group(inst.a)?)))
            .filter(|&(to, from)| to != from && self.is_single(to) && self.is_single(from))
            .collect();
        if moves.is_empty() {
            return;
        }
        let mut segments = self.live_segments(&moves);
        let mut joined: Vec<u32> = (0..self.groups.len() as u32).collect();
        for (to, from) in moves {
            let (to, from) = (find(&mut joined, to), find(&mut joined, from));
            let both_params = (to.max(from) as usize) < self.n_params;
            if to == from
                || both_params
                || overlap(&segments[to as usize], &segments[from as usize])
            {
                continue;
            }
            // A parameter keeps its slot.
            let (stays, goes) = if from < to { (from, to) } else { (to, from) };
            let moved = std::mem::take(&mut segments[goes as usize]);
            merge(&mut segments[stays as usize], moved);
            joined[goes as usize] = stays;
        }
        self.rename(&mut joined);
    }

    fn is_single(&self, group: u32) -> bool {
        self.groups[group as usize].1 == 1
    }

    fn rename(&mut self, joined: &mut [u32]) {
        for index in 0..self.code.len() {
            for &(field, role) in roles(&self.code[index]) {
                if role == Role::Target {
                    continue;
                }
                if let Some(group) = self.group(field.get(&self.code[index])) {
                    let stays = find(joined, group);
                    if stays != group {
                        let slot = self.groups[stays as usize].0;
                        field.set(&mut self.code[index], slot);
                    }
                }
            }
        }
    }

    /// The stretches of positions over which each group that a move names is live, ascending.
    fn live_segments(&self, moves: &[(u32, u32)]) -> Vec<Vec<Segment>> {
        let mut wanted = vec![false; self.groups.len()];
        for &(to, from) in moves {
            wanted[to as usize] = true;
            wanted[from as usize] = true;
        }
        let flow = Flow::new(self);
        let mut live_out = vec![Vec::new(); flow.starts.len()];
        flow.walk_live(
            self,
            |group| wanted[group as usize],
            |group, block| {
                for &predecessor in &flow.predecessors[block as usize] {
                    live_out[predecessor as usize].push(group);
                }
            },
        );
        let mut segments = vec![Vec::new(); self.groups.len()];
        let mut open_until = vec![None; self.groups.len()];
        for block in (0..flow.starts.len().saturating_sub(1)).rev() {
            self.scan_back(&flow, block as u32, &live_out, &wanted, &mut open_until, &mut segments);
        }
        for list in &mut segments {
            list.reverse();
        }
        segments
    }

    fn scan_back(
        &self,
        flow: &Flow,
        block: u32,
        live_out: &[Vec<u32>],
        wanted: &[bool],
        open_until: &mut [Option<u32>],
        segments: &mut [Vec<Segment>],
    ) {
        let mut opened: Vec<u32> = live_out[block as usize].clone();
        for &group in &opened {
            open_until[group as usize] = Some(flow.last_position(block));
        }
        let (start, end) = (flow.starts[block as usize], flow.starts[block as usize + 1]);
        for index in (start..end).rev() {
            let inst = &self.code[index as usize];
            self.for_each_group(inst, |group, role| {
                if role == Role::Def && wanted[group as usize] {
                    let last = open_until[group as usize].take().unwrap_or(2 * index + 1);
                    segments[group as usize].push((2 * index + 1, last));
                }
            });
            self.for_each_group(inst, |group, role| {
                let open = &mut open_until[group as usize];
                if role == Role::Use && wanted[group as usize] && open.is_none() {
                    *open = Some(2 * index);
                    opened.push(group);
                }
            });
        }
        for group in opened {
            if let Some(last) = open_until[group as usize].take() {
                segments[group as usize].push((flow.first_position(block), last));
            }
        }
    }
}

/// First and last position.
type Segment = (u32, u32);

fn find(joined: &mut [u32], mut group: u32) -> u32 {
    while joined[group as usize] != group {
        joined[group as usize] = joined[joined[group as usize] as usize];
        group = joined[group as usize];
    }
    group
}

fn overlap(a: &[Segment], b: &[Segment]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].1 < b[j].0 {
            i += 1;
        } else if b[j].1 < a[i].0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}

fn merge(into: &mut Vec<Segment>, from: Vec<Segment>) {
    into.extend(from);
    into.sort_unstable();
}

/// Is this a terminator that means the same wherever it stands? Targets are still labels.
#[rustfmt::skip]
fn may_stand_anywhere(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Jump | Branch | BrEq | BrUlt | BrSlt32 | BrSlt64 | BrEqI | BrUltI | BrUgtI | BrSlt32I
        | BrSgt32I | BrSlt64I | BrSgt64I | RetVoid | Ret | RetI | RetN
    )
}
