//! Native runs see what the engine saw: the program's files, its stack, and a build with sanitizers.

use std::fs;

use crate::workplace::Workplace;

const READER: &str = r#"
#include <stdio.h>
#include <unistd.h>
int main(void) {
  char line[8] = {0}, byte;
  FILE *file = fopen("data/words", "r");
  if (!file || !fgets(line, sizeof line, file)) return 9;
  if (read(0, &byte, 1) != 1) return 2;
  return byte == line[1] ? 1 : 0;
}
"#;

const DEEP: &str = r#"
#include <klee/klee.h>
static int deep(int n) {
  volatile char frame[4096];
  frame[0] = n;
  return n == 0 ? frame[0] : deep(n - 1) + frame[0];
}
int main(void) {
  int n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n != 100 && n != 3000) return 0;
  return deep(n) & 1;
}
"#;

const GLOBAL: &str = r#"
#include <unistd.h>
static int table[4] = {1, 2, 3, 4};
int main(void) {
  unsigned char byte;
  if (read(0, &byte, 1) != 1) return 9;
  return table[byte & 7];
}
"#;

const FIRST: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  if (!file) return 2;
  if (fgetc(file) == 'x') return 1;
  return 0;
}
"#;

/// The last line that `fathom replay ARGS` prints.
fn counts(place: &Workplace, args: &[&str]) -> String {
    let output = place.fathom(&[&["replay"], args].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn files_of_the_working_directory() {
    let place = Workplace::new("files", READER);
    fs::create_dir(place.path().join("data")).unwrap();
    fs::write(place.path().join("data/words"), "xyz\n").unwrap();
    let results = place.run("out", &["--sym-stdin", "1", "prog.c"]);
    assert_eq!(results.summary()["host_files"], serde_json::json!(["data/words"]));
    let counts = counts(&place, &["prog.c", "out"]);
    assert!(counts.ends_with("0 not observable natively, 0 mismatched"), "{counts}");
}

#[test]
fn stack_of_the_run() {
    let place = Workplace::new("stacks", DEEP);
    for (mib, n_bugs) in [("2", 1), ("64", 0)] {
        let results = place.run(mib, &["--max-stack", mib, "prog.c"]);
        assert_eq!(results.summary()["bugs"].as_array().unwrap().len(), n_bugs);
        let counts = counts(&place, &["prog.c", mib]);
        assert!(counts.ends_with("0 not observable natively, 0 mismatched"), "{counts}");
    }
}

#[test]
fn build_with_sanitizers() {
    let place = Workplace::new("asan", GLOBAL);
    for words in [
        ["cc", "-g", "prog.c", "-o", "prog"].as_slice(),
        &["cc", "--asan", "prog.c", "-o", "other"],
    ] {
        let output = place.fathom(words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let verdict = |out: &str, args: &[&str]| {
        let results = place.run(out, &[args, &["--sym-stdin", "1", "./prog"]].concat());
        results.summary()["bugs"][0]["replay"]["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict("without", &[]), "not observable natively");
    assert_eq!(verdict("named", &["--asan", "other"]), "confirmed");
    assert!(!counts(&place, &["./prog", "named"]).contains(" 0 not observable"));
    fs::rename(place.path().join("other"), place.path().join("prog.asan")).unwrap();
    assert_eq!(verdict("beside", &[]), "confirmed");
    assert!(counts(&place, &["./prog", "without"]).contains(" 0 not observable"));
}

/// What follows the name of a symbolic file is its size only if it is a number.
#[test]
fn symbolic_file_of_the_size_of_the_host_file() {
    let place = Workplace::new("sym-file", FIRST);
    fs::write(place.path().join("in"), "abc").unwrap();
    for (out, args) in [
        ("before", ["--sym-file", "in", "prog.c", "in"].as_slice()),
        ("joined", &["--sym-file=in", "prog.c", "in"]),
        ("sized", &["--sym-file", "in", "3", "prog.c", "in"]),
        ("after", &["prog.c", "--sym-file", "in", "in"]),
    ] {
        let results = place.run(out, args);
        assert_eq!(results.summary()["complete_paths"], 2, "{args:?}");
    }
    let output = place.fathom(&["run", "--sym-stat", "prog.c", "in"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--sym-stdin"));
}
