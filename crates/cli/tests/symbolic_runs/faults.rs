//! What goes wrong around a run costs no result that was reported, and is said in one line.

use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Output, Stdio};

use crate::workplace::{Workplace, ended, wait_until};

/// 2^40 paths, some of them bugs.
const ENDLESS: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char b[40];
  char *heap = malloc(100);
  unsigned sum = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 40; i++)
    if (b[i] > 100) sum += i;
  if (sum > 300) heap[sum] = 1;
  if (sum % 16 == 5) abort();
  return sum & 15;
}
"#;

/// A number tied to its own hash: the solver does not find one.
pub const HASH: &str = r#"
#include <klee/klee.h>
#include <stdint.h>
static uint64_t hash(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}
int main(void) {
  uint64_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x & 1) return 1;
  if (hash(x) + x == 0x0123456789abcdef) return 2;
  return 0;
}
"#;

fn refused(output: &Output, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    let last = stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("fathom: ") && !stderr.contains("panicked"), "{stderr}");
    assert_eq!(stderr.matches(words[0]).count(), 1, "{stderr}");
    for word in words {
        assert!(last.contains(word), "no {word:?} in {last}");
    }
}

#[test]
fn a_killed_run_leaves_what_it_reported() {
    let place = Workplace::new("killed", ENDLESS);
    let mut child =
        place.command(&["run", "--search", "dfs", "--out", "out", "prog.c"]).spawn().unwrap();
    let results = place.results("out");
    wait_until("pack with tests", || {
        std::fs::metadata(place.path().join("out/tests.pack")).is_ok_and(|it| it.len() > 2000)
            && results.names("tests").len() >= 2
    });
    let reported = results.names("tests");
    let bugs = results.names("bugs");
    child.kill().unwrap();
    child.wait().unwrap();
    let listed = place.listed("out");
    assert!(listed.len() > reported.len(), "{listed:?}");
    for name in reported {
        let number: usize = name.parse().unwrap();
        let line = listed[number - 1].trim_start();
        assert!(line.starts_with(&format!("{number} ")), "test {number}: {line}");
        let shown = place.fathom(&["tests", "show", &format!("out/tests/{name}")]);
        assert!(shown.status.success(), "{name}");
    }
    for bug in bugs {
        let shown = place.fathom(&["tests", "show", &format!("out/bugs/{bug}")]);
        assert!(shown.status.success(), "{bug}");
    }
}

#[test]
fn a_run_that_is_interrupted_writes_everything() {
    let place = Workplace::new("interrupted", ENDLESS);
    for (signal, out) in [(libc::SIGINT, "int"), (libc::SIGTERM, "term"), (libc::SIGHUP, "hup")] {
        let mut command = place.command(&["run", "--search", "dfs", "--out", out, "prog.c"]);
        // SAFETY: sets the default, for whoever runs these tests may ignore SIGHUP.
        unsafe {
            command.pre_exec(|| {
                libc::signal(libc::SIGHUP, libc::SIG_DFL);
                Ok(())
            });
        }
        let child = command.spawn().unwrap();
        let results = place.results(out);
        wait_until("test", || !results.names("tests").is_empty());
        // SAFETY: the child is ours and not yet waited for.
        unsafe { libc::kill(child.id() as libc::pid_t, signal) };
        let output = ended(child);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {stderr}", output.status);
        assert!(stderr.contains("stopped by interrupted"), "{stderr}");
        let summary = results.summary();
        assert_eq!(summary["stopped"], "interrupted");
        assert_eq!(summary["exhaustive"], false);
        assert_eq!(summary["tests"], place.listed(out).len());
        assert_eq!(summary["plain_tests"], results.names("tests").len());
        assert_eq!(summary["bugs"].as_array().unwrap().len(), results.names("bugs").len());
        assert!(results.ledger().contains("the run was stopped"), "{}", results.ledger());
        for file in ["coverage.lcov", "findings.sarif", "stats.jsonl", "timings.jsonl"] {
            assert!(!results.text(file).is_empty(), "{file}");
        }
    }
}

