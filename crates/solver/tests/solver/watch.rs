//! What watches the chain: recorded queries and the second solver.

use std::time::Duration;

use crate::random::Scene;
use fathom_solver::{Config, CrossCheck, Layers, Record, Recorded, Solver};

fn ask_some(solver: &mut Solver, seed: u64) {
    let mut scene = Scene::new(seed, 3);
    let path = scene.path(16, 2);
    for _ in 0..4 {
        let condition = scene.condition();
        solver.check(&mut scene.pool, &path, condition, None).unwrap();
    }
}

#[test]
fn queries_are_written_down_with_their_answers() {
    let directory = std::env::temp_dir().join(format!("fathom-record-{}", std::process::id()));
    let record = Record { directory: directory.clone(), which: Recorded::All };
    let config = Config { record: Some(record), ..Config::default() };
    let mut scene = Scene::new(1, 2);
    let path = scene.path(16, 0);
    let less = scene.pool.ult(scene.bytes[0], scene.bytes[1]);
    let mut solver = Solver::new(config);
    let answer = solver.check(&mut scene.pool, &path, less, None).unwrap();
    let text = std::fs::read_to_string(directory.join("000000.smt2")).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let status =
        if answer.is_sat() { "(set-info :status sat)" } else { "(set-info :status unsat)" };
    assert!(text.starts_with(status) && text.contains("(check-sat)"), "{text}");
    assert_eq!(solver.stats.unrecorded, 0);
}

#[test]
fn a_directory_that_cannot_be_written_is_counted() {
    let record = Record { directory: "/proc/no/such".into(), which: Recorded::Backend };
    let config = Config { record: Some(record), layers: Layers::NONE, ..Config::default() };
    let mut solver = Solver::new(config);
    ask_some(&mut solver, 0);
    assert!(solver.stats.unrecorded > 0);
}

#[test]
fn the_second_solver_agrees() {
    let command = ["z3", "-in"].map(str::to_owned).to_vec();
    let mut n_cross_checked = 0;
    for seed in 0..8 {
        let cross_check = Some(CrossCheck {
            command: command.clone(),
            every: 2,
            time: Duration::from_secs(30),
            before_chain: true,
        });
        let mut solver = Solver::new(Config { cross_check, ..Config::default() });
        ask_some(&mut solver, seed);
        assert_eq!((solver.stats.mismatches, solver.stats.wrong_models), (0, 0));
        n_cross_checked += solver.stats.cross_checked;
    }
    assert!(n_cross_checked > 0);
}
