//! A program built with `fathom-cc --asan`, asked about predicted bugs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use fathom_replay::{
    Checked, End, Guard, NativeInput, Object, Options, Predicted, PredictedBug, Program, Verdict,
    check,
};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/sanitized.c")
}

/// The program, and the same with sanitizers.
fn programs() -> [Program; 2] {
    static PATHS: OnceLock<[PathBuf; 2]> = OnceLock::new();
    let paths = PATHS.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let build = |name: &str, flags: &[&str]| {
            let output = dir.join(name);
            let mut args: Vec<OsString> = flags.iter().map(OsString::from).collect();
            args.extend(["-g".into(), source().into(), "-o".into(), output.clone().into()]);
            assert_eq!(fathom_cc::main(args), 0, "sanitized.c does not compile");
            output
        };
        [build("sanitized", &[]), build("sanitized.asan", &["--asan", "-O2"])]
    });
    [0, 1].map(|n| Program::open(&paths[n]).unwrap())
}

fn input(case: &str) -> NativeInput {
    let argv = ["sanitized", case].map(|word| word.as_bytes().to_vec()).to_vec();
    let objects = vec![("index".to_owned(), 4i32.to_le_bytes().to_vec())];
    NativeInput { argv, objects, ..NativeInput::default() }
}

/// The line that is marked with a case's name.
fn marked(case: &str) -> u32 {
    let text = std::fs::read_to_string(source()).unwrap();
    let mark = format!("/* {case} */");
    1 + text.lines().position(|line| line.contains(&mark)).expect("the case has a mark") as u32
}

fn checked(kind: &str, case: &str, line: u32) -> Checked {
    let [program, sanitized] = programs();
    let (kind, file) = (kind.to_owned(), "tests/programs/sanitized.c".to_owned());
    let bug = PredictedBug { kind, file, line, function: String::new(), object: Object::Unknown };
    let options = Options::default();
    check(&program, Some(&sanitized), &input(case), &Predicted::Bug(bug), &options).unwrap()
}

#[test]
fn errors_are_confirmed_at_their_line() {
    for (kind, case) in [
        ("out-of-bounds-read", "global"),
        ("out-of-bounds-write", "local"),
        ("out-of-bounds-write", "heap"),
        ("out-of-bounds-write", "copy"),
        ("use-after-free", "after-free"),
        ("double-free", "double-free"),
        ("invalid-free", "invalid-free"),
        ("null-dereference", "null"),
        ("signed-overflow", "overflow"),
        ("shift-overflow", "shift"),
        ("division-by-zero", "divide"),
        ("out-of-bounds-read", "object"),
    ] {
        let checked = checked(kind, case, marked(case));
        assert_eq!(checked.guard, Guard::Asan, "{case}: {:#?}", checked.outcome);
        assert_eq!(checked.verdict, Verdict::Confirmed, "{case}: {:#?}", checked.outcome);
    }
}

/// Neither another line nor another kind; then the guards are asked, and they do not see variables.
#[test]
fn another_error_is_no_confirmation() {
    for (kind, case, line) in
        [("out-of-bounds-read", "global", 1), ("signed-overflow", "shift", marked("overflow"))]
    {
        let checked = checked(kind, case, line);
        assert_ne!(checked.guard, Guard::Asan, "{case}");
        assert_ne!(checked.verdict, Verdict::Confirmed, "{case}");
    }
}

#[test]
fn without_an_error_the_program_ends_as_always() {
    let [_, sanitized] = programs();
    let options = Options { guard: Guard::Asan, ..Options::default() };
    let outcome = sanitized.run(&input("none"), &options).unwrap();
    assert_eq!((outcome.end, outcome.sanitizer), (End::Exit(7), Vec::new()));
}
