//! The directory of a run: where it is, what is in it, and that two runs give the same.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fathom_report::{
    Coverage, Finding, KTest, LedgerEntry, Place, Replay, RunDir, Sample, Summary, TestCase,
    Timing, find_run, load_test, open_tests, to_ktest,
};
use support::{Scratch, everything, site, small};

fn run(place: &Place, seconds: f64) -> PathBuf {
    let mut run = RunDir::create(place).unwrap();
    for n in 0..10 {
        run.test(&TestCase { new_coverage: n == 4, ..small(n) }).unwrap();
    }
    let number = run.test(&everything()).unwrap();
    for _ in 0..2 {
        let finding = Finding { site: site(), test: number, ..Finding::default() };
        run.bug(&finding, &everything()).unwrap();
    }
    let verdict = "confirmed".to_string();
    run.replayed(1, Replay { verdict, ..Replay::default() }).unwrap();
    run.sample(&Sample { instructions: 5, ..Sample::default() }).unwrap();
    run.timing(&Timing { what: "total".into(), seconds, ..Timing::default() }).unwrap();
    let ledger = LedgerEntry { what: "concretised".into(), count: 3, ..LedgerEntry::default() };
    let path = run.path().to_owned();
    let summary = run.finish(Summary::default(), &[ledger], Some(&Coverage::default())).unwrap();
    assert_eq!((summary.tests, summary.plain_tests, summary.ledger), (11, 2, 3));
    assert_eq!(summary.bugs.len(), 2);
    let bug = fs::read(path.join("bugs/out-of-bounds-read-parse.c-42-2/bug.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Finding>(&bug).unwrap(), summary.bugs[1]);
    assert_eq!(summary.bugs[1].replay.as_ref().unwrap().verdict, "confirmed");
    path
}

/// Every file below `dir` with what it holds.
fn contents(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(next) = dirs.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => dirs.push(path),
                false => {
                    let name = path.strip_prefix(dir).unwrap().to_owned();
                    all.push((name, fs::read(path).unwrap()));
                }
            }
        }
    }
    all.sort();
    all
}

#[test]
fn two_runs_differ_in_timings_only() {
    let scratch = Scratch::new();
    let base = Place::Next(scratch.join("fathom-out"));
    let (first, second) = (run(&base, 1.0), run(&base, 2.0));
    assert_eq!(
        (first.file_name().unwrap(), second.file_name().unwrap()),
        ("1".as_ref(), "2".as_ref())
    );
    assert_eq!(fs::read_link(scratch.join("fathom-out/last")).unwrap(), Path::new("2"));
    let (first, second) = (contents(&first), contents(&second));
    for (a, b) in std::iter::zip(&first, &second) {
        assert_eq!(a.0, b.0);
        assert!(a.1 == b.1 || a.0 == Path::new("timings.jsonl"), "{}", a.0.display());
    }
    let names: Vec<_> = first.iter().map(|(name, _)| name.display().to_string()).collect();
    for name in [
        "bugs/out-of-bounds-read-parse.c-42-1/bug.json",
        "bugs/out-of-bounds-read-parse.c-42-2/stack.txt",
        "bugs/out-of-bounds-read-parse.c-42-2/explanation.txt",
        "bugs/out-of-bounds-read-parse.c-42-2/stdin",
        "coverage.lcov",
        "findings.sarif",
        "ledger.jsonl",
        "stats.jsonl",
        "summary.json",
        "tests.pack",
        "tests/000005/meta.json",
        "tests/000011/files/A",
    ] {
        assert!(names.contains(&name.to_string()), "{name} is not among {names:?}");
    }
    assert!(!names.contains(&"tests/000001/meta.json".into()), "nothing new in test 1");
}

#[test]
fn tests_are_found_by_every_name() {
    let scratch = Scratch::new();
    let dir = run(&Place::Exactly(scratch.join("out")), 1.0);
    let named = |name: &str| load_test(Path::new(&format!("{}{name}", dir.display())));
    assert_eq!(named("#11").unwrap(), everything());
    assert_eq!(named("/tests.pack#1").unwrap(), small(0));
    assert_eq!(named("/tests/000011").unwrap(), everything());
    assert_eq!(named("/bugs/out-of-bounds-read-parse.c-42-1").unwrap(), everything());
    assert!(named("").unwrap_err().to_string().contains("#NUMBER"));
    assert!(named("#12").unwrap_err().to_string().contains("no test 12"));
    assert!(named("/nothing#1").unwrap_err().to_string().contains("there is no such run"));
    assert!(named("/summary.json").unwrap_err().to_string().contains("not a test"));
    let ktest = dir.join("t.ktest");
    to_ktest(&everything()).write(&ktest).unwrap();
    assert_eq!(load_test(&ktest).unwrap().inputs, everything().inputs);
    let count =
        |path: &Path| open_tests(path).unwrap().inspect(|test| assert!(test.is_ok())).count();
    assert_eq!(count(&dir), 11);
    assert_eq!(count(&dir.join("tests.pack")), 11);
    assert_eq!(count(&dir.join("tests")), 2);
    assert_eq!(count(&dir.join("bugs")), 2);
    assert_eq!(count(&dir.join("tests/000005")), 1);
    assert_eq!(count(&ktest), 1);
    for named in open_tests(&dir).unwrap().chain(open_tests(&dir.join("bugs")).unwrap()) {
        let named = named.unwrap();
        assert_eq!(load_test(Path::new(&named.name)).unwrap(), named.test);
    }
    assert!(find_run(scratch.path()).err().unwrap().to_string().contains("it has no tests.pack"));
}

#[test]
fn a_directory_in_use_is_refused() {
    let scratch = Scratch::new();
    let out = scratch.join("out");
    fs::create_dir(&out).unwrap();
    drop(RunDir::create(&Place::Exactly(out.clone())).unwrap());
    let text = RunDir::create(&Place::Exactly(out)).err().unwrap().to_string();
    assert!(text.contains("exists and is not empty; name another with --out DIR"), "{text}");
}

#[test]
fn a_place_that_cannot_be_written_gives_one_clear_error() {
    let scratch = Scratch::new();
    fs::write(scratch.join("file"), "").unwrap();
    let under_file = scratch.join("file/out");
    fs::create_dir(scratch.join("locked")).unwrap();
    fs::set_permissions(scratch.join("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    let locked = scratch.join("locked/fathom-out");
    for place in [
        Place::Exactly(under_file.clone()),
        Place::Next(under_file),
        Place::Next(locked),
        Place::Next("/proc/fathom-out".into()),
    ] {
        // The superuser may write to a locked directory.
        let Err(error) = RunDir::create(&place) else { continue };
        let text = error.to_string();
        assert!(text.starts_with("cannot write "), "{text}");
        assert!(text.ends_with("; name a writable place with --out DIR"), "{text}");
    }
}

#[test]
fn a_full_disk_is_named() {
    let scratch = Scratch::new();
    let path = scratch.join("t.ktest");
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let text = KTest::default().write(&path).unwrap_err().to_string();
    assert!(text.contains("t.ktest: No space left on device"), "{text}");
    assert!(text.contains("free some space, or write elsewhere with --out DIR"), "{text}");
}
