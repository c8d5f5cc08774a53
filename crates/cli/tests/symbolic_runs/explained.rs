//! What the explanation of a bug says.

use crate::workplace::Workplace;

const BOTH: [&str; 2] = ["pending", "eager"];

/// The explanations of a run's bugs, one after the other.
fn explained(name: &str, fork: &str, source: &str, input: &[&str]) -> String {
    let place = Workplace::new(&format!("{name}-{fork}"), source);
    let args = [&["--fork", fork], input, &["prog.c"]].concat();
    let results = place.run("out", &args);
    let names = results.files().into_keys().filter(|name| name.ends_with("explanation.txt"));
    names.map(|name| results.text(&name)).collect()
}

fn has_lines(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

/// What matters of the first byte is a number that a function returned, and the others only decide
/// whether the place is reached: the path computes with no input when it fails.
#[test]
fn causes_that_come_by_control_flow_are_listed() {
    let source = r#"#include <unistd.h>
static int table[4];
static int classify(unsigned char c) {
  if (c < 10)
    return 0;
  if (c == 77)
    return 7;
  return 2;
}
static void store(int k) { table[k] = 1; }
int main(void) {
  unsigned char b[3];
  if (read(0, b, 3) != 3)
    return 3;
  int k = classify(b[0]);
  int q = classify(b[1]);
  int z = 0;
  while (z < b[2] && z < 3)
    z++;
  if (q == 7 && z == 2)
    store(k);
  return 0;
}
"#;
    for fork in BOTH {
        let text = explained("implicit", fork, source, &["--sym-stdin", "3"]);
        let conditions = "where (eq stdin[0] 0x4d:8) and (eq stdin[1] 0x4d:8)";
        has_lines(
            &text,
            &[
                &format!(
                    "prog.c:6 in classify, to line 7, 2 times, {conditions}\n      if (c == 77)"
                ),
                "prog.c:18 in main, to line 20\n",
                "prog.c:20 in main, to line 21\n      if (q == 7 && z == 2)",
            ],
        );
        assert!(!text.contains("prog.c:4 in classify, to line 5"), "{text}");
    }
}

/// A use after free behind decisions that had settled the last branch before it, and two in a
/// function that has returned.
#[test]
fn settled_branches_are_listed_whatever_forks() {
    let source = r#"#include <stdlib.h>
#include <unistd.h>
static struct { unsigned char k; char *s; } table[4];
static void add(unsigned char k) {
  table[k & 3].k = k;
  table[k & 3].s = malloc(8);
}
static void del(unsigned char k) {
  if (table[k & 3].k == k) {
    free(table[k & 3].s);
    if (k != 0x33)
      table[k & 3].s = 0;
  }
}
int main(void) {
  unsigned char b[3];
  if (read(0, b, 3) != 3)
    return 3;
  add(b[0]);
  del(b[1]);
  if (b[2] == 'q') {
    if (table[3].s != 0)
      table[3].s[3] = 1;
  }
  return 0;
}
"#;
    for fork in BOTH {
        let text = explained("settled", fork, source, &["--sym-stdin", "3"]);
        has_lines(
            &text,
            &[
                "prog.c:9 in del, to line 10, where a condition on stdin[0] = '3', stdin[1] = '3' holds",
                "prog.c:11 in del, to line 14, where (eq stdin[1] 0x33:8)",
                "prog.c:21 in main, to line 22, where (eq stdin[2] 0x71:8)",
                "prog.c:22 in main, to line 23",
                "      if (table[3].s != 0)",
            ],
        );
    }
}

/// The failing byte has nothing to do with the one that `strchr` looks at.
#[test]
fn decisions_of_the_c_library_have_the_line_that_called_it() {
    let source = r#"#include <string.h>
#include <unistd.h>
int main(void) {
  char b[3];
  if (read(0, b, 2) != 2)
    return 3;
  b[2] = 0;
  if (!strchr(b, '='))
    return 1;
  return 100 / (b[1] - '5');
}
"#;
    for fork in BOTH {
        let text = explained("library", fork, source, &["--sym-stdin", "2"]);
        has_lines(
            &text,
            &[
                "where (eq stdin[0] 0x3d:8), called from prog.c:8\n      if (!strchr(b, '='))",
                "prog.c:8 in main, to line 10\n      if (!strchr(b, '='))",
                "It fails where (eq stdin[1] 0x35:8); here stdin[1] = '5'.",
            ],
        );
    }
}

/// Either side of the first test leads on: neither has to be taken.
#[test]
fn a_branch_is_no_guard_where_both_sides_lead_there() {
    let source = r#"#include <klee/klee.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  unsigned char b[2];
  klee_make_symbolic(b, sizeof b, "b");
  int n = 0;
  if (argc > 5)
    n = 1;
  for (int i = 0; i < 2; i++) {
    if (b[i] == 'x' || b[i] == 'y')
      abort();
  }
  return n;
}
"#;
    let text = explained("both-sides", "pending", source, &[]);
    assert!(!text.contains("prog.c:7 in main"), "{text}");
    has_lines(&text, &["prog.c:9 in main, to line 10\n", "prog.c:10 in main, to line 11"]);
}
