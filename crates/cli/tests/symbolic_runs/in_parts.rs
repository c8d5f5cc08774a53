//! One run in several parts: stopped and resumed, and in several processes.

use std::collections::BTreeMap;

use fathom_report::Tree;
use serde_json::Value;

use crate::workplace::{Workplace, ended, wait_until};

/// Loops over bytes, a switch, pointers to several objects, sizes, a chosen callee, and two bugs.
const PATHS: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static int plus(int a) { return a + 1; }
static int minus(int a) { return a - 1; }
static int (*const table[])(int) = {plus, minus};
int main(void) {
  unsigned char b[6], kind, which, size;
  int sum = 0;
  klee_make_symbolic(b, sizeof b, "b");
  klee_make_symbolic(&kind, 1, "kind");
  klee_make_symbolic(&which, 1, "which");
  klee_make_symbolic(&size, 1, "size");
  for (int i = 0; i < 6; i++)
    if (b[i] > 'm') sum += i; else sum ^= 5;
  switch (kind) {
  case 1: sum += 3; break;
  case 2: case 3: sum += 4; break;
  case 77: sum = table[which & 1](sum); break;
  default: sum -= 1;
  }
  char one[4] = "one", two[8] = "two", three[16] = "three";
  char *names[] = {one, two, three};
  char *name = names[which % 3];
  if (name[1] == 'w') sum++;
  char *block = malloc(size + 1);
  if (!block) return 1;
  memset(block, 0, size + 1);
  if (size > 200 && b[0] == 'a') block[size + 1] = 1;
  free(block);
  if (b[1] == 'z' && b[2] == 'y' && sum == 9) abort();
  return sum & 7;
}
"#;

/// Bytes that are equal to others: what a path knows of one, only the solver knows of the other.
const TIED: &str = r#"
#include <klee/klee.h>
static const int few[2] = {3, 5};
int main(void) {
  unsigned char a, b, c, d, n[5];
  int sum = 0;
  klee_make_symbolic(&a, 1, "a");
  klee_make_symbolic(&b, 1, "b");
  klee_make_symbolic(&c, 1, "c");
  klee_make_symbolic(&d, 1, "d");
  klee_make_symbolic(n, sizeof n, "n");
  if (a != b) return 1;
  if (c != d) return 2;
  if (a == 'x') {
    if (b == 'x') sum++;
    if (b > 'c') sum += 2;
  }
  if (d < 2) {
    sum += few[c];
    if (c)
      if (c > 5) sum += 4;
  }
  for (int i = 0; i < 5; i++) {
    if (n[i] > 'm') sum += i; else sum ^= 5;
    if (b > 'b' + i) sum++;
    if (c > i) sum++;
  }
  return sum & 7;
}
"#;

/// Endless, with more paths than anybody can explore.
const ENDLESS: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned n = 0;
  for (;;) {
    unsigned char b;
    klee_make_symbolic(&b, 1, "b");
    if (b == 0) return n & 1;
    if (b > 100) n++;
  }
}
"#;

/// Says with status 77 that standard input was empty, and with 78 that it was another.
const READER: &str = r#"
#include <unistd.h>
int main(int argc, char **argv) {
  char text[8] = {0};
  if (argc < 2) return 0;
  int n = 0;
  for (char *at = argv[1]; *at; at++)
    if (*at > 'm') n++;
  if (read(0, text, sizeof text) == 0) return 77;
  if (text[0] != 'h') return 78;
  return n;
}
"#;

