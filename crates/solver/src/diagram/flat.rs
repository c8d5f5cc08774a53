//! Comparisons of two functions of one byte each, without trying all pairs of values.

use fathom_expr::BinaryOp;

use super::nodes::{Nodes, OutOfSteps, Ref, Run};

impl Nodes {
    /// `op` of `a` and `b`, if they are functions of one byte each, of different bytes, and `op` is
    /// one that sorted values decide.
    pub fn compare_flat(
        &mut self,
        op: BinaryOp,
        a: Ref,
        b: Ref,
    ) -> Result<Option<Ref>, OutOfSteps> {
        if !self.is_flat(a) || !self.is_flat(b) || self.level(a) == self.level(b) {
            return Ok(None);
        }
        let a_is_first = self.level(a) < self.level(b);
        let (first, second) = if a_is_first { (a, b) } else { (b, a) };
        match op {
            BinaryOp::Eq => self.equal_flat(first, second).map(Some),
            BinaryOp::Ult | BinaryOp::Ule if self.is_ascending(second) => {
                self.less_flat(first, second, a_is_first, op == BinaryOp::Ule).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn is_flat(&self, function: Ref) -> bool {
        self.value(function).is_none()
            && self.runs(function).iter().all(|run| self.value(run.child).is_some())
    }

    fn is_ascending(&self, flat: Ref) -> bool {
        self.runs(flat).is_sorted_by_key(|run| self.value(run.child))
    }

    fn equal_flat(&mut self, first: Ref, second: Ref) -> Result<Ref, OutOfSteps> {
        let mut places: Vec<(Ref, u8, u8)> = Vec::new();
        let mut start = 0;
        for run in self.runs(second) {
            places.push((run.child, start, run.last));
            start = run.last.wrapping_add(1);
        }
        places.sort_unstable();
        self.node_over(first, |nodes, value| {
            let begin = places.partition_point(|place| place.0 < value);
            let same = places[begin..].iter().take_while(|place| place.0 == value);
            let edges = same.flat_map(|&(_, start, last)| {
                let before = start.checked_sub(1).map(|last| Run { last, child: Ref::FALSE });
                before.into_iter().chain([Run { last, child: Ref::TRUE }])
            });
            nodes.node(nodes.level(second), closed(edges))
        })
    }

    /// `first < second`, or `second < first` unless `first_is_left`; `<=` if `or_equal`.
    fn less_flat(
        &mut self,
        first: Ref,
        second: Ref,
        first_is_left: bool,
        or_equal: bool,
    ) -> Result<Ref, OutOfSteps> {
        let number = |nodes: &Self, leaf| nodes.value(leaf).expect("flat functions have leaves");
        let ends: Vec<(u64, u8)> =
            self.runs(second).iter().map(|run| (number(self, run.child), run.last)).collect();
        self.node_over(first, |nodes, value| {
            let value = number(nodes, value);
            let is_below =
                |other: u64| other < value || other == value && first_is_left != or_equal;
            let n_below = ends.partition_point(|&(other, _)| is_below(other));
            let (below, above) =
                if first_is_left { (Ref::FALSE, Ref::TRUE) } else { (Ref::TRUE, Ref::FALSE) };
            let edge = n_below.checked_sub(1).map(|idx| Run { last: ends[idx].1, child: below });
            let rest = Run { last: 255, child: above };
            nodes.node(
                nodes.level(second),
                edge.into_iter().chain(edge.is_none_or(|edge| edge.last < 255).then_some(rest)),
            )
        })
    }

    /// The node that tests `flat`'s byte and goes on as `child_of` says for each of its values.
    fn node_over(
        &mut self,
        flat: Ref,
        mut child_of: impl FnMut(&mut Self, Ref) -> Result<Ref, OutOfSteps>,
    ) -> Result<Ref, OutOfSteps> {
        let runs = self.runs(flat).to_vec();
        let mut edges = Vec::with_capacity(runs.len());
        for Run { last, child } in runs {
            edges.push(Run { last, child: child_of(self, child)? });
        }
        self.node(self.level(flat), edges)
    }
}

/// `edges`, with false for the values after the last of them.
fn closed(edges: impl Iterator<Item = Run>) -> impl Iterator<Item = Run> {
    let mut is_closed = false;
    let mut edges = edges;
    std::iter::from_fn(move || {
        let edge = match edges.next() {
            Some(edge) => edge,
            None if is_closed => return None,
            None => Run { last: 255, child: Ref::FALSE },
        };
        is_closed = edge.last == 255;
        Some(edge)
    })
}
