//! One pass over a test at one distance: the test's path first, then excursions from it.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::time::{Duration, Instant};

use fathom_engine::hooks::{BranchChoice, BranchPolicy, CheckPolicy, Hooks, Observer};
use fathom_engine::outcome::Site;
use fathom_engine::{State, StateId};

/// Forks that an excursion may make, for each unit of distance.
const FORKS_PER_DISTANCE: u32 = 2;

/// So often in a row the solver may fail to tell whether an address at a place can be wrong before
/// it is asked less; what follows on more failures than these is the same.
const FAILURES: u32 = 4;
const MOST_FAILURES: u32 = 20;

/// The depth at which the test's own path leaves itself: never.
const NEVER: u32 = u32::MAX;

/// What the test's path was found to be at distance 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Branches at which an input could leave the path.
    pub branches: u32,
    /// By the number of such branches before it: whether there is a sensitive operation.
    pub sensitive: Vec<bool>,
    /// Whether addresses that are large terms were found too hard to reason about, one by one.
    pub hard: Vec<bool>,
}

impl Trace {
    /// Whether a sensitive operation is `distance` branches from branch `branch`, itself included;
    /// branches are counted from 1.
    fn is_near(&self, branch: u32, distance: u32) -> bool {
        let depth = (branch + distance - 1) as usize;
        self.sensitive.get(depth).copied().unwrap_or(false)
    }

    /// The greatest distance that any branch has to any sensitive operation.
    pub fn farthest(&self) -> u32 {
        let deepest = self.sensitive.iter().rposition(|&there| there).unwrap_or(0);
        deepest as u32
    }

    fn note(&mut self, depth: u32) {
        let depth = depth as usize;
        if self.sensitive.len() <= depth {
            self.sensitive.resize(depth + 1, false);
        }
        self.sensitive[depth] = true;
    }
}

/// What one place may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// All checks of the pass: a path is followed to its end even where checking it takes too long.
    pub checks: Duration,
    /// Checks at one place, altogether; and how many of them the solver may leave undecided.
    pub place: Duration,
    pub undecided: u32,
    /// One excursion.
    pub excursion: Duration,
    pub excursion_instructions: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            checks: Duration::from_secs(30),
            place: Duration::from_secs(10),
            undecided: 3,
            excursion: Duration::from_secs(5),
            excursion_instructions: 20_000_000,
        }
    }
}

/// What a pass did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub trace: Trace,
    /// Checks that the solver was asked about, by place.
    pub checks: BTreeMap<(u32, u32), u64>,
    pub check_time: Duration,
    /// Checks left out, because their place had used up its time or they are too hard, by place.
    pub left_out: BTreeMap<(u32, u32), u64>,
    /// Excursions begun, and those that met a limit of theirs.
    pub excursions: u32,
    pub cut_short: u32,
}

/// A pass; copies are the same one.
#[derive(Clone)]
pub struct Pass(Rc<RefCell<Inner>>);

struct Inner {
    /// The state on the test's path.
    own: StateId,
    distance: u32,
    /// What distance 0 found; that pass itself finds it.
    known: Option<Trace>,
    limits: Limits,
    report: Report,
    /// The branch that the state on the path is at, to count each once.
    branch: Option<(u64, Site)>,
    at: Option<(u64, Site)>,
    /// States off the path.
    astray: HashMap<StateId, Astray>,
    excursions: HashMap<u32, Excursion>,
    places: HashMap<Site, Place>,
    /// Of [`Trace::hard`], those that the path has come past.
    n_told: usize,
}

/// A state off the test's path.
#[derive(Clone, Copy)]
struct Astray {
    /// The branch where it left.
    left_at: u32,
    /// Forks it may still make.
    forks: u32,
    /// Instructions it had executed when it left.
    instructions: u64,
}

#[derive(Default)]
struct Excursion {
    begun: Option<Instant>,
    instructions: u64,
    is_cut_short: bool,
}

#[derive(Default)]
struct Place {
    time: Duration,
    undecided: u32,
    /// Addresses in a row that were too hard to reason about, and how many more are taken to be:
    /// twice as many after each further one.
    hard: u32,
    to_skip: u32,
}

impl Pass {
    /// The pass at distance 0: follows the test and nothing else, and checks all it comes past.
    pub fn along(own: StateId, limits: Limits) -> Self {
        Self::new(own, 0, None, limits)
    }

    /// The pass at another distance, over a path that is known.
    pub fn beside(own: StateId, distance: u32, trace: Trace, limits: Limits) -> Self {
        assert!(distance > 0, "excursions leave the path");
        Self::new(own, distance, Some(trace), limits)
    }

    fn new(own: StateId, distance: u32, known: Option<Trace>, limits: Limits) -> Self {
        Self(Rc::new(RefCell::new(Inner {
            own,
            distance,
            known,
            limits,
            report: Report::default(),
            branch: None,
            at: None,
            astray: HashMap::new(),
            excursions: HashMap::new(),
            places: HashMap::new(),
            n_told: 0,
        })))
    }

    /// What the engine needs to know of it.
    pub fn hooks(&self) -> Hooks {
        Hooks {
            branches: Some(Box::new(self.clone())),
            checks: Some(Box::new(self.clone())),
            observers: vec![Box::new(self.clone())],
            ..Hooks::default()
        }
    }

    /// The branch at which the state left the test's path.
    pub(crate) fn left_at(&self, state: StateId) -> u32 {
        self.0.borrow().astray.get(&state).map_or(NEVER, |astray| astray.left_at)
    }