/// How often tests ended in the same way after the same number of instructions. Of a bug one path
/// is kept, whichever is found first.
fn paths(place: &Workplace, out: &str) -> BTreeMap<String, usize> {
    let output = place.fathom(&["tests", "list", out, "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut paths = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let test: Value = serde_json::from_str(line).unwrap();
        let path = match test["outcome"] == "bug" {
            true => "bug".to_owned(),
            false => format!("{} {} {}", test["outcome"], test["status"], test["instructions"]),
        };
        *paths.entry(path).or_insert(0) += 1;
    }
    paths
}

/// What a whole run and one in parts have in common.
fn same(place: &Workplace, whole: &str, parts: &str) {
    let [one, other] = [whole, parts].map(|out| place.results(out).summary());
    for key in ["exhaustive", "complete_paths", "partial_paths", "tests", "forks", "ledger"] {
        assert_eq!(one[key], other[key], "{parts}: {key}");
    }
    let bugs = |summary: &Value| {
        let sites = summary["bugs"].as_array().unwrap().iter().map(|bug| bug["site"].to_string());
        let mut sites: Vec<String> = sites.collect();
        sites.sort();
        sites
    };
    assert_eq!(bugs(&one), bugs(&other), "{parts}");
    assert_eq!(one["coverage"]["instructions"], other["coverage"]["instructions"], "{parts}");
    assert_eq!(paths(place, whole), paths(place, parts), "{parts}");
    let output = place.fathom(&["report", parts]);
    assert!(output.status.success(), "{parts}: {}", String::from_utf8_lossy(&output.stderr));
}

/// What is counted from the start of the run never falls.
fn goes_on(place: &Workplace, out: &str, file: &str, fields: &[&str]) {
    let mut before = vec![0.0; fields.len()];
    for line in place.results(out).text(file).lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        for (field, before) in fields.iter().zip(&mut before) {
            let value = row[field].as_f64().unwrap();
            assert!(value >= *before, "{out}/{file}: {field} was {before}: {line}");
            *before = value;
        }
    }
}

/// Whether a run of `source` that is stopped every now and then comes to what a whole one does;
/// `status` is that of its parts.
fn resume_again_and_again(name: &str, source: &str, status: i32) {
    let place = Workplace::new(name, source);
    for options in [&["--fork", "pending"][..], &["--fork", "eager"], &["--search", "dfs"]] {
        let name = options.join("");
        let [whole, parts] = ["whole", "parts"].map(|kind| format!("{kind}{name}"));
        let run = |out: &str, more: &[&str]| {
            place.run(out, &[&["--no-replay"], options, more, &["prog.c"]].concat()).summary()
        };
        let summary = run(&whole, &[]);
        assert_eq!(summary["exhaustive"], true, "{name}");
        let quarter = summary["instructions"].as_u64().unwrap() / 4;
        let stopped = run(&parts, &["--max-instructions", &quarter.to_string()]);
        assert_eq!(stopped["stopped"], "max-instructions", "{name}");
        assert!(stopped["states_left"].as_u64().unwrap() > 0, "{name}");
        let mut n_parts = 1;
        while place.path().join(&parts).join("resume.json").exists() {
            let limit = (2 * quarter).to_string();
            let output = place.fathom(&["run", "--resume", &parts, "--max-instructions", &limit]);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(status), "{name}: {stderr}");
            n_parts += 1;
            assert!(n_parts < 20, "{name}: it does not come to an end");
        }
        assert!(n_parts > 2, "{name}");
        same(&place, &whole, &parts);
        goes_on(&place, &parts, "stats.jsonl", &["instructions", "queries", "solver_queries"]);
        goes_on(&place, &parts, "timings.jsonl", &["instructions", "seconds", "cpu_seconds"]);
    }
}

#[test]
fn a_run_stopped_again_and_again_explores_the_same_paths() {
    resume_again_and_again("resumed", PATHS, 1);
}

#[test]
fn what_only_the_solver_knows_of_a_byte_is_known_again() {
    resume_again_and_again("resumed-tied", TIED, 0);
}

/// The limit on tests is that of each part, and no path is lost at it.
#[test]
fn every_part_makes_as_many_tests_as_it_may() {
    let source = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char b[2];
  klee_make_symbolic(b, sizeof b, "b");
  int n = 0;
  for (int i = 0; i < 2; i++)
    if (b[i] > 9) n += i + 1; else n ^= 5;
  return n;
}
"#;
    let place = Workplace::new("parts-of-tests", source);
    for (max, n_parts) in [("3", 2), ("1", 4)] {
        let options = ["--no-replay", "--max-tests", max, "prog.c"];
        assert_eq!(place.run(max, &options).summary()["stopped"], "max-tests");
        for _ in 1..n_parts {
            let output = place.fathom(&["run", "--resume", max, "--max-tests", max]);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{stderr}");
        }
        let summary = place.results(max).summary();
        assert_eq!((&summary["complete_paths"], &summary["tests"]), (&4.into(), &4.into()));
        assert!(!place.path().join(max).join("resume.json").exists(), "{max}");
    }
}

