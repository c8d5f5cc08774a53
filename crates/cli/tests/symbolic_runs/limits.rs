//! Every limit holds, and the summary says which one ended the run.

use std::fs;

use fathom_report::{Tree, TreeEnd, What};

use crate::faults::HASH;
use crate::workplace::Workplace;

/// 2^40 paths of a thousand instructions or so.
const WIDE: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char b[40];
  unsigned sum = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 40; i++) {
    for (int j = 0; j < 5; j++) sum = sum * 3 + j;
    if (b[i] > 100) sum += i;
  }
  return sum & 15;
}
"#;

/// Chains of products and quotients of unknown words.
const PRODUCTS: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned long v[8], h = 1;
  int n = 0;
  klee_make_symbolic(v, sizeof v, "v");
  for (int i = 0; i < 8; i++) {
    h = (h ^ v[i]) * (v[(i + 1) & 7] | 1);
    h ^= h >> 31;
  }
  if (h % 1000003 == 7) n++;
  if (v[0] * h / (v[3] | 1) == 99) n++;
  return n;
}
"#;

/// What a busy machine may add to a limit, in seconds.
const LATENESS: f64 = 5.0;

fn number(summary: &serde_json::Value, name: &str) -> u64 {
    summary[name].as_u64().unwrap_or_else(|| panic!("no number {name}: {summary}"))
}

#[test]
fn instructions() {
    let place = Workplace::new("instructions", WIDE);
    let results = place.run("out", &["--max-instructions", "1000000", "prog.c"]);
    let summary = results.summary();
    assert_eq!(summary["stopped"], "max-instructions");
    let instructions = number(&summary, "instructions");
    assert!((1_000_000..=1_050_000).contains(&instructions), "{instructions}");
}

#[test]
fn depth() {
    let place = Workplace::new("depth", WIDE);
    let results = place.run("out", &["--max-depth", "5", "prog.c"]);
    let summary = results.summary();
    assert_eq!((number(&summary, "complete_paths"), number(&summary, "forks")), (32, 31));
    assert_eq!(summary["exhaustive"], false);
    assert!(!results.ledger().is_empty());
}

#[test]
fn forks() {
    let place = Workplace::new("forks", WIDE);
    let results = place.run("out", &["--max-forks", "10", "prog.c"]);
    let summary = results.summary();
    assert_eq!((number(&summary, "complete_paths"), number(&summary, "forks")), (11, 10));
    assert_eq!(summary["exhaustive"], false);
    assert!(!results.ledger().is_empty());
}

#[test]
fn tests() {
    let place = Workplace::new("tests", WIDE);
    for max in [1, 20] {
        let out = format!("out{max}");
        let results =
            place.run(&out, &["--search", "dfs", "--max-tests", &max.to_string(), "prog.c"]);
        let summary = results.summary();
        assert_eq!((number(&summary, "tests"), &summary["stopped"]), (max, &"max-tests".into()));
        assert_eq!(place.listed(&out).len() as u64, max);
    }
}

