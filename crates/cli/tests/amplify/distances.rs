//! The examples behind the method: at which distance a bug is found, and with what input.

use serde_json::{Value, json};

use crate::suite::{Amplified, Suite};

/// The index is checked from above only.
const ABOVE: &str = r#"
#include <unistd.h>
int v[100];
static void f(int x) {
  if (x > 99)
    x = 99;
  v[x] = 1;
}
int main(void) {
  int x;
  if (read(0, &x, sizeof x) != sizeof x) return 2;
  f(x);
  return 0;
}
"#;

/// The same with a condition within.
const NESTED: &str = r#"
#include <unistd.h>
int v[100];
static void f(int x) {
  if (x > 99) {
    if (x > 149)
      x = 98;
    else
      x = 99;
  }
  v[x] = 1;
}
int main(void) {
  int x;
  if (read(0, &x, sizeof x) != sizeof x) return 2;
  f(x);
  return 0;
}
"#;

const FIFTY: &str = r"printf '\062\0\0\0' | ./prog";
const LARGE: &str = r"printf '\310\0\0\0' | ./prog";

/// The only bug, and how many bytes of the test it changes.
fn only_bug(amplified: &Amplified) -> (&Value, usize) {
    let [bug] = amplified.bugs() else { panic!("{}", amplified.stderr()) };
    let pieces = bug["changes"].as_array().unwrap().iter().flat_map(|change| {
        change["pieces"].as_array().unwrap().iter().map(|piece| {
            let bytes = |name: &str| piece[name].as_array().unwrap().clone();
            bytes("before").iter().zip(&bytes("after")).filter(|(a, b)| a != b).count()
        })
    });
    (bug, pieces.sum())
}

fn assert_found(name: &str, source: &str, check: &str, distance: u64) {
    let suite = Suite::new(name, source, check);
    let amplified = suite.amplify(&[]);
    let (bug, n_changed) = only_bug(&amplified);
    assert_eq!(bug["kind"], "out-of-bounds-write");
    assert_eq!(bug["distance"], distance, "{}", amplified.stderr());
    assert_eq!(bug["replay"]["verdict"], "confirmed");
    assert_eq!(n_changed, 1, "one byte makes it negative: {}", bug["changes"]);
    assert_eq!(amplified.output.status.code(), Some(1));
    amplified.assert_faithful();
    let distances: Vec<_> =
        amplified.suite["phases"].as_array().unwrap().iter().map(|it| &it["bugs"]).collect();
    assert_eq!(*distances[distance as usize], 1, "told where it was found");
}

#[test]
fn on_the_path() {
    assert_found("path", ABOVE, FIFTY, 0);
}

#[test]
fn one_branch_away() {
    assert_found("one", ABOVE, LARGE, 1);
}

#[test]
fn two_branches_away() {
    assert_found("two", NESTED, LARGE, 2);
}

#[test]
fn the_nearest_test_comes_first() {
    let suite = Suite::new("nearest", ABOVE, &format!("{LARGE}\n{FIFTY}\n{LARGE}"));
    let amplified = suite.amplify(&[]);
    let (bug, _) = only_bug(&amplified);
    assert_eq!(bug["distance"], 0);
    assert_eq!(bug["test"], 1);
    assert_eq!(bug["exposed"], json!({"0": 1, "1": 0, "2": 1}), "the third is as the first");
    assert_eq!(amplified.suite["same_input"], 1);
    // Of three tests one exposes it at the least distance.
    let chances = bug["chances"].as_array().unwrap();
    let half = chances.iter().find(|chance| chance[0] == 50).unwrap();
    assert!((half[1].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9, "{chances:?}");
}

#[test]
fn not_beyond_the_greatest_distance() {
    let suite = Suite::new("limited", NESTED, LARGE);
    let amplified = suite.amplify(&["--max-distance", "1"]);
    assert!(amplified.bugs().is_empty(), "{}", amplified.stderr());
    assert_eq!(amplified.output.status.code(), Some(0));
}

/// An argument may be shorter than the test's: what lies behind its end is not there.
#[test]
fn shorter_arguments() {
    const QUOTE: &str = r#"
    int main(int argc, char **argv) {
      char *s = argc > 1 ? argv[1] : "x";
      if (*s == '\'') {
        char c = s[1];
        return s[2] == 0 ? c : 3;
      }
      return 0;
    }
    "#;
    let suite = Suite::new("shorter", QUOTE, "./prog \"'a\"");
    let amplified = suite.amplify(&[]);
    let (bug, _) = only_bug(&amplified);
    assert_eq!(bug["kind"], "out-of-bounds-read");
    assert_eq!(bug["distance"], 0);
    assert_eq!(bug["changes"][0]["pieces"][0]["after"], json!([b'\'']));
    assert_eq!(bug["replay"]["verdict"], "confirmed");
}

/// What no input decides makes another path, too.
#[test]
fn paths_of_more_arguments() {
    const PAST: &str = r#"
    static int table[4];
    int main(int argc, char **argv) {
      int last = argc > 2 ? 4 : 3;
      return table[argv[1][0] == 'x' ? last : 0];
    }
    "#;
    let suite = Suite::new("arguments", PAST, "./prog a\n./prog b\n./prog a b\n");
    let amplified = suite.amplify(&["--max-distance", "1"]);
    let (bug, n_changed) = only_bug(&amplified);
    assert_eq!((bug["kind"].as_str(), n_changed), (Some("out-of-bounds-read"), 1));
    assert_eq!((&bug["distance"], &bug["test"]), (&json!(1), &json!(2)));
    let same: Vec<_> = amplified.tests.iter().map(|test| test["same_path_as"].clone()).collect();
    assert_eq!(same, [json!(null), json!(0), json!(null)]);
}

/// Undefined behaviour that the native run does not notice is a bug of the test as it is.
#[test]
fn the_test_itself() {
    const PAST: &str = r#"
    #include <stdlib.h>
    int main(int argc, char **argv) {
      char *block = malloc(3);
      volatile char byte = block[argc + 1];
      return 0;
    }
    "#;
    let suite = Suite::new("itself", PAST, "./prog one");
    let amplified = suite.amplify(&[]);
    assert_eq!(amplified.suite["departures"], 0);
    let (bug, n_changed) = only_bug(&amplified);
    assert_eq!((bug["kind"].as_str(), n_changed), (Some("out-of-bounds-read"), 0));
    assert_eq!(bug["distance"], 0);
    assert_eq!(bug["replay"]["verdict"], "confirmed");
    assert!(amplified.stderr().contains("the test itself shows it"), "{}", amplified.stderr());
}

/// Behind such a bug the path goes on with values for which it is none: that is no departure.
#[test]
fn past_a_bug_of_the_test_itself() {
    const PAST: &str = r#"
    static int table[4] = {1, 2, 3, 4};
    int main(int argc, char **argv) {
      int at = argv[1][0] - 'a';
      if (at < 0 || at > 8) return 9;
      return table[at];
    }
    "#;
    let suite = Suite::new("past-itself", PAST, "./prog g");
    let amplified = suite.amplify(&["--max-distance", "1"]);
    let (_, n_changed) = only_bug(&amplified);
    assert_eq!((n_changed, &amplified.suite["departures"]), (0, &json!(0)));
}
