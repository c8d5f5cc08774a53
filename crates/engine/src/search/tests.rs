//! Every searcher against a model of what it must hold, and distances on programs written by hand.

use std::collections::BTreeMap;
use std::rc::Rc;

use fathom_ir::inst::{Inst, Op};
use fathom_ir::{Block, CallSite, FuncId, Function, Program, function_address};

use super::distance::Distances;
use super::*;
use crate::engine::{Config, Engine};
use crate::hooks::Hooks;
use crate::outcome::Fault;
use crate::state::Frame;
use crate::system::{Reply, System, SystemContext};

struct NoSystem;

impl System for NoSystem {
    fn call(&mut self, _: &mut SystemContext<'_>, _: u64, _: [u64; 6]) -> Result<Reply, Fault> {
        Ok(Reply::Exit(0))
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(NoSystem)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

const STEP: u32 = size_of::<Inst>() as u32;

fn function(blocks: &[u32], code: Vec<Inst>) -> Function {
    let blocks = blocks.iter().map(|&start| Block { start, n_llvm: 1 }).collect();
    Function { code, blocks, frame_slots: 1, ..Function::default() }
}

fn plain(op: Op) -> Inst {
    Inst::new(op)
}

/// Goes on with the next instruction, or with that `other` further on.
fn branch(other: u32) -> Inst {
    Inst { d: STEP, b: other * STEP, ..Inst::new(Op::Branch) }
}

fn call(function: u32) -> Inst {
    Inst { a: function, ..Inst::new(Op::Call) }
}

/// `main` calls `step` and then `deep`, which has a branch; `other` calls through a pointer.
fn program() -> Program {
    let main = function(&[0, 2], vec![call(1), call(2), plain(Op::RetVoid)]);
    let step = function(&[0], vec![plain(Op::Add64), plain(Op::Add64), plain(Op::RetVoid)]);
    let ret = [plain(Op::Add64), plain(Op::RetVoid)];
    let deep = function(&[0, 1, 3], [&[branch(3)], &ret[..], &ret[..]].concat());
    let pointer = Inst { imm: function_address(FuncId(2)), ..plain(Op::Const) };
    let other = function(&[0], vec![pointer, plain(Op::CallIndirect), plain(Op::RetVoid)]);
    let mut program = Program::default();
    for function in [main, step, deep, other] {
        program.functions.push(function);
    }
    program.call_sites.push(CallSite::default());
    program
}

/// An engine, and states that stand wherever a test puts them.
struct World<'p> {
    engine: Engine<'p>,
    root: State,
    tree: Tree,
    n_states: u32,
}

impl<'p> World<'p> {
    fn new(program: &'p Program) -> Self {
        let config = Config { coverage: true, ..Config::default() };
        let engine = Engine::new(program, config, Hooks::default());
        let root = State::new(1 << 20, Rc::new(NoSystem)).expect("memory for one state");
        Self { engine, root, tree: Tree::default(), n_states: 0 }
    }

    fn outlook(&self) -> Outlook<'_> {
        Outlook { tree: &self.tree, coverage: &self.engine.coverage }
    }

    /// A state in these functions, outermost first, at these instructions of them.
    fn state(&mut self, stack: &[(u32, usize)]) -> State {
        self.n_states += 1;
        let mut state = self.root.fork(StateId(self.n_states), 0);
        for &(function, index) in stack {
            let function = FuncId(function);
            state.frames.push(Frame {
                call: state.ip,
                function,
                mark: state.memory.stack_mark(),
                serial: 0,
                symbolic: false,
            });
            state.ip = self.engine.callee(function).code.wrapping_add(index);
        }
        state
    }

    fn cover(&mut self, function: u32, block: u64) {
        let mut state = self.state(&[(function, 0)]);
        let mark = Inst { imm: block, ..Inst::new(Op::Cover) };
        assert!(self.engine.exec_cover(&mut state, &mark).is_ok());
    }

    fn distance(&mut self, distances: &Distances, stack: &[(u32, usize)]) -> u32 {
        let state = self.state(stack);
        distances.distance(distances.place(&state, self.outlook()), self.outlook())
    }
}

#[test]
fn distances_go_into_calls_past_them_and_back() {
    let program = program();
    let mut world = World::new(&program);
    for (function, block) in [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1), (3, 0)] {
        world.cover(function, block);
    }
    let distances = Distances::new(&program);
    // Only the second way through `deep` is left.
    assert_eq!(world.distance(&distances, &[(2, 3)]), 0);
    assert_eq!(world.distance(&distances, &[(2, 0)]), 1);
    assert_eq!(world.distance(&distances, &[(0, 1)]), 2);
    assert_eq!(world.distance(&distances, &[(0, 0)]), 1 + 3 + 2);
    assert_eq!(world.distance(&distances, &[(0, 0), (1, 0)]), 3 + 2);
    assert_eq!(world.distance(&distances, &[(3, 0)]), 2 + 1);
    assert_eq!(world.distance(&distances, &[(0, 2)]), 10_000);
    assert_eq!(world.distance(&distances, &[(1, 0)]), 10_000);
    world.cover(2, 2);
    assert_eq!(world.distance(&distances, &[(2, 0)]), 10_000);
}

