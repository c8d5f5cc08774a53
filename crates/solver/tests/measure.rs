//! Nanoseconds of processor time per operation:
//! `cargo test --release -p fathom-solver --test measure -- --ignored --nocapture --test-threads 1`.

use std::hint::black_box;
use std::time::Duration;

use fathom_expr::{ExprId, Model, Pool};
use fathom_solver::{Answer, Config, PathCondition, Solver};

/// Processor time of this thread so far.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes the time it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn report(what: &str, n: u64, start: Duration) {
    println!("{what:45} {:9.1} ns", (cpu_time() - start).as_nanos() as f64 / n as f64);
}

fn branches(pool: &mut Pool, n: u32) -> Vec<ExprId> {
    let input = pool.input("in", n);
    (0..n)
        .map(|offset| {
            let byte = pool.byte(input, offset);
            let limit = pool.constant(8, u64::from(100 + offset));
            pool.ugt(byte, limit)
        })
        .collect()
}

/// Explores both sides of each branch as an engine would: check, add, go on.
fn explore(
    pool: &mut Pool,
    solver: &mut Solver,
    branches: &[ExprId],
    path: &PathCondition,
    model: &Model,
    done: &mut dyn FnMut(&mut Pool, &mut Solver, &PathCondition, &Model),
) {
    let Some((&condition, rest)) = branches.split_first() else {
        return done(pool, solver, path, model);
    };
    for side in [condition, pool.not(condition)] {
        if let Answer::Sat(found) = solver.check(pool, path, side, Some(model)).unwrap() {
            let mut path = path.clone();
            path.add(pool, side);
            let mut model = model.clone();
            model.update(&found);
            explore(pool, solver, rest, &path, &model, done);
        }
    }
}

#[test]
#[ignore = "a measurement"]
fn two_to_the_sixteen_paths() {
    let mut pool = Pool::new();
    let mut solver = Solver::new(Config::default());
    let conditions = branches(&mut pool, 16);
    let mut n_paths = 0;
    let start = cpu_time();
    let mut count = |_: &mut Pool, _: &mut Solver, _: &PathCondition, _: &Model| n_paths += 1;
    explore(&mut pool, &mut solver, &conditions, &PathCondition::new(), &Model::new(), &mut count);
    println!("{n_paths} paths, {} checks, {:?}", solver.stats.queries, cpu_time() - start);
    report("branch: check, clone, add, update", solver.stats.queries, start);
    assert_eq!((n_paths, solver.stats.wrong_models), (1 << 16, 0));
}

#[test]
#[ignore = "a measurement"]
fn wishes_for_every_path() {
    let mut pool = Pool::new();
    let mut solver = Solver::new(Config::default());
    let conditions = branches(&mut pool, 16);
    let mut wishes = Vec::new();
    for offset in 0..16 {
        let input = pool.input("in", 16);
        let byte = pool.byte(input, offset);
        let [space, tilde, zero] = [b' ', b'~', b'0'].map(|c| pool.constant(8, c.into()));
        let (above, below) = (pool.uge(byte, space), pool.ule(byte, tilde));
        wishes.extend([pool.and(above, below), pool.uge(byte, zero)]);
    }
    let mut spent = Duration::ZERO;
    let mut n = 0;
    let mut wish = |pool: &mut Pool, solver: &mut Solver, path: &PathCondition, model: &Model| {
        let start = cpu_time();
        black_box(solver.prefer(pool, path, model, &[], &wishes, 10));
        spent += cpu_time() - start;
        n += 1;
    };
    explore(&mut pool, &mut solver, &conditions, &PathCondition::new(), &Model::new(), &mut wish);
    println!("prefer with 32 wishes: {:.2} us per path", spent.as_micros() as f64 / f64::from(n));
}

#[test]
#[ignore = "a measurement"]
fn single_operations() {
    const N: u64 = 1_000_000;
    let mut pool = Pool::new();
    let mut solver = Solver::new(Config::default());
    let conditions = branches(&mut pool, 64);
    let mut path = PathCondition::new();
    for &condition in &conditions[1..] {
        path.add(&mut pool, condition);
    }
    let start = cpu_time();
    for _ in 0..N {
        black_box(path.clone());
    }
    report("clone and drop of a path of 63 constraints", N, start);
    let start = cpu_time();
    for _ in 0..N {
        let mut longer = path.clone();
        longer.add(&mut pool, conditions[0]);
        black_box(longer);
    }
    report("clone, add of a one-byte constraint, drop", N, start);
    let start = cpu_time();
    for _ in 0..N {
        black_box(solver.check(&mut pool, &path, conditions[0], None).unwrap());
    }
    report("check of a one-byte condition", N, start);
}

#[test]
#[ignore = "a measurement"]
fn two_byte_conditions() {
    let mut pool = Pool::new();
    let mut solver = Solver::new(Config::default());
    let input = pool.input("in", 64);
    let bytes: Vec<ExprId> = (0..64).map(|offset| pool.byte(input, offset)).collect();
    let mut path = PathCondition::new();
    let mut model = Model::new();
    let mut n = 0;
    let start = cpu_time();
    for pair in bytes.windows(2) {
        let less = pool.ult(pair[0], pair[1]);
        for side in [less, pool.not(less)] {
            n += 1;
            let answer = solver.check(&mut pool, &path, side, Some(&model)).unwrap();
            if side == less {
                model.update(&answer.model().expect("bytes can ascend"));
            }
        }
        path.add(&mut pool, less);
    }
    report("ascending bytes: check of a two-byte condition", n, start);
    println!("{:#?}", solver.stats);
    assert_eq!(solver.stats.wrong_models, 0);
}