#[test]
fn stack() {
    let source = r#"
#include <klee/klee.h>
static int deep(int n) {
  volatile char frame[4096];
  frame[0] = n;
  return n == 0 ? frame[0] : deep(n - 1) + frame[0];
}
int main(void) {
  int n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n != 100 && n != 1000) return 0;
  return deep(n) & 1;
}
"#;
    let place = Workplace::new("stack", source);
    let kinds = |mib: &str| {
        let results = place.run(mib, &["--max-stack", mib, "prog.c"]);
        let bugs = results.summary()["bugs"].as_array().unwrap().clone();
        bugs.iter().map(|bug| bug["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(kinds("2"), ["stack-overflow"]);
    assert!(kinds("16").is_empty());
}

#[test]
fn time() {
    let place = Workplace::new("time", WIDE);
    let results = place.run("out", &["--max-time", "1", "--search", "dfs", "prog.c"]);
    assert_eq!(results.summary()["stopped"], "max-time");
    let results = place.run("cpu", &["--max-cpu", "1", "--search", "dfs", "prog.c"]);
    assert_eq!(results.summary()["stopped"], "max-cpu");
}

/// A query that would take days ends with the run.
#[test]
fn time_while_the_solver_is_busy() {
    let place = Workplace::new("busy", HASH);
    let args = ["--max-time", "1", "--max-solver-time", "9999", "prog.c"];
    let results = place.run("out", &args);
    assert_eq!(results.summary()["stopped"], "max-time");
}

/// Products that only a solver process of its own can be asked about: it is killed at the limit, and
/// what it takes counts.
#[test]
fn time_of_solver_processes() {
    let place = Workplace::new("processes", PRODUCTS);
    for (limit, reason, measured) in
        [("--max-cpu", "max-cpu", "cpu_seconds"), ("--max-time", "max-time", "seconds")]
    {
        let args = [limit, "3", "--max-solver-time", "9999", "prog.c"];
        let results = place.run(reason, &args);
        assert_eq!(results.summary()["stopped"], reason);
        let seconds = results.timing()[measured].as_f64().unwrap();
        assert!(seconds < 3.0 + LATENESS, "{seconds} s");
    }
}

/// No query takes much longer than it may.
#[test]
fn solver_time() {
    let place = Workplace::new("solver-time", PRODUCTS);
    let args = [
        "run",
        "--out",
        "out",
        "--stats",
        "--max-solver-time",
        "0.5",
        "--max-time",
        "20",
        "prog.c",
    ];
    let output = place.fathom(&args);
    let text = String::from_utf8_lossy(&output.stderr);
    let backend = text.lines().find(|line| line.starts_with("  backend")).expect("a row");
    let longest = backend.rsplit(", ").next().and_then(|words| words.split(' ').next());
    let longest: f64 = longest.unwrap().parse().unwrap();
    assert!(longest >= 0.4, "the program does not make the solver work: {backend}");
    assert!(longest < 0.5 + LATENESS, "{backend}");
}

/// A native run that would not end is ended with the run.
#[test]
fn time_while_a_test_is_replayed() {
    let source = r#"
#include <klee/klee.h>
int main(void) {
  int n;
  klee_make_symbolic(&n, sizeof n, "n");
  while (klee_is_replay()) {}
  return n > 0;
}
"#;
    let place = Workplace::new("replayed", source);
    let results = place.run("out", &["--max-time", "3", "prog.c"]);
    assert_eq!(results.summary()["stopped"], "max-time");
    let seconds = results.timing()["seconds"].as_f64().unwrap();
    assert!(seconds < 3.0 + LATENESS, "{seconds} s");
}

/// One path alone fills it.
#[test]
fn memory() {
    let source = r#"
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  unsigned char b[40];
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 40; i++) {
    char *block = malloc(16 << 20);
    memset(block, i, 16 << 20);
    if (b[i] > 100) block[i] = 1;
  }
  return 0;
}
"#;
    let place = Workplace::new("memory", source);
    let results = place.run("out", &["--max-memory", "400", "--search", "bfs", "prog.c"]);
    assert_eq!(results.summary()["stopped"], "max-memory");
    let peak = results.timing()["peak_bytes"].as_u64().unwrap() >> 20;
    assert!((400..480).contains(&peak), "{peak} MiB");
}

/// The start alone is too much: a limit ends it in order, and nothing of it is kept.
#[test]
fn while_start_states_are_made() {
    let place = Workplace::new("starts", "int main(void) { return 0; }\n");
    for (limit, reason) in
        [(["--max-memory", "200"], "max-memory"), (["--max-cpu", "0.5"], "max-cpu")]
    {
        let args = [&limit[..], &["--sym-args", "0", "40", "4000", "prog.c"]].concat();
        let results = place.run(reason, &args);
        assert_eq!(results.summary()["stopped"], reason);
        assert_eq!(results.summary()["exhaustive"], false);
        assert!(results.ledger().contains("nothing was explored"), "{}", results.ledger());
        let peak = results.timing()["peak_bytes"].as_u64().unwrap() >> 20;
        assert!(reason != "max-memory" || peak < 230, "{peak} MiB");
        let again = place.fathom(&["run", "--resume", reason]);
        let stderr = String::from_utf8_lossy(&again.stderr);
        assert!(stderr.contains("never began"), "{stderr}");
    }
}

