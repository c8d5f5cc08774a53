//! The page of a run: complete, the same for the same run, and safe whatever the program says.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use fathom_report::{
    Coverage, Finding, Frame, FunctionHits, LedgerEntry, ObjectInfo, Outcome, Place, Replay,
    RunDir, Sample, Site, SourceFile, Summary, TestCase, Timing, TreeEnd, write_page,
};
use support::{Scratch, everything};

const HOSTILE: &str = "</script></pre><img src=x onerror=alert(1)>\"'`&\u{202e}\x1b[31m<!--";

/// What a program can say about itself, in every place that ends up in the page.
fn run(out: &Path, text: &str, sources: &[(PathBuf, &str)]) -> PathBuf {
    let mut run = RunDir::create(&Place::Exactly(out.into())).unwrap();
    let site = run.tree().site(text, text, 3);
    run.tree().fork(1, 2, site);
    run.tree().end(2, TreeEnd::Bug, 1);
    let mut test = everything();
    test.argv.push(text.into());
    for input in &mut test.inputs {
        input.name = text.into();
        input.bytes = text.into();
    }
    let file = sources.first().map_or(text.into(), |(path, _)| path.display().to_string());
    let bug = Site { kind: text.into(), file, line: 2, function: text.into() };
    test.outcome = Outcome::Bug(bug.clone());
    let number = run.test(&test).unwrap();
    let frame = Frame { function: text.into(), file: text.into(), line: 1 };
    let object = ObjectInfo {
        description: text.into(),
        size: 1,
        allocated: vec![frame.clone()],
        freed: vec![frame.clone()],
    };
    let replay = Replay { verdict: text.into(), mode: text.into(), detail: text.into() };
    let finding = Finding {
        site: bug,
        message: text.into(),
        stack: vec![frame],
        object: Some(object),
        explanation: text.into(),
        test: number,
        replay: Some(replay),
    };
    run.bug(&finding, &test).unwrap();
    for instructions in [5, 9] {
        run.sample(&Sample { instructions, covered: 3, ..Sample::default() }).unwrap();
        let what = "sample".to_owned();
        let timing = Timing { what, instructions, seconds: 123.0, ..Timing::default() };
        run.timing(&timing).unwrap();
    }
    let timing = Timing { what: "total".into(), seconds: 123.0, ..Timing::default() };
    run.timing(&timing).unwrap();
    let function = FunctionHits { line: 1, name: text.into(), hits: 1 };
    let files = sources.iter().map(|(path, _)| SourceFile {
        path: path.display().to_string(),
        lines: vec![(1, 1), (2, 0)],
        functions: vec![function.clone()],
    });
    let mut coverage = Coverage { files: files.collect() };
    coverage.files.push(SourceFile {
        path: text.into(),
        lines: vec![(1, 0)],
        ..SourceFile::default()
    });
    let entry = LedgerEntry {
        what: text.into(),
        count: 2,
        file: text.into(),
        line: 1,
        function: text.into(),
    };
    let mut summary = Summary {
        version: text.into(),
        program: text.into(),
        command: vec![text.into()],
        options: vec![text.into()],
        bitcode: text.into(),
        stopped: text.into(),
        ..Summary::default()
    };
    summary.solver.layers = vec![(text.into(), 1)];
    for (path, text) in sources {
        fs::write(path, text).unwrap();
    }
    run.finish(summary, &[entry], Some(&coverage)).unwrap();
    out.join("report.html")
}

/// The tags in a page, quoted values of attributes left out.
fn tags(page: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let mut quoted = false;
        let end = rest.find(|c| {
            quoted ^= c == '"';
            c == '>' && !quoted
        });
        let tag = &rest[..end.expect("a tag has an end")];
        tags.push(tag.split('"').step_by(2).collect());
        // What is inside a script or style is no markup.
        if tag.starts_with("script") || tag.starts_with("style") {
            let end = rest.find("</").expect("it has an end");
            rest = &rest[end..];
        }
    }
    tags
}

