//! Pending constraints: what a run is like, and what it says of its decisions.

use crate::workplace::Workplace;

/// Three independent choices, one of which does not matter, and a bug behind the other two.
const CHOICES: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char b[4];
  klee_make_symbolic(b, sizeof b, "b");
  int other = 0;
  if (b[0] == 'x')
    other = 1;
  if (b[1] > 'm') {
    if (b[2] == b[1])
      abort();
  }
  return other;
}
"#;

#[test]
fn a_bug_is_explained_by_the_decisions_that_lead_to_it() {
    let place = Workplace::new("explained", CHOICES);
    let results = place.run("out", &["prog.c"]);
    let files = results.files();
    let explained = files.keys().find(|name| name.ends_with("explanation.txt"));
    let text = results.text(explained.expect("a bug"));
    let at = |line: &str| text.find(line).unwrap_or_else(|| panic!("no {line} in\n{text}"));
    assert!(at("prog.c:10 in main, to line 11") < at("prog.c:11 in main, to line 12"), "{text}");
    assert!(text.contains("if (b[2] == b[1])"), "the source line:\n{text}");
}

#[test]
fn sides_that_are_on_one_line_are_told_by_their_columns() {
    let source = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char b[2];
  klee_make_symbolic(b, sizeof b, "b");
  if (b[0] > 'm') b[0]++; else b[0]--;
  if (b[1] == b[0]) abort();
  return 0;
}
"#;
    let place = Workplace::new("one-line", source);
    let results = place.run("out", &["prog.c"]);
    let explained = results.files().into_keys().filter(|name| name.ends_with("explanation.txt"));
    let texts = explained.map(|name| results.text(&name)).collect::<String>();
    assert!(texts.contains("prog.c:8 in main, to line 8, column 21"), "{texts}");
    let sides = [23, 36].map(|column| format!("prog.c:7 in main, to line 7, column {column}"));
    assert!(sides.iter().any(|side| texts.contains(side)), "{texts}");
}

#[test]
fn both_ways_of_forking_find_the_same_paths() {
    let place = Workplace::new("same-paths", CHOICES);
    let counts = ["pending", "eager"].map(|fork| {
        let results = place.run(fork, &["--fork", fork, "prog.c"]);
        let summary: serde_json::Value =
            serde_json::from_str(&results.text("summary.json")).unwrap();
        assert_eq!(summary["exhaustive"], true, "{fork}");
        let pending = &summary["pending"];
        let waited = pending["revived"].as_u64().unwrap();
        assert_eq!(waited > 0, fork == "pending", "{fork}: {pending}");
        assert_eq!(pending["left"], 0, "{fork}: {pending}");
        (summary["complete_paths"].clone(), summary["tests"].clone())
    });
    assert_eq!(counts[0], counts[1]);
}

/// Two hundred questions about a byte in memory, and as many about a variable that was it, once the
/// path has found out what it is.
#[test]
fn nobody_is_asked_about_bytes_that_have_one_value_left() {
    let source = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int copy = c;
  if (c != 'x') return 0;
  int n = 0;
  for (int i = 0; i < 200; i++) {
    if (c > i) n++;
    if (copy > i) n++;
  }
  return n;
}
"#;
    let place = Workplace::new("settled", source);
    for fork in ["pending", "eager"] {
        let results = place.run(fork, &["--fork", fork, "prog.c"]);
        let summary: serde_json::Value =
            serde_json::from_str(&results.text("summary.json")).unwrap();
        assert_eq!(summary["complete_paths"], 2, "{fork}");
        let queries = summary["solver"]["queries"].as_u64().unwrap();
        assert!(queries <= 2, "{fork}: {queries} queries");
    }
}