#[test]
fn start_states_left_out_are_in_the_ledger() {
    let place = Workplace::new("left-out", "int main(void) { return 0; }\n");
    let results = place.run("lengths", &["--sym-arg", "4096", "prog.c"]);
    assert_eq!(number(&results.summary(), "complete_paths"), 1);
    assert!(results.ledger().contains("greatest length only"), "{}", results.ledger());
    assert_eq!(results.summary()["exhaustive"], false);
    let results = place.run("all", &["--sym-arg", "100", "prog.c"]);
    assert_eq!(number(&results.summary(), "complete_paths"), 101);
    assert_eq!(results.summary()["exhaustive"], true);
}

/// Every path has 64 KiB of its own, and they are 2^14.
const HEAVY: &str = r#"
#include <klee/klee.h>
#include <string.h>
static char bulk[65536];
int main(void) {
  unsigned char b[14];
  int n = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 14; i++) {
    if (b[i] > 100 + i) n++;
    memset(bulk, n, sizeof bulk);
  }
  return bulk[77] == n ? 0 : 1;
}
"#;

#[test]
fn short_of_memory_no_path_is_lost() {
    let place = Workplace::new("heavy", HEAVY);
    for fork in ["pending", "eager"] {
        let options = ["--max-memory", "220", "--search", "random-path", "--fork", fork];
        let results = place.run(fork, &[&options[..], &["prog.c"]].concat());
        let summary = results.summary();
        assert_eq!(summary["exhaustive"], true, "{summary}");
        assert_eq!(summary["complete_paths"], 1 << 14, "{summary}");
        assert!(summary["repeated_instructions"].as_u64().unwrap() > 0, "none slept: {summary}");
    }
}

/// 2^60 paths: in the end not even the ways to those that sleep have room.
#[test]
fn short_of_memory_a_run_goes_on() {
    let source = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char b[60];
  int n = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 60; i++)
    if (b[i] > 100 + i) n++;
  return n > 60;
}
"#;
    let place = Workplace::new("crowded", source);
    let limits = ["--max-memory", "220", "--max-instructions", "25000000", "--no-replay"];
    let results = place.run("out", &[&limits[..], &["--search", "random-path", "prog.c"]].concat());
    let summary = results.summary();
    assert_eq!(summary["stopped"], "max-instructions", "{summary}");
    assert_eq!(summary["exhaustive"], false, "{summary}");
    let ledger = fs::read_to_string(place.path().join("out/ledger.jsonl")).unwrap();
    assert!(ledger.contains("a path was forgotten: memory was short"), "{ledger}");
}

/// The tree knows of every state that turned out to be impossible, also when room was made.
#[test]
fn short_of_memory_the_tree_knows_what_is_impossible() {
    let pairs = "if (b[2 * i] + b[2 * i + 1] > 300) { n++; if (b[2 * i] < 40) n += 2; }";
    let source = HEAVY.replace("if (b[i] > 100 + i) n++;", pairs).replace("b[14]", "b[28]");
    let place = Workplace::new("impossible", &source.replace("i < 14", "i < 12"));
    let options = ["--max-memory", "220", "--search", "random-path", "--no-replay", "prog.c"];
    let results = place.run("out", &options);
    let summary = results.summary();
    assert!(summary["pending"]["dropped"].as_u64().unwrap() > 0, "none slept: {summary}");
    let tree = Tree::read(&place.path().join("out/tree.bin"), u64::MAX).unwrap();
    let is_impossible = |what| matches!(what, What::End(TreeEnd::Impossible, _));
    let n_impossible = tree.nodes.iter().filter(|node| is_impossible(node.what)).count();
    assert_eq!(summary["pending"]["infeasible"], n_impossible, "{summary}");
}
