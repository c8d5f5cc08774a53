//! Recorded queries: every answer is right. `FATHOM_QUERIES=DIR cargo test --release -p fathom-solver
//! --test queries -- --ignored --nocapture` measures the chain on a directory of SMT-LIB files.

#[path = "queries/reader.rs"]
mod reader;

use std::path::{Path, PathBuf};
use std::time::Duration;

use fathom_expr::Pool;
use fathom_solver::{Config, LayerKind, PathCondition, Solver};

fn files_below(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("the directory of queries can be read") {
        let path = entry.expect("the directory of queries can be read").path();
        if path.is_dir() {
            files_below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "smt2") {
            files.push(path);
        }
    }
}

/// Processor time of this thread so far.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes the time it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[test]
#[ignore = "a measurement"]
fn recorded_queries_are_answered_right() {
    let directory = std::env::var_os("FATHOM_QUERIES").expect("FATHOM_QUERIES names a directory");
    let mut files = Vec::new();
    files_below(Path::new(&directory), &mut files);
    files.sort();
    let mut wrong = 0;
    let mut total = Duration::ZERO;
    let mut n_decided_by = [0; LayerKind::ALL.len()];
    for file in &files {
        let mut pool = Pool::new();
        let query = reader::read(&mut pool, &std::fs::read_to_string(file).unwrap());
        let mut solver = Solver::new(Config::default());
        let start = cpu_time();
        let (&last, before) = query.asserted.split_last().expect("a query asserts something");
        let mut path = PathCondition::new();
        for &condition in before {
            path.add(&mut pool, condition);
        }
        let all_slices = before.iter().fold(last, |all, &condition| pool.and(all, condition));
        let answer = solver.check(&mut pool, &path, all_slices, None).unwrap();
        let time = cpu_time() - start;
        total += time;
        let layers = LayerKind::ALL.map(|layer| solver.stats[layer].answered > 0);
        let deepest = layers.iter().rposition(|&answered| answered).unwrap_or(1);
        n_decided_by[deepest] += 1;
        let is_right = answer.is_sat() == query.is_sat && solver.stats.wrong_models == 0;
        wrong += u32::from(!is_right);
        if !is_right || time > Duration::from_millis(2) {
            let name = LayerKind::ALL[deepest].name();
            println!("{} {time:?} {name} {}", file.display(), if is_right { "right" } else { "WRONG" });
        }
    }
    println!("{} queries, {wrong} wrong, {total:?}, by layer {n_decided_by:?}", files.len());
    assert_eq!(wrong, 0);
}
