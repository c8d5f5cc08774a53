//! What amplify writes and says: exit statuses, baselines, JUnit, recordings apart, errors.

use std::fs;

use crate::suite::{Amplified, Suite};

const DIVIDES: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "r") : 0;
  if (!file) return 2;
  int divisor = fgetc(file) - '0';
  printf("%d\n", 100 / divisor);
  return 0;
}
"#;

const CHECK: &str = "printf 5 > in.txt; ./prog in.txt; rm in.txt";

#[test]
fn a_bug_in_a_file_that_is_gone() {
    let suite = Suite::new("file", DIVIDES, CHECK);
    let amplified = suite.amplify(&[]);
    assert_eq!(String::from_utf8_lossy(&amplified.output.stdout), "20\n");
    let [bug] = amplified.bugs() else { panic!("{}", amplified.stderr()) };
    assert_eq!(bug["kind"], "division-by-zero");
    assert_eq!(bug["replay"]["verdict"], "confirmed");
    let stderr = amplified.stderr();
    assert!(stderr.contains("in.txt at 0x0000: 35  \"5\""), "{stderr}");
    assert!(stderr.contains("in.txt at 0x0000: 30  \"0\""), "{stderr}");
    // Later, too, with nothing but the bug's directory.
    let dir = format!("out/{}", bug["directory"].as_str().unwrap());
    let replayed = suite.place.fathom(&["replay", "./prog", &dir]);
    let stdout = String::from_utf8_lossy(&replayed.stdout).into_owned();
    assert!(stdout.contains("1 confirmed"), "{stdout}");
    let explanation = fs::read_to_string(suite.path().join(&dir).join("explanation.txt")).unwrap();
    assert!(explanation.contains("Changes to the test:"), "{explanation}");
}

#[test]
fn known_bugs_do_not_fail() {
    let suite = Suite::new("baseline", DIVIDES, CHECK);
    let first = suite.amplify(&["--write-baseline", "known.txt"]);
    assert_eq!(first.output.status.code(), Some(1));
    let known = fs::read_to_string(suite.path().join("known.txt")).unwrap();
    assert!(known.ends_with("\ndivision-by-zero prog.c main\n"), "{known}");
    let junit = fs::read_to_string(suite.path().join("out/junit.xml")).unwrap();
    assert!(junit.contains("tests=\"1\" failures=\"1\""), "{junit}");
    fs::remove_dir_all(suite.path().join("out")).unwrap();
    let second = suite.amplify(&["--baseline", "known.txt"]);
    assert_eq!(second.output.status.code(), Some(0), "{}", second.stderr());
    assert_eq!(second.suite["new_bugs"], 0);
    assert_eq!(second.bugs().len(), 1);
    let junit = fs::read_to_string(suite.path().join("out/junit.xml")).unwrap();
    assert!(junit.contains("failures=\"0\" errors=\"0\" skipped=\"1\""), "{junit}");
}

#[test]
fn a_baseline_with_odd_names() {
    let suite = Suite::new("odd", DIVIDES, "true");
    fs::write(suite.path().join("check"), format!("#!/bin/sh\n{CHECK}\n")).unwrap();
    fs::rename(suite.path().join("prog.c"), suite.path().join("my prog.c")).unwrap();
    let built = suite.place.fathom(&["cc", "-g", "my prog.c", "-o", "prog"]);
    assert!(built.status.success());
    assert_eq!(suite.amplify(&["--write-baseline", "known.txt"]).output.status.code(), Some(1));
    fs::remove_dir_all(suite.path().join("out")).unwrap();
    let second = suite.amplify(&["--baseline", "known.txt"]);
    assert_eq!(second.output.status.code(), Some(0), "{}", second.stderr());
}

#[test]
fn recorded_here_analysed_there() {
    let suite = Suite::new("apart", DIVIDES, CHECK);
    let recorded = suite.place.fathom(&[
        "amplify",
        "--record-only",
        "--recording",
        "rec",
        "--out",
        "first",
        "--",
        "./check",
    ]);
    assert!(recorded.status.success());
    // Neither the program nor its files are needed any more.
    let elsewhere = suite.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::rename(suite.path().join("rec"), elsewhere.join("rec")).unwrap();
    fs::remove_file(suite.path().join("prog")).unwrap();
    let analysed = suite.place.fathom(&["amplify", "--from", "elsewhere/rec", "--out", "out"]);
    let amplified = Amplified::new(analysed, suite.path());
    assert_eq!(amplified.bugs().len(), 1, "{}", amplified.stderr());
}

#[test]
fn errors_say_what_to_do() {
    let suite = Suite::new("errors", DIVIDES, "true");
    for (args, expected) in [
        (&["amplify"][..], "say how to run the test suite"),
        (&["amplify", "--out", "a", "--", "./check"], "no run of a program built with fathom-cc"),
        (&["amplify", "--out", "b", "--", "./missing"], "./missing: cannot be run"),
        (&["amplify", "--out", "c", "--from", "nowhere"], "nowhere is not a directory"),
        (&["amplify", "--sample", "0%", "--", "true"], "a percentage above 0"),
        (&["amplify", "--budget", "soon", "--", "true"], "a number of seconds"),
        (&["amplify", "--out", "d", "--baseline", "no.txt", "--", "true"], "the baseline no.txt"),
    ] {
        let output = suite.place.fathom(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    }
}
