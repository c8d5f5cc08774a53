//! Every searcher by its name: the same set of paths, however they are chosen, and its description.

use crate::workplace::Workplace;

const NAMES: [&str; 10] = [
    "dfs",
    "bfs",
    "random-path",
    "random-state",
    "depth-biased",
    "covnew",
    "md2u",
    "icnt",
    "cpicnt",
    "qc",
];

/// A loop and calls through pointers; the exit status says which path was followed.
const PROGRAM: &str = r#"
#include <klee/klee.h>
static int vowel(char c) {
  if (c == 'a') return 1;
  if (c == 'e') return 2;
  return 0;
}
static int digit(char c) {
  if (c < '0') return 3;
  if (c > '9') return 4;
  return 5;
}
static int (*const kinds[])(char) = {vowel, digit};
int main(void) {
  char text[3];
  int way = 0;
  klee_make_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 3 && text[i]; i++) {
    int kind = 0;
    for (int k = 0; k < 2 && !kind; k++) kind = kinds[k](text[i]);
    way = way * 6 + kind;
  }
  return way;
}
"#;

/// The exit statuses of all paths, of which there is one each.
fn ways(place: &Workplace, out: &str, args: &[&str]) -> Vec<u64> {
    let summary = place.run(out, &[args, &["--no-replay", "./prog"]].concat()).summary();
    assert_eq!(summary["exhaustive"], true, "{out}: {summary}");
    let exit =
        |line: &String| line.split_whitespace().skip_while(|&w| w != "exit").nth(1)?.parse().ok();
    let mut ways: Vec<u64> = place.listed(out).iter().filter_map(exit).collect();
    assert_eq!(summary["complete_paths"], ways.len(), "{out}: {summary}");
    ways.sort_unstable();
    ways
}

#[test]
fn each_follows_the_same_paths() {
    let place = Workplace::new("searchers", PROGRAM);
    assert!(place.fathom(&["cc", "prog.c", "-o", "prog"]).status.success());
    let all = ways(&place, "first", &[]);
    assert_eq!(all.len(), 1 + 5 + 25 + 125);
    let several = ["random-path,covnew,dfs"];
    for name in NAMES.iter().chain(&several) {
        for fork in ["pending", "eager"] {
            let out = format!("{fork}-{name}");
            assert_eq!(ways(&place, &out, &["--fork", fork, "--search", name]), all, "{out}");
        }
    }
    let args = ["--search", "bfs", "--pending-search", "md2u,icnt"];
    assert_eq!(ways(&place, "two", &args), all);
}

/// Whatever the searcher: a word is guessed letter by letter, though no letter but the last one leads
/// to new code.
#[test]
fn words_are_guessed() {
    const PROGRAM: &str = r#"
    #include <assert.h>
    #include <klee/klee.h>
    #include <string.h>
    int main(void) {
      char word[9], text[8];
      int n = 0;
      klee_make_symbolic(word, sizeof word, "word");
      klee_make_symbolic(text, sizeof text, "text");
      int is_password = strncmp(word, "password", 8) == 0;
      for (int i = 0; i < 8; i++) {
        if (text[i] == 'a') n++;
        if (text[i] == 'b') n--;
      }
      assert(!is_password);
      return n;
    }
    "#;
    let place = Workplace::new("words", PROGRAM);
    assert!(place.fathom(&["cc", "-g", "prog.c", "-o", "prog"]).status.success());
    for name in ["dfs", "depth-biased", "random-path", "bfs"] {
        let n_bugs = |revive| {
            let out = format!("{name}-{revive}");
            let args = ["--search", name, "--revive", revive, "--max-instructions", "100000"];
            let summary = place.run(&out, &[&args[..], &["./prog"]].concat()).summary();
            summary["bugs"].as_array().unwrap().len()
        };
        assert_eq!((n_bugs("new-code"), n_bugs("search")), (1, 0), "{name}");
    }
}

/// Whatever the searcher: paths that never end let others have their turn, and go on where nothing
/// else is left to do.
#[test]
fn endless_paths_rest() {
    const PROGRAM: &str = r#"
    #include <assert.h>
    #include <klee/klee.h>
    int main(void) {
      unsigned char way;
      klee_make_symbolic(&way, sizeof way, "way");
      if (way < 100)
        for (volatile int i = 0;; i++) {}
      if (way < 200)
        for (volatile int i = 0; i < 300000; i++) {}
      assert(way != 150);
      assert(way != 201);
      return 0;
    }
    "#;
    let place = Workplace::new("endless", PROGRAM);
    assert!(place.fathom(&["cc", "-g", "prog.c", "-o", "prog"]).status.success());
    for name in ["dfs", "depth-biased", "random-path", "bfs"] {
        let args = ["--search", name, "--max-instructions", "40000000", "./prog"];
        let summary = place.run(name, &args).summary();
        assert_eq!(summary["bugs"].as_array().unwrap().len(), 2, "{name}: {summary}");
    }
}

#[test]
fn each_has_its_paragraph() {
    let place = Workplace::new("search-help", PROGRAM);
    let page = place.fathom(&["help", "search"]).stdout;
    assert_eq!(page, place.fathom(&["run", "--help", "search"]).stdout);
    let page = String::from_utf8(page).unwrap();
    for name in NAMES {
        assert!(page.contains(&format!("\n\n{name}\n    ")), "{name}: {page}");
    }
    let usual = String::from_utf8(place.fathom(&["run", "--help"]).stdout).unwrap();
    assert!(usual.contains("--pending-search"), "{usual}");
    for name in NAMES {
        assert!(usual.contains(name), "{name}: {usual}");
    }
}