/// An index of several bytes that the path knows: no access can go wrong, and nobody waits for it to.
#[test]
fn an_access_at_a_place_that_is_known_forks_nothing() {
    let source = r#"
#include <klee/klee.h>
static int table[16];
__attribute__((noinline)) static int at(int *a, unsigned n) { a[n] += 1; return a[n]; }
int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  unsigned copy = n;
  if (copy != 7) return 0;
  return at(table, copy) + at(table, copy + 8);
}
"#;
    let place = Workplace::new("known-place", source);
    for checks in ["--no-replay", "--relaxed-checks"] {
        let results = place.run(checks.trim_start_matches('-'), &[checks, "prog.c"]);
        let summary: serde_json::Value =
            serde_json::from_str(&results.text("summary.json")).unwrap();
        assert_eq!(summary["complete_paths"], 2, "{checks}");
        assert_eq!(summary["pending"]["revived"], 1, "{checks}");
        assert_eq!(summary["pending"]["infeasible"], 0, "{checks}");
        assert_eq!(summary["exhaustive"], true, "{checks}");
    }
}

#[test]
fn relaxed_checks_find_the_bugs_of_an_exhaustive_run() {
    let source = r#"
#include <klee/klee.h>
int main(void) {
  unsigned i;
  int table[8] = {0};
  klee_make_symbolic(&i, sizeof i, "i");
  if (i > 8) return 1;
  return table[i] + 100 / (int)(i - 3);
}
"#;
    let place = Workplace::new("relaxed", source);
    let bugs = [&["prog.c"][..], &["--relaxed-checks", "prog.c"]].map(|args| {
        let results = place.run(if args.len() == 1 { "checked" } else { "relaxed" }, args);
        let summary: serde_json::Value =
            serde_json::from_str(&results.text("summary.json")).unwrap();
        let mut kinds: Vec<String> =
            summary["bugs"].as_array().unwrap().iter().map(|bug| bug["kind"].to_string()).collect();
        kinds.sort();
        kinds
    });
    assert_eq!(bugs[0], ["\"division-by-zero\"", "\"out-of-bounds-read\""]);
    assert_eq!(bugs[0], bugs[1]);
}

/// Among many states those that can only fail are not kept, but how to come to them again. No
/// square ends in 60 to 63, in base 64, so the access is out of bounds on one path of 8192.
#[test]
fn what_can_only_fail_is_come_to_again() {
    let source = r#"
#include <klee/klee.h>
static char table[60];
int main(void) {
  unsigned char way[13], x, y;
  klee_make_symbolic(way, sizeof way, "way");
  klee_make_symbolic(&x, 1, "x");
  klee_make_symbolic(&y, 1, "y");
  unsigned n = 0;
  for (unsigned i = 0; i < sizeof way; i++)
    if (way[i] & 1) n++;
  unsigned v = x + y;
  return table[v * v + (n == sizeof way ? 6 : 0) & 63];
}
"#;
    let place = Workplace::new("doubted", source);
    let options = ["--no-replay", "--pending-search", "bfs", "--relaxed-checks", "prog.c"];
    let [whole, shared] = ["1", "2"].map(|jobs| {
        let results = place.run(jobs, &[&["--jobs", jobs], &options[..]].concat());
        serde_json::from_str::<serde_json::Value>(&results.text("summary.json")).unwrap()
    });
    for summary in [&whole, &shared] {
        assert_eq!(summary["complete_paths"], 8193);
        assert_eq!(summary["exhaustive"], true);
        assert_eq!(summary["bugs"].as_array().unwrap().len(), 1);
        assert_eq!(summary["bugs"][0]["kind"], "out-of-bounds-read");
    }
    assert!(whole["repeated_instructions"].as_u64().unwrap() > 0);
}

#[test]
fn injected_faults_are_counted_and_change_no_path() {
    let place = Workplace::new("injected", CHOICES);
    let [plain, injected] = [&["prog.c"][..], &["--inject-faults", "prog.c"]].map(|args| {
        let results = place.run(if args.len() == 1 { "plain" } else { "injected" }, args);
        serde_json::from_str::<serde_json::Value>(&results.text("summary.json")).unwrap()
    });
    assert!(plain.get("faults").is_none(), "{}", plain["faults"]);
    assert_eq!(plain["complete_paths"], injected["complete_paths"]);
    assert_eq!(plain["coverage"], injected["coverage"]);
    let found = injected["faults"]["found"].as_u64().unwrap();
    assert!(found > 0 && found <= injected["faults"]["injected"].as_u64().unwrap());
    let bugs = |summary: &serde_json::Value| summary["bugs"].as_array().unwrap().len() as u64;
    assert_eq!(bugs(&injected), bugs(&plain) + found);
}