/// The solver is interrupted, not only the program.
#[test]
fn an_interrupted_query_ends_the_run() {
    let place = Workplace::new("interrupted-query", HASH);
    let args = ["run", "--out", "out", "--max-solver-time", "9999", "prog.c"];
    let child = place.command(&args).spawn().unwrap();
    let results = place.results("out");
    wait_until("run", || place.path().join("out/tests.pack").exists());
    std::thread::sleep(std::time::Duration::from_millis(500));
    // SAFETY: the child is ours and not yet waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    assert!(ended(child).status.success());
    assert_eq!(results.summary()["stopped"], "interrupted");
}

#[test]
fn an_output_directory_that_cannot_be_written() {
    let place = Workplace::new("unwritable", ENDLESS);
    refused(
        &place.fathom(&["run", "--out", "/proc/nowhere/out", "prog.c"]),
        &["cannot write /proc/nowhere/out", "--out DIR"],
    );
    refused(
        &place.fathom(&["run", "--out", "prog.c/out", "prog.c"]),
        &["cannot write prog.c/out", "--out DIR"],
    );
    let program = place.path().join("prog.c").display().to_string();
    let child = place.command(&["run", &program]).current_dir("/proc").spawn().unwrap();
    refused(&ended(child), &["cannot write fathom-out", "--out DIR"]);
    place.run("out", &["--search", "dfs", "--max-tests", "3", "prog.c"]);
    refused(&place.fathom(&["run", "--out", "out", "prog.c"]), &["out exists and is not empty"]);
}

/// Files may not grow past a limit, which fails as a full disk does.
#[test]
fn files_that_may_not_grow() {
    let place = Workplace::new("full", ENDLESS);
    assert!(place.fathom(&["cc", "-g", "prog.c", "-o", "prog"]).status.success());
    for limit in [0, 10, 3000, 20_000] {
        let out = format!("out{limit}");
        let mut command = place.command(&["run", "--search", "dfs", "--out", &out, "./prog"]);
        // SAFETY: one system call on plain data.
        unsafe {
            command.pre_exec(move || {
                let limit = libc::rlimit { rlim_cur: limit, rlim_max: limit };
                libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
                Ok(())
            });
        }
        refused(&ended(command.spawn().unwrap()), &["cannot write", &out, "ulimit -f"]);
        if limit > 1000 {
            assert!(!place.listed(&out).is_empty());
        }
    }
}

#[test]
fn a_query_without_end_is_cut_off_and_recorded() {
    let place = Workplace::new("hash", HASH);
    let results = place.run("out", &["--max-solver-time", "1", "prog.c"]);
    let summary = results.summary();
    assert!(summary["solver"]["failures"].as_u64().unwrap() >= 1, "{summary}");
    assert_eq!(summary["exhaustive"], false);
    assert_eq!(summary["stopped"], "done");
    let ledger = results.ledger();
    assert!(ledger.contains("solver") && ledger.contains("\"line\":13"), "{ledger}");
    assert!(results.timing()["solver_seconds"].as_f64().unwrap() >= 1.0);
}

/// There are no results to keep yet, and seeds may never come.
#[test]
fn ctrl_c_while_seeds_are_read() {
    let place = Workplace::new("late-seed", HASH);
    let args = ["run", "--out", "out", "--sym-stdin", "4", "--seed", "/dev/stdin", "prog.c"];
    let mut child = place.command(&args).stdin(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"x").unwrap();
    wait_until("reader of the seed", || {
        let mut unread = 0;
        // SAFETY: writes one integer.
        unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &raw mut unread) };
        unread == 0
    });
    // SAFETY: a signal to our own child.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let output = ended(child);
    assert_eq!(output.status.signal(), Some(libc::SIGINT), "{}", output.status);
    drop(pipe);
}