    /// The same, for states that did.
    pub fn departure(&self, state: StateId) -> Option<u32> {
        self.0.borrow().astray.get(&state).map(|astray| astray.left_at)
    }

    pub fn report(&self) -> Report {
        self.0.borrow().report.clone()
    }
}

impl BranchPolicy for Pass {
    fn choose(&mut self, state: &State, site: Site) -> BranchChoice {
        let inner = &mut *self.0.borrow_mut();
        inner.at = Some((state.instructions, site));
        match inner.astray.get(&state.id).copied() {
            None => BranchChoice::Defer,
            Some(astray) if astray.forks == 0 || !inner.may_go_on(astray, state) => {
                BranchChoice::Leave
            }
            Some(_) => BranchChoice::Check,
        }
    }

    fn keeps(&mut self, state: &State) -> bool {
        let inner = &mut *self.0.borrow_mut();
        if state.id != inner.own {
            return true;
        }
        // The other cases of a switch are of the same branch.
        if inner.branch != inner.at {
            inner.branch = inner.at;
            inner.report.trace.branches += 1;
        }
        let branch = inner.report.trace.branches;
        inner.known.as_ref().is_some_and(|trace| trace.is_near(branch, inner.distance))
    }

    fn parted(&mut self, parent: StateId, child: StateId) {
        let inner = &mut *self.0.borrow_mut();
        let astray = match inner.astray.get_mut(&parent) {
            Some(astray) => {
                astray.forks = astray.forks.saturating_sub(1);
                *astray
            }
            None => Astray {
                left_at: inner.report.trace.branches,
                forks: FORKS_PER_DISTANCE * inner.distance,
                instructions: inner.at.map_or(0, |(instructions, _)| instructions),
            },
        };
        inner.astray.insert(child, astray);
    }

    fn goes_on(&mut self, state: &State) -> bool {
        let inner = &mut *self.0.borrow_mut();
        let astray = inner.astray.get(&state.id).copied();
        astray.is_none_or(|astray| inner.may_go_on(astray, state))
    }
}

impl Inner {
    /// Whether the excursion of a state is within its limits.
    fn may_go_on(&mut self, astray: Astray, state: &State) -> bool {
        let excursion = self.excursions.entry(astray.left_at).or_default();
        let begun = *excursion.begun.get_or_insert_with(|| {
            self.report.excursions += 1;
            Instant::now()
        });
        let executed = state.instructions.saturating_sub(astray.instructions);
        excursion.instructions = excursion.instructions.max(executed);
        let within = begun.elapsed() < self.limits.excursion
            && excursion.instructions < self.limits.excursion_instructions;
        if !within && !std::mem::replace(&mut excursion.is_cut_short, true) {
            self.report.cut_short += 1;
        }
        within
    }

    fn depth_of(&self, state: &State) -> Option<u32> {
        (state.id == self.own).then_some(self.report.trace.branches)
    }
}

fn key(site: Site) -> (u32, u32) {
    (site.function.0, site.loc.0)
}

impl CheckPolicy for Pass {
    fn wants(&mut self, state: &State, site: Site) -> bool {
        let inner = &mut *self.0.borrow_mut();
        if let Some(depth) = inner.depth_of(state) {
            inner.report.trace.note(depth);
            if inner.distance > 0 {
                return false;
            }
        }
        let (limits, place) = (inner.limits, inner.places.entry(site).or_default());
        let wanted = place.time < limits.place
            && place.undecided < limits.undecided
            && inner.report.check_time < limits.checks;
        if !wanted {
            *inner.report.left_out.entry(key(site)).or_default() += 1;
        }
        wanted
    }

    fn made(&mut self, _: &State, site: Site, decided: bool, time: Duration) {
        let inner = &mut *self.0.borrow_mut();
        let place = inner.places.entry(site).or_default();
        place.time += time;
        place.undecided += u32::from(!decided);
        *inner.report.checks.entry(key(site)).or_default() += 1;
        inner.report.check_time += time;
    }

    /// Every pass takes the test's own path as the first one did, whatever the solver knows by then.
    fn is_hard(&mut self, state: &State, site: Site) -> Option<bool> {
        let inner = &mut *self.0.borrow_mut();
        if state.id == inner.own
            && let Some(trace) = &inner.known
        {
            inner.n_told += 1;
            return trace.hard.get(inner.n_told - 1).copied();
        }
        let place = inner.places.entry(site).or_default();
        place.to_skip = place.to_skip.checked_sub(1)?;
        if state.id == inner.own {
            inner.report.trace.hard.push(true);
        }
        Some(true)
    }

    fn found_hard(&mut self, state: &State, site: Site, is_hard: bool) {
        let inner = &mut *self.0.borrow_mut();
        if state.id == inner.own {
            inner.report.trace.hard.push(is_hard);
        }
        let place = inner.places.entry(site).or_default();
        place.hard = if is_hard { (place.hard + 1).min(MOST_FAILURES) } else { 0 };
        place.to_skip = (1 << place.hard.saturating_sub(FAILURES)) - 1;
    }

    fn takes_bound_values(&self) -> bool {
        true
    }

    fn left_out(&mut self, state: &State, site: Site) {
        let inner = &mut *self.0.borrow_mut();
        if let Some(depth) = inner.depth_of(state) {
            inner.report.trace.note(depth);
        }
        if inner.distance == 0 || state.id != inner.own {
            *inner.report.left_out.entry(key(site)).or_default() += 1;
        }
    }
}

impl Observer for Pass {
    fn block(&mut self, state: &State) {
        let inner = &mut *self.0.borrow_mut();
        if let Some(depth) = inner.depth_of(state) {
            inner.report.trace.note(depth);
        }
    }
}
