//! Programs that do not stay what and where they are while the suite runs.

use crate::suite::Suite;

const SAYS: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
  printf("old %s\n", argc > 1 ? argv[1] : "");
  return 0;
}
"#;

#[test]
fn each_run_is_that_of_its_program() {
    let check = format!(
        r#"
        mkdir there; cp prog there/gone; there/gone removed; rm -r there
        cp prog same; ./same first
        sed 's/old/new/' prog.c >new.c; {} cc -g new.c -o same; ./same second
        env -i ./same made-meanwhile
        mkdir there; cp prog there/; (cd there; env -i ./prog copied)
        "#,
        env!("CARGO_BIN_EXE_fathom")
    );
    let suite = Suite::new("programs", SAYS, &check);
    let amplified = suite.amplify(&["--budget", "60s", "--max-distance", "0"]);
    let stdout = String::from_utf8_lossy(&amplified.output.stdout).into_owned();
    let expected = "old removed\nold first\nnew second\nnew made-meanwhile\nold copied\n";
    assert_eq!(stdout, expected, "{}", amplified.stderr());
    assert_eq!(amplified.tests.len(), 5, "{}", amplified.stderr());
    amplified.assert_faithful();
    assert!(!suite.path().join(".fathom-record").exists());
}

/// Though it is given the same, and does the same with it.
#[test]
fn a_program_that_is_replaced_is_another() {
    const GUARDED: &str = r#"
    #include <stdlib.h>
    int main(int argc, char **argv) {
      int n = atoi(argv[1]);
      if (n == 0) n = 1;
      return 100 / n;
    }
    "#;
    let check = format!(
        "./prog 5; grep -v 'n == 0' prog.c >new.c; {} cc -g new.c -o prog; ./prog 5",
        env!("CARGO_BIN_EXE_fathom")
    );
    let suite = Suite::new("replaced", GUARDED, &check);
    let amplified = suite.amplify(&["--budget", "60s", "--max-distance", "1"]);
    let [bug] = amplified.bugs() else { panic!("{}", amplified.stderr()) };
    assert_eq!((&bug["kind"], &bug["test"]), (&"division-by-zero".into(), &1.into()));
}

/// A recording that is used again has the program that each run was of.
#[test]
fn a_recording_used_again() {
    let suite = Suite::new("again", SAYS, "./prog one");
    let record = |out| {
        let options = ["amplify", "--record-only", "--recording", "rec", "--out", out];
        suite.place.fathom(&[&options[..], &["--", "./check"]].concat())
    };
    assert!(record("a").status.success());
    std::fs::write(suite.path().join("prog.c"), SAYS.replace("old", "new")).unwrap();
    assert!(suite.place.fathom(&["cc", "-g", "prog.c", "-o", "prog"]).status.success());
    assert!(record("b").status.success());
    let analysed = suite.place.fathom(&["amplify", "--from", "rec", "--out", "out"]);
    let amplified = crate::suite::Amplified::new(analysed, suite.path());
    assert_eq!(amplified.tests.len(), 2, "{}", amplified.stderr());
    amplified.assert_faithful();
}
