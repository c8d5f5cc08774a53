//! `fathom tests` on a run made for it: what it prints, what it writes, what it refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fathom_report::{
    Finding, InputKind, InputValue, KTest, Outcome, Place, RunDir, Site, Summary, TestCase,
    load_test,
};

/// A working directory with one finished run in it, removed at the end.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let path = std::env::temp_dir().join(format!("fathom tests {} {name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let mut run = RunDir::create(&Place::Next(path.join("fathom-out"))).unwrap();
        for n in 0..20 {
            run.test(&test(n)).unwrap();
        }
        let finding = Finding { site: site(), test: 8, ..Finding::default() };
        run.bug(&finding, &test(7)).unwrap();
        run.finish(Summary::default(), &[], None).unwrap();
        Dir(path)
    }

    fn tests(&self, args: &[&str]) -> Output {
        let fathom = env!("CARGO_BIN_EXE_fathom");
        Command::new(fathom).arg("tests").args(args).current_dir(&self.0).output().unwrap()
    }

    /// What a command that succeeds prints.
    fn prints(&self, args: &[&str]) -> String {
        let output = self.tests(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// A command that must fail with one line that has `words` in it.
    fn refuses(&self, args: &[&str], words: &str) {
        let output = self.tests(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.starts_with("fathom: ") && stderr.contains(words), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn site() -> Site {
    Site { kind: "double-free".into(), file: "a.c".into(), line: 9, function: "main".into() }
}

fn test(n: u8) -> TestCase {
    let input = |name: &str, kind, bytes: &[u8]| InputValue {
        name: name.into(),
        kind,
        bytes: bytes.into(),
    };
    let mut test = TestCase {
        argv: vec![b"./prog".into(), b"".into()],
        inputs: vec![
            input("arg00", InputKind::Arg { index: 1 }, &[b'a', b' ', b'a' + n]),
            input("stdin", InputKind::Stdin, &[n, 0xff, b'x']),
            input("int", InputKind::Nondet { c_type: "int".into() }, &[n, 0xff, 0xff, 0xff]),
        ],
        outcome: if n == 7 { Outcome::Bug(site()) } else { Outcome::Exit { status: n.into() } },
        new_coverage: n < 2,
        ..TestCase::default()
    };
    test.settle();
    test
}

#[test]
fn list_has_a_line_per_test() {
    let dir = Dir::new("list");
    let text = dir.prints(&["list"]);
    assert_eq!(text.lines().count(), 20);
    assert!(
        text.starts_with("     1 + exit 0                       ./prog 'a a'  [stdin:3 int:4]\n"),
        "{text}"
    );
    let bugs = dir.prints(&["list", "last", "--bugs"]);
    assert!(bugs.starts_with("     8   double-free at a.c:9"), "{bugs}");
    assert_eq!(bugs.lines().count(), 1);
    let json = dir.prints(&["list", "fathom-out/1", "--json"]);
    let row: serde_json::Value = serde_json::from_str(json.lines().nth(7).unwrap()).unwrap();
    assert_eq!((&row["test"], &row["outcome"]), (&8.into(), &"bug".into()));
    assert_eq!((&row["line"], &row["inputs"][0]["index"]), (&9.into(), &1.into()));
    assert_eq!(dir.prints(&["list", "fathom-out/1/bugs"]).lines().count(), 1);
}

#[test]
fn show_has_every_byte_and_the_way_to_replay() {
    let dir = Dir::new("show");
    let text = dir.prints(&["show", "last", "3"]);
    assert!(text.contains("replay        fathom replay ./prog 'fathom-out/last#3'\n"), "{text}");
    assert!(text.contains("arg00: argument 1, 3 bytes\n  \"a c\"\n"), "{text}");
    assert!(text.contains("stdin: standard input, 3 bytes\n  00000000  02 ff 78 "), "{text}");
    assert!(text.contains("|..x|\n"), "{text}");
    assert!(text.contains("int: result of type int, 4 bytes = -254\n"), "{text}");
    let bug = dir.prints(&["show", "fathom-out/1/bugs/double-free-a.c-9-1"]);
    assert!(bug.contains("outcome       double-free at a.c:9\n"), "{bug}");
}

#[test]
fn exports_are_read_back() {
    let dir = Dir::new("export");
    assert_eq!(dir.prints(&["export", "last", "--to", "plain"]), "20 tests in plain\n");
    assert_eq!(load_test(&dir.0.join("plain/000008")).unwrap(), test(7));
    assert_eq!(dir.prints(&["export", "last", "--to", "k", "--ktest", "8", "2"]), "2 tests in k\n");
    let ktest = KTest::read(&dir.0.join("k/test000002.ktest")).unwrap();
    assert_eq!(ktest.objects[0].bytes, b"a b\0");
    assert_eq!(dir.prints(&["list", "k"]).lines().count(), 2);
    fs::write(dir.0.join("a.c"), "int main(void) { return 0; }").unwrap();
    let suite = ["export", "last", "--testcomp", "--program", "a.c", "--to"];
    dir.prints(&[&suite[..], &["suite.zip"]].concat());
    assert!(fs::read(dir.0.join("suite.zip")).unwrap().starts_with(b"PK"));
    dir.prints(&[&suite[..], &["suite", "--bugs"]].concat());
    let xml = fs::read_to_string(dir.0.join("suite/testcase-8.xml")).unwrap();
    assert!(xml.contains("<input type=\"int\">-249</input>"), "{xml}");
    assert_eq!(fs::read_dir(dir.0.join("suite")).unwrap().count(), 2);
}

#[test]
fn what_cannot_be_done_is_said_in_a_line() {
    let dir = Dir::new("refuse");
    fs::write(dir.0.join("text"), "hello").unwrap();
    fs::create_dir(dir.0.join("empty")).unwrap();
    dir.refuses(&["list", "nowhere"], "nowhere");
    dir.refuses(&["list", "text"], "text: not a pack");
    dir.refuses(&["list", "empty"], "empty: there are no tests in it");
    dir.refuses(&["show", "last", "21"], "there is no test 21; it has tests 1 to 20");
    dir.refuses(&["show", "last", "0"], "there is no test 0");
    dir.refuses(&["show", "fathom-out/1"], "fathom-out/1#NUMBER");
    dir.refuses(&["show", "empty"], "no test case");
    dir.refuses(&["export", "last", "--to", "fathom-out"], "exists already");
    dir.refuses(&["export", "last", "--to", "out", "21"], "tests 1 to 20 only");
    dir.refuses(&["export", "last", "--to", "text/out"], "cannot write text/out");
    let program = ["export", "last", "--to", "s", "--testcomp", "--program", "no.c"];
    dir.refuses(&program, "cannot read no.c");
    fs::remove_dir_all(dir.0.join("fathom-out")).unwrap();
    dir.refuses(&["list"], "there is no last run in this directory");
    // Usage errors are clap's, with several lines.
    for args in [&["export", "last"][..], &["show", "last", "x"], &["lists"]] {
        assert_eq!(dir.tests(args).status.code(), Some(2), "{args:?}");
    }
    for command in ["list", "show", "export"] {
        assert!(dir.prints(&[command, "--help"]).contains("Examples:"));
    }
}

#[test]
fn a_killed_run_is_listed_up_to_its_last_whole_test() {
    let dir = Dir::new("torn");
    let pack = dir.0.join("fathom-out/1/tests.pack");
    cut(&pack, 1);
    let output = dir.tests(&["list"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 19);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("half a test"), "{stderr}");
}

fn cut(path: &Path, bytes: usize) {
    let contents = fs::read(path).unwrap();
    fs::write(path, &contents[..contents.len() - bytes]).unwrap();
}