#[test]
fn md2u_prefers_the_state_nearer_to_uncovered_code() {
    let program = program();
    let mut world = World::new(&program);
    for (function, block) in [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1), (3, 0)] {
        world.cover(function, block);
    }
    let mut searcher = Weighted::new(ByDistance(Distances::new(&program)), 1);
    let (far, near) = (world.state(&[(0, 0)]), world.state(&[(0, 0), (2, 0)]));
    searcher.add(&far, world.outlook());
    searcher.add(&near, world.outlook());
    let picks = (0..1000).filter(|_| searcher.next(world.outlook()) == Some(near.id)).count();
    // 1/4 against 1/49.
    assert!((880..=960).contains(&picks), "{picks}");
    // Nothing is left to find: both are as far.
    world.cover(2, 2);
    let picks = (0..1000).filter(|_| searcher.next(world.outlook()) == Some(near.id)).count();
    assert!((430..=570).contains(&picks), "{picks}");
}

#[test]
fn rare_places_rare_stacks_and_cheap_states_are_preferred() {
    let program = program();
    let mut world = World::new(&program);
    let searchers: [Box<dyn Searcher>; 4] = [
        Box::new(Weighted::new(ByVisits::default(), 1)),
        Box::new(Weighted::new(ByCallPath::default(), 1)),
        Box::new(Weighted::new(ByQueries, 1)),
        Box::new(Weighted::new(ByNewCode(Distances::new(&program)), 1)),
    ];
    for mut searcher in searchers {
        let mut common = world.state(&[(0, 0), (1, 0)]);
        let rare = world.state(&[(0, 1), (2, 3)]);
        searcher.add(&common, world.outlook());
        searcher.add(&rare, world.outlook());
        common.queries = 9;
        for _ in 0..9 {
            common.instructions += 1000;
            searcher.update(&common, world.outlook());
        }
        let picks = (0..1000).filter(|_| searcher.next(world.outlook()) == Some(rare.id)).count();
        assert!(picks > 600, "{picks}");
    }
}

/// All kinds of searchers there are.
fn searchers(program: &Program, seed: u64) -> Vec<Box<dyn Searcher>> {
    // Each its own: what is known of a run is of no use in the next.
    let distances = || Distances::new(program);
    let path = || Box::new(RandomPath::new(Kind::Feasible, seed));
    let new_code = || Box::new(Weighted::new(ByNewCode(distances()), seed));
    vec![
        Box::new(Dfs::default()),
        Box::new(Bfs::default()),
        path(),
        Box::new(RandomState::new(seed)),
        Box::new(Weighted::new(ByDepth, seed)),
        new_code(),
        Box::new(Weighted::new(ByDistance(distances()), seed)),
        Box::new(Weighted::new(ByVisits::default(), seed)),
        Box::new(Weighted::new(ByCallPath::default(), seed)),
        Box::new(Weighted::new(ByQueries, seed)),
        Box::new(Interleaved::new(vec![path(), new_code(), Box::new(Dfs::default())])),
    ]
}

/// Adds, updates and removes states at random while code gets covered; returns all choices.
fn exercise(program: &Program, searcher: &mut dyn Searcher, seed: u64) -> Vec<StateId> {
    const PLACES: [&[(u32, usize)]; 5] =
        [&[(0, 0)], &[(0, 0), (1, 1)], &[(0, 1), (2, 0)], &[(3, 1), (2, 3)], &[]];
    let mut world = World::new(program);
    let mut random = Random::new(seed);
    let mut held: BTreeMap<StateId, State> = BTreeMap::new();
    let mut choices = Vec::new();
    for _ in 0..400 {
        let some = held.keys().nth(random.below(held.len().max(1))).copied();
        match (random.below(8), some) {
            (0..4, _) | (_, None) => {
                let mut state = world.state(PLACES[random.below(PLACES.len())]);
                state.depth = random.below(50) as u32;
                state.queries = random.below(50) as u32;
                match some {
                    Some(parent) => world.tree.fork(parent, state.id, Kind::Feasible),
                    None => world.tree.plant(&[(state.id, Kind::Feasible)]),
                }
                searcher.add(&state, world.outlook());
                held.insert(state.id, state);
            }
            (4, Some(id)) => {
                let state = held.get_mut(&id).expect("it was just seen");
                state.instructions += random.below(5000) as u64;
                searcher.update(state, world.outlook());
            }
            (5 | 6, Some(id)) => {
                held.remove(&id);
                searcher.remove(id);
                world.tree.remove(id);
            }
            _ => {
                let function = random.below(4);
                let n_blocks = program.functions[FuncId(function as u32)].blocks.len();
                world.cover(function as u32, random.below(n_blocks) as u64);
            }
        }
        let choice = searcher.next(world.outlook());
        assert_eq!(choice.is_none(), held.is_empty());
        assert!(choice.is_none_or(|id| held.contains_key(&id)), "{choice:?} is not there");
        choices.extend(choice);
    }
    while let Some(id) = searcher.next(world.outlook()) {
        assert!(held.remove(&id).is_some(), "{id:?} is not there");
        searcher.remove(id);
        world.tree.remove(id);
        choices.push(id);
    }
    assert!(held.is_empty(), "{} states were lost", held.len());
    choices
}

#[test]
fn searchers_return_what_they_have_lose_nothing_and_repeat_themselves() {
    let program = program();
    for seed in 1..=8 {
        let twice = searchers(&program, seed).into_iter().zip(searchers(&program, seed));
        for (mut first, mut second) in twice {
            let choices = exercise(&program, &mut *first, seed);
            assert!(choices == exercise(&program, &mut *second, seed));
        }
    }
}