#[test]
fn what_the_program_says_stays_text() {
    let scratch = Scratch::new();
    let source = scratch.join("hostile.c");
    let text = format!("int x; // {HOSTILE}\n{HOSTILE}\n");
    let page = run(&scratch.join("run"), HOSTILE, &[(source, &text)]);
    let hostile = fs::read_to_string(&page).unwrap();
    assert!(
        !hostile.contains("<img") && !hostile.contains("\u{202e}") && !hostile.contains('\x1b')
    );
    assert!(hostile.contains("&lt;/script&gt;&lt;/pre&gt;&lt;img src=x onerror=alert(1)&gt;"));
    assert!(hostile.contains("\\u003c/script\\u003e"), "the data of the tree is escaped, too");
    // A program that says nothing special gives a page with the very same tags.
    let source = scratch.join("harmless.c");
    let page = run(&scratch.join("other"), "harmless", &[(source, "int x; // harmless\nint y;\n")]);
    let harmless = fs::read_to_string(&page).unwrap();
    assert_eq!(tags(&hostile), tags(&harmless));
    assert!(tags(&harmless).len() > 100);
}

#[test]
fn the_page_needs_nothing_else() {
    let scratch = Scratch::new();
    let page = run(&scratch.join("run"), "harmless", &[]);
    let page = fs::read_to_string(page).unwrap();
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        let without_names = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!without_names.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'") && page.contains("script-src 'sha256-"));
    for section in ["bugs", "timeline", "sources", "paths", "ledger", "tests", "solver"] {
        assert!(page.contains(&format!("<section id=\"{section}\">")), "{section}");
    }
}

#[test]
fn times_are_in_the_page_on_request_only() {
    let scratch = Scratch::new();
    let [first, second] = ["first", "second"].map(|name| {
        let page = run(&scratch.join(name), "harmless", &[]);
        fs::read_to_string(page).unwrap()
    });
    assert_eq!(first, second);
    assert!(!first.contains("123.0") && !first.contains("Over time"));
    let page = scratch.join("page.html");
    write_page(&scratch.join("first"), &page).unwrap();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("123.00 s") && page.contains("Over time"));
}

#[test]
fn sources_are_annotated_and_what_is_not_there_is_said() {
    let scratch = Scratch::new();
    let source = scratch.join("prog.c");
    let text = "int main(void) {\n  return 1 < 2;\n}\n";
    let page = run(&scratch.join("run"), "gone.c", &[(source.clone(), text)]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<li class=\"y\">int main(void) {</li>"));
    assert!(page.contains("<li class=\"bug\" id=\"s0-2\">  return 1 &lt; 2; <em>gone.c</em></li>"));
    assert!(page.contains("<li>}</li>"));
    assert!(page.contains("gone.c: No such file"));
    assert!(page.contains("Lines not executed: 1."));
    // A source that has changed is not shown with the wrong lines marked.
    fs::write(source, "int main(void);\n").unwrap();
    let page = scratch.join("page.html");
    write_page(&scratch.join("run"), &page).unwrap();
    assert!(fs::read_to_string(page).unwrap().contains("has changed since"));
}

#[test]
fn large_sources_are_left_out() {
    let scratch = Scratch::new();
    let line = format!("{};\n", "x".repeat(99));
    let text = line.repeat(15_000);
    let sources: Vec<_> = (0..6).map(|n| (scratch.join(&format!("s{n}.c")), &*text)).collect();
    let page = run(&scratch.join("run"), "harmless", &sources);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.len() < 5 << 20, "{} bytes", page.len());
    assert!(page.contains("4 files were left out to keep the page small"));
}

#[test]
fn a_killed_run_has_a_page() {
    let scratch = Scratch::new();
    let dir = scratch.join("run");
    let mut run = RunDir::create(&Place::Exactly(dir.clone())).unwrap();
    run.test(&TestCase { new_coverage: true, ..everything() }).unwrap();
    std::mem::forget(run);
    fs::write(dir.join("stats.jsonl"), "{\"half\": ").unwrap();
    write_page(&dir, &dir.join("report.html")).unwrap();
    let page = fs::read_to_string(dir.join("report.html")).unwrap();
    assert!(page.contains("did not end in order") && page.contains("1 test case in"));
    assert!(write_page(&scratch.join("nowhere"), &dir.join("other.html")).is_err());
}
