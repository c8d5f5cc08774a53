//! The page that a run leaves, and `fathom report`.

use crate::workplace::Workplace;

const SOURCE: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char b[2];
  klee_make_symbolic(b, sizeof b, "</script><img src=x onerror=alert(1)>");
  char *p = malloc(4);
  for (int i = 0; i < 2; i++)
    if (b[i] > 'a') p[b[i] & 7] = 1;
  free(p);
  if (b[0] * 7 + b[1] * 5 > 2000 && b[0] * 3 + b[1] < 200) return 3;
  return b[0] == 'q';
}
"#;

#[test]
fn a_run_leaves_a_page_and_report_adds_times() {
    let place = Workplace::new("page", SOURCE);
    let results = place.run("out", &["--max-depth", "50", "prog.c"]);
    let page = results.text("report.html");
    assert!(page.contains("fathom run --max-depth 50 prog.c"), "options, but not the directory");
    assert!(page.contains("out-of-bounds-write") && page.contains("prog.c:9"));
    assert!(page.contains("<li class=\"bug\" id=\"s0-9\">"), "the source is annotated");
    assert!(page.contains("&lt;/script&gt;&lt;img") && !page.contains("<img"));
    assert!(page.contains("id=\"tree-data\"") && page.contains("exit 0</span>"));
    assert!(page.contains("Exhaustive.") && !page.contains("not explored</span>"));
    assert!(results.files()["tree.bin"].len() > 20);
    assert!(!page.contains("% in the solver"));

    let output = place.fathom(&["report", "out", "-o", "page.html"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "page.html\n");
    let page = std::fs::read_to_string(place.path().join("page.html")).unwrap();
    assert!(page.contains("% in the solver"));

    assert!(place.fathom(&["report", "out"]).status.success());
    assert_eq!(results.text("report.html"), page);
    let output = place.fathom(&["report", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no such run"));
}
