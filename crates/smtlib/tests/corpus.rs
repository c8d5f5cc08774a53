//! The scripts in `corpus`: our answers, those in the files and z3's agree, and models are models.

mod session;

use std::fs;
use std::path::Path;

use session::{Check, run, z3};

/// The words after `; expect:`.
fn expected(text: &str) -> Vec<&str> {
    let line = text.lines().find_map(|line| line.strip_prefix("; expect:"));
    line.expect("the script says what to expect").split_whitespace().collect()
}

/// The question as the pool prints it has the answer that it had.
fn check_round_trip(check: &Check) {
    for script in &check.scripts {
        let again = run(script).unwrap_or_else(|error| panic!("{error} in\n{script}"));
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].answer, check.answer, "{script}");
    }
}

#[test]
fn answers_agree() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut n_scripts = 0;
    for entry in fs::read_dir(corpus).expect("the corpus can be read") {
        let path = entry.expect("the corpus can be read").path();
        let text = fs::read_to_string(&path).expect("a script can be read");
        let checks = run(&text).unwrap_or_else(|error| panic!("{}:{error}", path.display()));
        let answers: Vec<&str> = checks.iter().map(|check| check.answer).collect();
        assert_eq!(answers, expected(&text), "{}", path.display());
        checks.iter().for_each(check_round_trip);
        if let Some(printed) = z3(&text) {
            assert!(!printed.contains("(error"), "{}: z3 says {printed}", path.display());
            let answers: Vec<&str> =
                printed.lines().filter(|line| ["sat", "unsat"].contains(line)).collect();
            assert_eq!(answers, expected(&text), "{} by z3", path.display());
        }
        n_scripts += 1;
    }
    assert!(n_scripts >= 7, "the corpus has {n_scripts} scripts");
}

/// Terms nested as deeply as no stack of ours would bear.
#[test]
fn depth_is_no_limit() {
    const DEPTH: usize = 200_000;
    let mut text = String::from("(declare-fun x () (_ BitVec 32))(assert (= #x00000000 ");
    for n in 0..DEPTH {
        let inner = if n == 0 { "x".to_owned() } else { format!("y{}", n - 1) };
        text += &format!("(let ((y{n} (bvxor (bvadd {inner} #x00000001) x)))");
    }
    text += &format!("y{}{}))(check-sat)", DEPTH - 1, ")".repeat(DEPTH));
    let mut pool = fathom_expr::Pool::new();
    let mut reader = fathom_smtlib::Reader::new(&text);
    while let Some(command) = reader.next(&mut pool).expect("the script can be read") {
        drop(command);
    }
    let nested = "(bvnot ".repeat(DEPTH);
    let text = format!(
        "(declare-fun x () (_ BitVec 8))(assert (= x {nested}x{}))(check-sat)",
        ")".repeat(DEPTH)
    );
    assert_eq!(run(&text).expect("the script can be read")[0].answer, "sat");
}
