//! Same input, same seed, limits in steps: the same run directory, byte for byte.

use crate::workplace::Workplace;

/// Runs twice and compares all but the timings.
fn same_twice(name: &str, source: &str, args: &[&str]) -> serde_json::Value {
    let place = Workplace::new(name, source);
    let limits = ["--rng-seed", "7", "--max-solver-steps", "2000"];
    let args = [&limits[..], args].concat();
    let [first, second] = ["first", "second"].map(|out| place.run(out, &args));
    let [mut left, mut right] = [first.files(), second.files()];
    left.remove("timings.jsonl").expect("there are timings");
    right.remove("timings.jsonl").expect("there are timings");
    let names = |files: &std::collections::BTreeMap<String, Vec<u8>>| {
        files.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(&left), names(&right));
    for (file, bytes) in &left {
        let (bytes, other) = (bytes.escape_ascii(), right[file].escape_ascii());
        assert_eq!(bytes.to_string(), other.to_string(), "{name}: {file}");
    }
    first.summary()
}

#[test]
fn objects_and_memory_bugs() {
    let summary = same_twice(
        "objects",
        r#"
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) {
  int v[4], n;
  klee_make_symbolic(v, sizeof v, "v");
  klee_make_symbolic(&n, sizeof n, "n");
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++)
      if (v[j] > v[j + 1]) swap(&v[j], &v[j + 1]);
  int *heap = malloc(4 * sizeof *heap);
  if (n >= 0 && n <= 4) heap[n] = v[0];
  assert(v[0] <= v[2] && v[3] != 77);
  free(heap);
  return v[1] & 3;
}
"#,
        &["prog.c"],
    );
    assert!(summary["bugs"].as_array().unwrap().len() >= 2, "{summary}");
    assert!(summary["complete_paths"].as_u64().unwrap() > 20, "{summary}");
}

#[test]
fn arguments_and_standard_input() {
    let summary = same_twice(
        "words",
        r#"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char line[16];
  int words = 0, letters = 0;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "-n") == 0) words += 100;
    else letters += strtol(argv[i], NULL, 0) > 9;
  while (fgets(line, sizeof line, stdin))
    for (char *p = line; *p; p++) {
      if (isspace((unsigned char)*p)) words++;
      else if (isalpha((unsigned char)*p)) letters++;
    }
  printf("%d words %d letters\n", words, letters);
  return words > letters;
}
"#,
        &[
            "--max-instructions",
            "2000000",
            "prog.c",
            "--sym-args",
            "0",
            "2",
            "2",
            "--sym-stdin",
            "3",
        ],
    );
    assert!(summary["tests"].as_u64().unwrap() > 20, "{summary}");
}

/// Floats and products go to the SMT solver, which gives up on some in so few steps.
#[test]
fn hard_queries() {
    let summary = same_twice(
        "hard",
        r#"
#include <klee/klee.h>
#include <stdint.h>
static const unsigned char table[256] = {
  7, 1, 9, 200, 4, 4, 90, 3, 17, 0, 5, 66, 254, 31, 8, 2,
};
int main(void) {
  double d;
  uint32_t a, b;
  uint64_t p, q;
  unsigned char t[3];
  klee_make_symbolic(&d, sizeof d, "d");
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&p, sizeof p, "p");
  klee_make_symbolic(&q, sizeof q, "q");
  klee_make_symbolic(t, sizeof t, "t");
  int result = 0;
  if (d * d + 1.0 == 5.0) result |= 1;
  if (a * 2654435761u + b * 40503u == 0xdeadbeef && (a ^ b) % 1000 == 77) result |= 2;
  if (table[t[0]] + table[t[1]] * table[t[2]] == 1234) result |= 4;
  if (p > 1 && q > 1 && p < 1ull << 32 && q < 1ull << 32 && p * q == 18446743979220271189ull)
    result |= 8;
  return result;
}
"#,
        &["prog.c"],
    );
    let backend = summary["solver"]["layers"].as_array().unwrap().last().unwrap()[1].as_u64();
    assert!(backend.unwrap() > 2, "{summary}");
}

#[test]
fn random_paths_cut_short() {
    let summary = same_twice(
        "random",
        r#"
#include <klee/klee.h>
int main(void) {
  unsigned char b[40];
  unsigned hash = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 40; i++) {
    hash = hash * 31 + i;
    if (b[i] > 'm') hash ^= 0x9e37;
    if (b[i] == b[(i + 7) % 40]) hash += 5;
  }
  return hash % 7;
}
"#,
        &["--fork", "eager", "--max-instructions", "60000", "prog.c"],
    );
    assert_eq!(summary["stopped"], "max-instructions");
    assert!(summary["partial_paths"].as_u64().unwrap() > 1, "{summary}");
}

/// What is left for a later run, too: several bugs are known by then.
#[test]
fn a_run_that_is_stopped() {
    let source = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char b[12];
  int v[2] = {1, 2}, sum = 0;
  klee_make_symbolic(b, sizeof b, "b");
  if (b[0] == 'a') sum += v[b[1]];
  if (b[2] == 'b') sum += 10 / (b[3] - 7);
  if (b[4] == 'c') abort();
  if (b[5] == 'd') klee_report_error(__FILE__, __LINE__, "reported", "err");
  for (int i = 0; i < 12; i++)
    if (b[i] > 'm') sum++;
  return sum & 1;
}
"#;
    let summary = same_twice("stopped", source, &["--max-instructions", "20000", "prog.c"]);
    assert_eq!(summary["stopped"], "max-instructions", "{summary}");
    assert!(summary["bugs"].as_array().unwrap().len() >= 3, "{summary}");
}
