//! The branches that a place lies behind: whoever comes there has left each of them to one side
//! last. The function's flow alone says so, so these are known even where the path had settled a
//! branch before it came there, and nothing was recorded of it.

use std::collections::{BTreeSet, VecDeque};

use fathom_engine::outcome::Site;
use fathom_ir::{Function, LocId, Location, Program};

/// A branch, and where it was left to when it was executed last.
pub struct Guard {
    pub site: Site,
    pub to: LocId,
}

/// The guards of `place` in its function, in the order in which they were executed last. None where
/// control may come in from elsewhere, and in the C library.
pub fn guards(program: &Program, place: Site) -> Vec<Guard> {
    let function = &program.functions[place.function];
    if !program.is_own(place.loc) || function.calls_setjmp {
        return Vec::new();
    }
    let flow = Flow::of(program, function, place.loc);
    let mut seen = BTreeSet::new();
    let mut guards = Vec::new();
    for at in flow.shortest_way() {
        let is_branch = flow.next[at].len() > 1 && !flow.is_place(at);
        let is_new = |line| flow.is_on_place_line(at) || seen.insert(line);
        if is_branch
            && flow.line(at).is_some_and(is_new)
            && let Some(to) = flow.side(at)
        {
            let site = Site { function: place.function, loc: function.locs[at] };
            guards.push(Guard { site, to });
        }
    }
    guards
}

/// Where control goes in a function, and the place that matters.
struct Flow<'a> {
    program: &'a Program,
    function: &'a Function,
    place: LocId,
    next: Vec<Vec<usize>>,
    previous: Vec<Vec<usize>>,
}

impl<'a> Flow<'a> {
    fn of(program: &'a Program, function: &'a Function, place: LocId) -> Self {
        let len = function.code.len();
        let ways_on = |at| function.successors(at).into_iter().filter(|&to| to < len).collect();
        let next: Vec<Vec<usize>> = (0..len).map(ways_on).collect();
        let mut previous = vec![Vec::new(); len];
        for (at, ways_on) in next.iter().enumerate() {
            for &to in ways_on {
                previous[to].push(at);
            }
        }
        Self { program, function, place, next, previous }
    }

    fn is_place(&self, at: usize) -> bool {
        self.function.locs[at] == self.place
    }

    /// The file and line of an instruction; `None` where nothing is known.
    fn line(&self, at: usize) -> Option<(u32, u32)> {
        line(self.program, self.function.locs[at])
    }

    fn is_on_place_line(&self, at: usize) -> bool {
        self.line(at) == line(self.program, self.place)
    }

    /// Instructions from the function's first one to the place: every guard is among them.
    fn shortest_way(&self) -> Vec<usize> {
        let mut from: Vec<Option<usize>> = vec![None; self.next.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            if self.is_place(at) {
                let mut way: Vec<usize> =
                    std::iter::successors(Some(at), |&at| from[at].filter(|_| at != 0)).collect();
                way.reverse();
                return way;
            }
            for &to in &self.next[at] {
                if to != 0 && from[to].is_none() {
                    from[to] = Some(at);
                    queue.push_back(to);
                }
            }
        }
        Vec::new()
    }

    /// The side of the branch at `at` that alone leads to the place. Conditions with `&&` and `||`
    /// are several branches: all of a line are taken as one, unless the place is on that line.
    fn side(&self, at: usize) -> Option<LocId> {
        let line = self.line(at)?;
        let alone = self.is_on_place_line(at);
        let is_in_group = |other| if alone { other == at } else { self.line(other) == Some(line) };
        let leads_there = self.leads_there(is_in_group);
        // It may be come to another way.
        if leads_there[0] {
            return None;
        }
        let exits = (0..self.next.len())
            .filter(|&at| is_in_group(at))
            .flat_map(|at| &self.next[at])
            .filter(|&&to| !is_in_group(to));
        let (leading, other): (Vec<usize>, Vec<usize>) = exits.partition(|&&to| leads_there[to]);
        let to = *leading.first()?;
        let is_one_side = leading.iter().all(|&side| self.line(side) == self.line(to));
        (is_one_side && !other.is_empty()).then(|| self.function.locs[to])
    }

    /// The instructions from which the place can be come to without the barred ones.
    fn leads_there(&self, is_barred: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut leads: Vec<bool> = (0..self.next.len()).map(|at| self.is_place(at)).collect();
        let mut todo: Vec<usize> = (0..leads.len()).filter(|&at| leads[at]).collect();
        while let Some(at) = todo.pop() {
            for &before in &self.previous[at] {
                if !leads[before] && !is_barred(before) {
                    leads[before] = true;
                    todo.push(before);
                }
            }
        }
        leads
    }
}

/// The file and line of a place, where they are known.
pub fn line(program: &Program, loc: LocId) -> Option<(u32, u32)> {
    let Location { file, line, .. } = *program.locations.get(loc)?;
    (line > 0).then_some((file.0, line))
}