#[test]
fn ctrl_c_leaves_a_run_that_goes_on() {
    let place = Workplace::new("interrupted", ENDLESS);
    let child = place.command(&["run", "--out", "out", "--no-replay", "prog.c"]).spawn().unwrap();
    let results = place.results("out");
    wait_until("tests", || !results.names("tests").is_empty());
    // SAFETY: signals a process of ours.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let output = ended(child);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("go on with    fathom run --resume out"), "{stderr}");
    let before = results.summary()["complete_paths"].as_u64().unwrap();
    let limits = ["--max-instructions", "200000", "--max-solver-steps", "1000"];
    let limit = [&["run", "--resume", "out"], &limits[..]].concat();
    let output = place.fathom(&limit);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let after = results.summary();
    assert!(after["complete_paths"].as_u64().unwrap() > before, "{after}");
    assert!(after["repeated_instructions"].as_u64().unwrap() > 0, "{after}");
}

/// What a part that was killed has done is done again, and is in the results once.
#[test]
fn a_part_that_was_killed_is_done_again() {
    let place = Workplace::new("killed", ENDLESS);
    for jobs in ["1", "2"] {
        let limit = ["--no-replay", "--max-tests", "1000", "prog.c"];
        place.run(jobs, &limit);
        let tree = place.path().join(jobs).join("tree.bin");
        let size = || std::fs::metadata(&tree).unwrap().len();
        let before = size();
        let resume = ["run", "--resume", jobs, "--jobs", jobs];
        let mut child = place.command(&resume).spawn().unwrap();
        wait_until("records", || size() > 3 * before);
        child.kill().unwrap();
        ended(child);
        let output = place.fathom(&[&resume[..], &["--max-tests", "1000"]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{jobs}: {stderr}");
        let summary = place.results(jobs).summary();
        let tree = Tree::read(&tree, u64::MAX).unwrap();
        assert_eq!(summary["forks"], tree.n_forks, "{jobs}: {summary}");
        assert!((2000..2004).contains(&summary["tests"].as_u64().unwrap()), "{jobs}: {summary}");
    }
}

/// A part that is killed as it writes down what is left leaves the run as it was before.
#[test]
fn a_part_that_was_killed_at_its_end_is_done_again() {
    let source = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char b[4];
  klee_make_symbolic(b, sizeof b, "b");
  int n = 0;
  for (int i = 0; i < 4; i++)
    if (b[i] > 9) n += i + 1; else n ^= 5;
  return n;
}
"#;
    let place = Workplace::new("killed-at-end", source);
    let results = place.run("out", &["--no-replay", "--max-tests", "3", "prog.c"]);
    let before = results.files();
    let resume = |limits: &[&str]| {
        let output = place.fathom(&[&["run", "--resume", "out"], limits].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    resume(&["--max-tests", "4"]);
    let after = results.files();
    for (name, bytes) in before {
        if name == "resume.json" || !after.contains_key(&name) {
            std::fs::write(place.path().join("out").join(name), bytes).unwrap();
        }
    }
    resume(&[]);
    let summary = results.summary();
    assert_eq!((&summary["complete_paths"], &summary["tests"]), (&16.into(), &16.into()));
    assert_eq!(summary["exhaustive"], true);
    assert!(results.files().keys().all(|name| !name.starts_with("frontier")));
}

#[test]
fn what_cannot_be_resumed_is_told() {
    let place = Workplace::new("not-resumed", PATHS);
    let refused = |args: &[&str], why: &str| {
        let output = place.fathom(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(why), "{args:?}: {stderr}");
    };
    refused(&["run", "--resume", "nowhere"], "there is no such run");
    place.run("done", &["--no-replay", "prog.c"]);
    refused(&["run", "--resume", "done"], "there is nothing to resume");
    place.run("out", &["--no-replay", "--max-instructions", "20000", "prog.c"]);
    refused(&["run", "--resume", "out", "--search", "dfs"], "only limits");
    refused(&["run", "--resume", "out", "--max-depth", "3"], "only limits on time");
    refused(&["run", "--resume", "out", "prog.c"], "cannot be used with");
    let frontier = place.path().join("out/frontier-1.bin");
    let bytes = std::fs::read(&frontier).unwrap();
    std::fs::write(&frontier, &bytes[..bytes.len() / 2]).unwrap();
    refused(&["run", "--resume", "out"], "frontier-1.bin is damaged");
    for at in [6, 9, bytes.len() / 2, bytes.len() - 1] {
        let mut flipped = bytes.clone();
        flipped[at] ^= 4;
        std::fs::write(&frontier, &flipped).unwrap();
        refused(&["run", "--resume", "out"], "frontier-1.bin is damaged");
    }
    let mut other = bytes.clone();
    other[7] += 1;
    std::fs::write(&frontier, &other).unwrap();
    refused(&["run", "--resume", "out"], "another version of fathom");
    std::fs::write(&frontier, &bytes).unwrap();
    let saved = place.path().join("out/resume.json");
    let text = std::fs::read(&saved).unwrap();
    std::fs::write(&saved, r#"{"version": "0.0.7"}"#).unwrap();
    refused(&["run", "--resume", "out"], "made by fathom 0.0.7");
    std::fs::write(&saved, &text).unwrap();
    let pack = place.path().join("out/tests.pack");
    let tests = std::fs::read(&pack).unwrap();
    std::fs::write(&pack, &tests[..tests.len() / 2]).unwrap();
    refused(&["run", "--resume", "out"], "tests are left in it");
    std::fs::write(&pack, &tests).unwrap();
    let tree = place.path().join("out/tree.bin");
    let mut records = std::fs::read(&tree).unwrap();
    records[20] ^= 4;
    std::fs::write(&tree, &records).unwrap();
    refused(&["run", "--resume", "out"], "the frame at byte 8 is damaged");
    records[20] ^= 4;
    std::fs::write(&tree, &records).unwrap();
    std::fs::write(place.path().join("prog.c"), PATHS.replace("sum & 7", "sum & 3")).unwrap();
    refused(&["run", "--resume", "out"], "the program has changed");
}

#[test]
fn several_processes_explore_the_same_paths_as_one() {
    // Enough of them that all processes get some.
    let source = PATHS.replace("b[6]", "b[11]").replace("i < 6", "i < 11");
    let place = Workplace::new("jobs", &source);
    for fork in ["pending", "eager"] {
        let run = |out: &str, jobs: &str| {
            let options = ["--no-replay", "--fork", fork, "--jobs", jobs, "prog.c"];
            place.run(out, &options).summary()
        };
        let names = ["1", "2", "4"].map(|jobs| format!("{fork}{jobs}"));
        run(&names[0], "1");
        for (name, jobs) in names.iter().zip(["1", "2", "4"]).skip(1) {
            let summary = run(name, jobs);
            let [all, repeated] =
                ["instructions", "repeated_instructions"].map(|key| summary[key].as_u64().unwrap());
            assert!(repeated * 3 < all, "{name}: {repeated} of {all} were executed twice");
            same(&place, &names[0], name);
        }
    }
}

#[test]
fn several_processes_stop_together_and_go_on() {
    let source = PATHS.replace("b[6]", "b[9]").replace("i < 6", "i < 9");
    let place = Workplace::new("jobs-stopped", &source);
    let whole = place.run("whole", &["--no-replay", "prog.c"]).summary();
    let half = (whole["instructions"].as_u64().unwrap() / 2).to_string();
    let options = ["--no-replay", "--jobs", "2", "--max-instructions", &half, "prog.c"];
    let stopped = place.run("parts", &options).summary();
    assert_eq!(stopped["stopped"], "max-instructions");
    // As a part that was killed leaves it.
    std::fs::create_dir_all(place.path().join("parts/.jobs/1")).unwrap();
    std::fs::create_dir(place.path().join("parts/.tree-2")).unwrap();
    std::fs::write(place.path().join("parts/.tree-2/tree.bin"), "half of it").unwrap();
    // As one leaves it that was killed when all was saved but the tree.
    std::fs::create_dir(place.path().join("parts/.tree-1")).unwrap();
    let [tree, merged] =
        ["tree.bin", ".tree-1/tree.bin"].map(|it| place.path().join("parts").join(it));
    std::fs::rename(&tree, merged).unwrap();
    std::fs::write(&tree, "another").unwrap();
    let output = place.fathom(&["run", "--resume", "parts"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    same(&place, "whole", "parts");
    for left in [".jobs", ".tree-1", ".tree-2"] {
        assert!(!place.path().join("parts").join(left).exists(), "{left}");
    }
}

/// Other processes, and later parts of the run, read what the first one has read.
#[test]
fn concrete_standard_input_is_the_same_everywhere() {
    let place = Workplace::new("stdin", READER);
    let run = |text: &str, args: &[&str]| {
        std::fs::write(place.path().join("text"), text).unwrap();
        let mut command = place.command(&[&["run"], args].concat());
        command.stdin(std::fs::File::open(place.path().join("text")).unwrap());
        let output = ended(command.spawn().unwrap());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    };
    let program = ["--sym-arg", "9", "prog.c"];
    run("hello", &[&["--out", "one"], &program[..]].concat());
    run("hello", &[&["--out", "two", "--jobs", "2"], &program[..]].concat());
    run("hello", &[&["--out", "parts", "--max-tests", "20"], &program[..]].concat());
    run("other", &["--resume", "parts"]);
    for out in ["one", "two", "parts"] {
        let summary = place.results(out).summary();
        assert_eq!(summary["exhaustive"], true, "{out}");
        let is_odd = |path: &String| {
            ["\"exit\" 77 ", "\"exit\" 78 "].iter().any(|end| path.starts_with(end))
        };
        let odd = paths(&place, out).into_keys().find(is_odd);
        assert_eq!(odd, None, "{out}");
    }
    same(&place, "one", "two");
}

/// Seeds are what they were at the start, for other processes and later parts of the run, too.
#[test]
fn seeds_are_read_once() {
    let source = r#"
int main(int argc, char **argv) {
  int n = 0;
  for (int i = 1; i < argc; i++)
    for (char *at = argv[i]; *at; at++)
      if (*at > 'm') n++;
  return n & 1;
}
"#;
    let place = Workplace::new("seeds", source);
    let list = place.path().join("list.argv");
    // More lengths than are started without seeds.
    let inputs = ["--max-instructions", "60000", "prog.c", "--sym-args", "0", "5", "9"];
    std::fs::write(&list, "az b c ccccc\nzz\n").unwrap();
    let options = ["--no-replay", "--seed", "list.argv"];
    place.run("parts", &[&options, &inputs[..]].concat());
    std::fs::remove_file(&list).unwrap();
    for jobs in ["1", "2"] {
        let limits = ["--max-instructions", "60000", "--jobs", jobs];
        let output = place.fathom(&[&["run", "--resume", "parts"], &limits[..]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert!(!stderr.contains("died"), "{stderr}");
    }
    for options in [&["--no-replay"][..], &["--no-replay", "--seed", "last", "--jobs", "2"]] {
        let output = place.fathom(&[&["run"], options, &inputs].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert!(!stderr.contains("died") && !stderr.contains("--seed"), "{stderr}");
    }
}

/// Limits are those of all processes together, whoever does the work.
#[test]
fn limits_are_those_of_all_processes() {
    let place = Workplace::new("jobs-limits", ENDLESS);
    for (number, n_tests) in [10, 20_000].into_iter().enumerate() {
        let (out, limit) = (format!("tests{number}"), n_tests.to_string());
        let options = ["--no-replay", "--jobs", "2", "--max-tests", &limit, "prog.c"];
        let summary = place.run(&out, &options).summary();
        assert_eq!(summary["stopped"], "max-tests");
        let complete = summary["complete_paths"].as_u64().unwrap();
        assert!((n_tests..n_tests + 4).contains(&complete), "{n_tests}: {summary}");
    }
    for limit in [300_000, 2_000_000] {
        let (out, words) = (format!("instructions{limit}"), limit.to_string());
        let options = ["--no-replay", "--jobs", "2", "--max-instructions", &words, "prog.c"];
        let summary = place.run(&out, &options).summary();
        assert_eq!(summary["stopped"], "max-instructions");
        let executed = summary["instructions"].as_u64().unwrap();
        assert!((limit..limit + (1 << 20)).contains(&executed), "{limit}: {summary}");
    }
}

/// Wherever two processes are stopped, in the middle of paths that have changed hands too, their
/// trees are one tree, all of whose forks are in the program.
#[test]
fn several_processes_stopped_anywhere_leave_one_tree() {
    let place = Workplace::new("jobs-tree", ENDLESS);
    for (number, limit) in (20_000..200_000).step_by(30_000).enumerate() {
        let (out, limit) = (number.to_string(), limit.to_string());
        let limits = ["--jobs", "2", "--max-instructions", &limit];
        let searches = ["--search", "bfs", "--fork", "eager", "--no-replay", "prog.c"];
        let summary = place.run(&out, &[limits.as_slice(), &searches].concat()).summary();
        assert_eq!(summary["stopped"], "max-instructions");
        let tree = Tree::read(&place.path().join(&out).join("tree.bin"), u64::MAX).unwrap();
        assert_eq!(summary["forks"], tree.n_forks);
        assert!(tree.sites.iter().all(|site| site.function == "main"), "{:?}", tree.sites);
        let starts = tree.nodes.iter().skip(1).filter(|node| node.parent == 0).count();
        assert_eq!(starts, 1, "states that nobody made");
    }
}

/// Code that a path came to before it was stopped is covered by that path's test, once it has one.
#[test]
fn tests_cover_what_the_run_covers_however_often_it_was_stopped() {
    let place = Workplace::new("kept-news", PATHS);
    let way = ["--fork", "eager", "--search", "bfs", "--no-replay", "--max-instructions", "700"];
    place.run("out", &[&way[..], &["prog.c"]].concat());
    let again = ["run", "--resume", "out"];
    place.fathom(&[&again[..], &["--max-instructions", "900"]].concat());
    place.fathom(&again);
    let whole = place.results("out").summary();
    assert_eq!(whole["exhaustive"], true, "{whole}");
    let follow = ["--only-seeds", "--no-replay", "--seed", "out/tests", "prog.c"];
    let kept = place.run("kept", &follow).summary();
    assert_eq!(whole["coverage"]["instructions"], kept["coverage"]["instructions"], "{kept}");
}

/// However short its parts are, a run comes to the ends of more paths in each.
#[test]
fn short_parts_come_to_ends_too() {
    let source = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char b[8];
  volatile unsigned work = 0;
  klee_make_symbolic(b, sizeof b, "b");
  int n = 0;
  for (int i = 0; i < 8; i++) {
    if (b[i] > 'm') n += i; else n ^= 5;
    for (unsigned k = 0; k < 500; k++) work += k;
  }
  return n & 7;
}
"#;
    let place = Workplace::new("short-parts", source);
    let whole = place.run("whole", &["--no-replay", "prog.c"]).summary();
    assert_eq!((&whole["exhaustive"], &whole["complete_paths"]), (&true.into(), &256.into()));
    let limit = (whole["instructions"].as_u64().unwrap() / 12).to_string();
    let limits = ["--max-instructions", &limit];
    let mut before =
        place.run("parts", &[&limits, &["--no-replay", "prog.c"][..]].concat()).summary();
    for _ in 0..4 {
        place.fathom(&[&["run", "--resume", "parts"], &limits[..]].concat());
        let after = place.results("parts").summary();
        let ends = [&before, &after].map(|it| it["complete_paths"].as_u64().unwrap());
        assert!(ends[1] > ends[0], "{after}");
        before = after;
    }
    place.fathom(&["run", "--resume", "parts"]);
    same(&place, "whole", "parts");
}

/// Paths that no seed takes are nobody's, whoever follows the seeds and however often it is stopped.
#[test]
fn only_seeds_are_followed_by_several_processes_and_in_parts() {
    let source = r#"
#include <stdio.h>
#include <unistd.h>
int main(void) {
  char b[7] = {0};
  if (read(0, b, 6) != 6) return 1;
  long sum = 0;
  for (char *at = b; *at; at++) {
    if (*at >= '0' && *at <= '9') sum += (*at - '0') / 3;
    else if (*at == '-') sum = -sum;
    else return 2;
  }
  puts(sum > 0 ? "above" : sum < 0 ? "below" : "zero");
  return 0;
}
"#;
    let place = Workplace::new("only-seeds", source);
    std::fs::create_dir(place.path().join("seeds")).unwrap();
    for number in 0..60 {
        let text = format!("{}-{}", 7 * number, number % 11);
        std::fs::write(place.path().join("seeds").join(number.to_string()), text).unwrap();
    }
    let options = ["--no-replay", "--seed", "seeds", "--only-seeds", "--sym-stdin", "6"];
    let run = |out: &str, more: &[&str]| {
        place.run(out, &[&options, more, &["prog.c"]].concat()).summary()
    };
    let whole = run("one", &[]);
    assert_eq!((&whole["exhaustive"], &whole["states_left"]), (&false.into(), &0.into()));
    run("two", &["--jobs", "2"]);
    let third = (whole["instructions"].as_u64().unwrap() / 3).to_string();
    assert_eq!(run("parts", &["--max-instructions", &third])["stopped"], "max-instructions");
    place.fathom(&["run", "--resume", "parts"]);
    for parts in ["two", "parts"] {
        assert_eq!(paths(&place, "one"), paths(&place, parts), "{parts}");
    }
}
