//! Tests of reading seeds: every form, and what is said where one does not fit.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use fathom_engine::{Entry, Input, InputKind as EngineKind, Text};
use fathom_expr::Pool;
use fathom_report::{InputKind, InputValue, KObject, KTest, PackWriter, TestCase, write_plain};

use super::{Seeds, read};
use crate::run::inputs::{Flags, Spec};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    flags: Flags,
    #[arg(num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// The inputs that `fathom run LINE` would have.
fn spec(line: &str) -> Spec {
    let line = Line::parse_from(["run"].into_iter().chain(line.split_whitespace()));
    Spec::new(&line.flags, &line.command[0], &line.command[1..]).unwrap()
}

/// A directory of its own, removed at the end.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let path = std::env::temp_dir().join(format!("fathom-seeds-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Dir(path)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn seeds(line: &str, paths: &[&Path]) -> Seeds {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    read(&paths, &spec(line)).unwrap()
}

fn error(line: &str, path: impl AsRef<Path>) -> String {
    format!("{:#}", read(&[path.as_ref().to_owned()], &spec(line)).unwrap_err())
}

/// `name=value` of every value of every seed, with the seed's arguments before them.
fn shown(seeds: &Seeds) -> Vec<String> {
    let show = |seed: &super::Seed| {
        let args = seed.args.as_ref().map(|args| format!("{} args", args.len()));
        let value = |(name, value): (&String, &Vec<u8>)| format!("{name}={}", value.escape_ascii());
        args.into_iter().chain(seed.values.iter().map(value)).collect::<Vec<_>>().join(" ")
    };
    seeds.seeds.iter().map(show).collect()
}

#[test]
fn a_plain_file_is_standard_input_or_the_only_file() {
    let dir = Dir::new("plain");
    let (short, long) = (dir.file("short", "ab"), dir.file("long", "abcdefgh"));
    let found = seeds("--sym-stdin 4 prog", &[&short, &long]);
    assert_eq!(shown(&found), [r"stdin=ab\x00\x00", "stdin=abcd"]);
    assert_eq!(
        found.notes,
        ["stdin padded with zeros to 4 bytes: 1 seed", "stdin cut to 4 bytes: 1 seed"]
    );
    assert_eq!(shown(&seeds("prog A --sym-files 1 2", &[&short])), ["A=ab"]);
    let both = seeds("--sym-stdin 2 prog A --sym-files 1 2", &[&short]);
    assert_eq!(shown(&both), ["stdin=ab"]);
    assert_eq!(both.notes, ["plain files taken as stdin (NAME=PATH for another input): 1 seed"]);
    assert!(error("prog --sym-files 2 2", &short).contains("say which one is meant: --seed A="));
    assert!(error("prog --sym-arg 2", &short).contains("add --sym-stdin N"));
}

#[test]
fn a_file_can_be_named() {
    let dir = Dir::new("named");
    let path = dir.file("x", "ab");
    let line = "--sym-stdin 2 --sym-env HOME 3 prog --sym-files 2 2 --sym-file conf 2";
    for name in ["A", "B", "conf", "stdin", "env-HOME"] {
        let named = PathBuf::from(format!("{name}={}", path.display()));
        assert_eq!(shown(&seeds(line, &[&named])), [format!("{name}=ab")]);
    }
    let message = error(line, format!("C={}", path.display()));
    assert!(message.contains("called C (there are: stdin, A, B, conf, env-HOME)"), "{message}");
    let all = PathBuf::from(format!("B={}", dir.0.display()));
    assert_eq!(shown(&seeds(line, &[&all])), ["B=ab"]);
    let equals = dir.file("a=b", "xy");
    assert_eq!(shown(&seeds(line, &[&equals])), ["stdin=xy"]);
    assert!(error(line, "A=/nothing").contains("No such file"));
}

#[test]
fn promises_about_the_input_are_kept() {
    let dir = Dir::new("promises");
    let (short, long) = (dir.file("a", "ab"), dir.file("b", "abcdef"));
    let found = seeds("--printable --sym-stdin 4 prog", &[&short]);
    assert_eq!(shown(&found), [r"stdin=ab\n\n"]);
    let found = seeds("--nul-terminated --sym-stdin 4 prog", &[&long, &short]);
    assert_eq!(shown(&found), [r"stdin=abc\x00", r"stdin=ab\x00\x00"]);
    let found = seeds("--nul-terminated --printable --sym-stdin 4 prog", &[&short]);
    assert_eq!(shown(&found), [r"stdin=ab\n\x00"]);
    let binary = dir.file("c", "a\x01");
    let message = error("--printable --sym-stdin 4 prog", &binary);
    assert!(message.contains("stdin holds bytes that --printable excludes"), "{message}");
}

#[test]
fn arguments_are_matched_with_the_command_line() {
    let line = "cut -d --sym-arg 1 -f --sym-args 0 2 3";
    let found = seeds(line, &[Path::new("argv:-d : -f 1"), Path::new("argv:-d '' -f a \"b c\"")]);
    assert_eq!(shown(&found), ["2 args arg02=: arg04=1", "3 args arg02= arg04=a arg05=b c"]);
    assert_eq!(shown(&seeds(line, &[Path::new("argv:-d : -f")])), ["1 args arg02=:"]);
    for (words, what) in [
        ("-x : -f", "argument 1 is -x, where the run has -d"),
        ("-d : -x", "argument 3 is -x, where the run has -f"),
        ("-d :", "it has 2 arguments; the run has -f after them"),
        ("-d", "it has 1 arguments; the run has a symbolic argument of at most 1 bytes after them"),
        ("-d : -f 1 2 3", "it has 6 arguments, of which the run takes 5"),
        ("-d 'x", "the quote ' in line 1 is not closed"),
        (r"-d : -f $'a\0'", "argument 4 holds a NUL byte"),
    ] {
        let message = error(line, format!("argv:{words}"));
        assert!(message.contains(what), "{words}: {message}");
    }
    let found = seeds(line, &[Path::new("argv:-d :: -f 1 long"), Path::new("argv:-d :: -f")]);
    assert_eq!(shown(&found), ["3 args arg02=: arg04=1 arg05=lon", "1 args arg02=:"]);
    assert_eq!(
        found.notes,
        ["argument 2 cut to 1 bytes: 2 seeds", "argument 5 cut to 3 bytes: 1 seed"]
    );
    let found = seeds(line, &[Path::new("argv:-d : -f"), Path::new("argv:-x")]);
    assert_eq!(
        found.notes,
        ["seed argv:-x skipped: argument 1 is -x, where the run has -d"],
        "those that fit are used"
    );
    assert!(error("--sym-stdin 4 cut -f", "argv:-f").contains("no argument of the program"));
}

#[test]
fn symbolic_arguments_around_a_fixed_one() {
    let line = "prog --sym-args 0 2 2 x --sym-args 0 1 2";
    let args = |words: &str| shown(&seeds(line, &[Path::new(&format!("argv:{words}"))])).remove(0);
    assert_eq!(args("x"), "0 args");
    assert_eq!(args("a x b"), "2 args arg01=a arg03=b");
    assert_eq!(args("x x"), "1 args arg02=x");
    assert_eq!(args("x x x"), "2 args arg01=x arg03=x");
    assert_eq!(args("a b x"), "2 args arg01=a arg02=b");
    assert_eq!(args("long x"), "1 args arg01=lo");
    assert_eq!(args("x long"), "1 args arg02=lo");
}

#[test]
fn the_start_state_is_that_of_the_same_lengths() {
    let mut pool = Pool::default();
    let mut text = |name: &str, size: u32| {
        let id = pool.input(name, size);
        let input = Input { id, name: name.into(), size, kind: EngineKind::Object };
        Text::Symbolic { prefix: Vec::new(), input, may_end_early: false }
    };
    let program = Text::from(b"prog".to_vec());
    let mut entry = |args: &[u32], home: u32| Entry::Program {
        argv: [program.clone()]
            .into_iter()
            .chain((1..).zip(args).map(|(at, &size)| text(&format!("arg{at:02}"), size)))
            .collect(),
        env: vec![text("env-HOME", home)],
    };
    let line = "--sym-env HOME 3 --sym-stdin 1 prog --sym-args 0 2 3";
    let dir = Dir::new("lengths");
    let home = PathBuf::from(format!("env-HOME={}", dir.file("home", "/x").display()));
    let paths = [Path::new("argv:a bcd"), Path::new("argv:"), &dir.file("x", "1"), &home];
    let [two, none, any, home] = &seeds(line, &paths).seeds[..] else { panic!("four seeds") };
    let fitting = |entry: Entry| [two, none, any, home].map(|seed| seed.fits(&entry));
    assert_eq!(fitting(entry(&[1, 3], 3)), [true, false, true, false]);
    assert_eq!(fitting(entry(&[1, 2], 2)), [false, false, true, true]);
    assert_eq!(fitting(entry(&[1], 2)), [false, false, true, true]);
    assert_eq!(fitting(entry(&[], 0)), [false, true, true, false]);
}

#[test]
fn a_file_of_arguments() {
    let dir = Dir::new("lines");
    let path = dir.file("list.argv", "-a\n\n-b\n'- c'\n");
    let expected = ["1 args arg01=-a", "1 args arg01=-b", "1 args arg01=- c"];
    assert_eq!(shown(&seeds("prog --sym-arg 4", &[&path])), expected);
    let at = PathBuf::from(format!("argv:@{}", dir.file("list", "-a\n-b\n'- c'").display()));
    assert_eq!(shown(&seeds("prog --sym-arg 4", &[&at])), expected);
    assert!(
        error("prog --sym-arg 4", dir.file("no.argv", "\n")).contains("there are no arguments")
    );
}

/// A test of `cut -d : -f 1 A`, argument 2 and file A symbolic.
fn test_case() -> TestCase {
    let input = |name: &str, kind, bytes: &[u8]| InputValue {
        name: name.into(),
        kind,
        bytes: bytes.into(),
    };
    TestCase {
        argv: [&b"cut"[..], b"-d", b"", b"A"].map(<[u8]>::to_vec).to_vec(),
        inputs: vec![
            input("arg02", InputKind::Arg { index: 2 }, b":"),
            input("A", InputKind::File { path: "A".into() }, b"a:b"),
            input("x_1", InputKind::Object, &[1, 2, 3, 4]),
        ],
        ..TestCase::default()
    }
}

#[test]
fn tests_of_ours_and_their_directories() {
    let dir = Dir::new("tests");
    for number in 1..=2 {
        let mut test = test_case();
        test.inputs[0].bytes = vec![b'0' + number as u8];
        let path = dir.0.join(format!("run/tests/{number:06}"));
        fs::create_dir_all(&path).unwrap();
        write_plain(&path, number, &test).unwrap();
    }
    let line = "./cut -d --sym-arg 1 A --sym-file A 3";
    let [one, two] = [1, 2].map(|n| format!("1 args A=a:b arg02={n} x_1=\\x01\\x02\\x03\\x04"));
    assert_eq!(shown(&seeds(line, &[&dir.0.join("run/tests/000001")])), [one.as_str()]);
    assert_eq!(shown(&seeds(line, &[&dir.0.join("run/tests")])), [one.as_str(), &two]);

    let mut pack = PackWriter::create(&dir.0.join("run/tests.pack")).unwrap();
    pack.append(&test_case()).unwrap();
    pack.append(&test_case()).unwrap();
    pack.flush().unwrap();
    let found = seeds(line, &[&dir.0.join("run")]);
    assert_eq!(shown(&found), [one.replace("arg02=1", "arg02=:")]);
    assert_eq!(found.notes, ["the same as one before, dropped: 1 seed"]);
    let numbered = PathBuf::from(format!("{}#2", dir.0.join("run").display()));
    assert_eq!(shown(&seeds(line, &[&numbered])).len(), 1);
    assert_eq!(shown(&seeds(line, &[&dir.0.join("run/tests.pack")])).len(), 1);
    let missing = error(line, format!("{}#3", dir.0.join("run").display()));
    assert!(missing.contains('3'), "{missing}");
}

#[test]
fn a_pack_that_was_cut_short() {
    let dir = Dir::new("cut-short");
    let path = dir.0.join("run/tests.pack");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut pack = PackWriter::create(&path).unwrap();
    pack.append(&test_case()).unwrap();
    pack.append(&test_case()).unwrap();
    pack.flush().unwrap();
    let whole = fs::read(&path).unwrap();
    let line = "cut -d --sym-arg 1 A --sym-file A 4";
    let run = dir.0.join("run");
    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    let found = seeds(line, &[&run]);
    assert_eq!(found.seeds.len(), 1);
    let notes = found.notes.join("\n");
    let behind = format!("seed behind test 1 of {} skipped: the last", run.display());
    assert!(notes.contains(&behind) && notes.contains("are half a test"), "{notes}");
    fs::write(&path, &whole[..5]).unwrap();
    for named in [&path, &run] {
        let message = error(line, named);
        assert!(message.contains("no test in it, the last 5 bytes"), "{message}");
    }
    dir.file("1", "ab");
    let notes = seeds("--sym-stdin 2 prog", &[&dir.0]).notes.join("\n");
    assert!(notes.contains(&format!("seed {} skipped: no test in it", run.display())), "{notes}");
}

/// To open one is to wait for somebody who writes to it.
#[test]
fn a_named_pipe_is_refused() {
    let dir = Dir::new("pipe");
    let pipe = dir.0.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for form in ["", "argv:@", "stdin="] {
        let named = format!("{form}{}", pipe.display());
        let message = error("--sym-stdin 2 prog --sym-arg 2", &named);
        assert!(message.contains(&named) && message.contains("a named pipe"), "{message}");
    }
    dir.file("1", "ab");
    assert_eq!(shown(&seeds("--sym-stdin 2 prog", &[&dir.0])), ["stdin=ab"]);
}

#[test]
fn what_is_not_symbolic_here_is_left_out() {
    let dir = Dir::new("left-out");
    write_plain(&dir.0, 1, &test_case()).unwrap();
    let found = seeds("cut -d --sym-arg 1 A", &[&dir.0]);
    assert_eq!(found.notes, ["A, not symbolic in this run, left out: 1 seed"]);
    assert_eq!(shown(&found), [r"1 args arg02=: x_1=\x01\x02\x03\x04"]);
}

#[test]
fn ktests() {
    let dir = Dir::new("ktest");
    let object = |name: &str, bytes: &[u8]| KObject { name: name.into(), bytes: bytes.into() };
    let ktest = KTest {
        args: "p.bc -v --sym-arg 3 --sym-files 1 4 --sym-stdin 2"
            .split(' ')
            .map(|word| word.as_bytes().to_vec())
            .collect(),
        objects: vec![
            object("arg00", b"ab\0\0"),
            object("A_data", b"wxyz"),
            object("stdin", b"12"),
            object("own", b"!"),
        ],
        ..KTest::default()
    };
    let path = dir.0.join("test000001.ktest");
    ktest.write(&path).unwrap();
    let line = "./p -v --sym-arg 3 --sym-files 1 4 --sym-stdin 2";
    let expected = ["1 args A=wxyz arg02=ab own=! stdin=12"];
    assert_eq!(shown(&seeds(line, &[&path])), expected);
    for other in ["info", "messages.txt", "run.stats", "test000001.ptr.err"] {
        dir.file(other, "of KLEE");
    }
    assert_eq!(shown(&seeds(line, &[&dir.0])), expected, "a run of KLEE");
    let bytes = ktest.to_bytes();
    let cut = dir.file("cut.ktest", &bytes[..bytes.len() - 1]);
    let message = error(line, &cut);
    assert!(message.contains("cut.ktest") && message.contains("ends too early"), "{message}");
    assert!(error(line, dir.file("no.ktest", "x")).contains("not a .ktest file"));
}

#[test]
fn fuzzers() {
    let dir = Dir::new("afl");
    for (path, text) in [
        ("main/queue/id:000000,orig:a", "a"),
        ("main/queue/.state/deterministic_done/id:000000", "not this"),
        ("main/crashes/README.txt", "nor this"),
        ("main/crashes/id:000000,sig:11", "KTEST"),
        ("main/hangs/id:000000", "nor this"),
        ("main/fuzzer_stats", "nor this"),
        ("second/queue/id:000000,orig:a", "a"),
        ("second/queue/id:000001,sync:main", "b"),
    ] {
        dir.file(path, text);
    }
    let found = seeds("--sym-stdin 5 prog", &[&dir.0]);
    let expected = [r"stdin=a\x00\x00\x00\x00", "stdin=KTEST", r"stdin=b\x00\x00\x00\x00"];
    assert_eq!(shown(&found), expected);
    assert!(found.notes.contains(&"found by AFL++, taken as stdin: 4 seeds".to_owned()));
    let found = seeds("prog A --sym-files 1 5", &[&dir.0.join("main")]);
    assert_eq!(shown(&found), [r"A=a\x00\x00\x00\x00", "A=KTEST"]);
    let crashes = dir.0.join("main/crashes");
    assert_eq!(shown(&seeds("--sym-stdin 5 prog", &[&crashes])), ["stdin=KTEST"]);
    let named = PathBuf::from(format!("A={}", dir.0.display()));
    assert_eq!(seeds("--sym-stdin 5 prog A --sym-files 1 5", &[&named]).seeds.len(), 3);
}

#[test]
fn a_directory_of_anything() {
    let dir = Dir::new("mixed");
    dir.file("1", "ab");
    dir.file(".hidden", "no");
    dir.file("2.argv", "-a");
    dir.file("deeper/3", "cd");
    dir.file("test/stdin", "ef");
    std::os::unix::fs::symlink(&dir.0, dir.0.join("loop")).unwrap();
    let found = seeds("--sym-stdin 2 prog --sym-arg 2", &[&dir.0]);
    assert_eq!(shown(&found), ["stdin=ab", "1 args arg01=-a", "stdin=cd", "stdin=ef"]);
    let empty = Dir::new("empty");
    assert!(error("--sym-stdin 2 prog", &empty.0).contains("there are no seeds in this directory"));
}

#[test]
fn what_cannot_be_used_in_a_directory_is_skipped() {
    let dir = Dir::new("skipped");
    dir.file("1", "ab");
    dir.file("2.argv", "-a");
    dir.file("3.ktest", "hello");
    dir.file("run/tests.pack", "nonsense and more of it");
    dir.file("test/meta.json", "{");
    dir.file("zzz/4", "cd");
    let found = seeds("--sym-stdin 2 prog", &[&dir.0]);
    assert_eq!(shown(&found), ["stdin=ab", "stdin=cd"]);
    let notes = found.notes.join("\n");
    let at = |name: &str| format!("seed {} skipped: ", dir.0.join(name).display());
    assert!(notes.contains(&(at("2.argv") + "no argument of the program is symbolic")), "{notes}");
    assert!(notes.contains(&(at("3.ktest") + "not a .ktest file")), "{notes}");
    assert!(notes.contains(&at("run")) && notes.contains(&at("test")), "{notes}");
    assert_eq!(found.notes.len(), 4, "{notes}");
    for named in ["2.argv", "3.ktest", "run", "test"] {
        error("--sym-stdin 2 prog", dir.0.join(named));
    }
    let found = seeds("prog --sym-arg 2", &[&dir.0]);
    assert_eq!(shown(&found), ["1 args arg01=-a"], "plain files have no place");
}

#[test]
fn what_is_not_there() {
    let message = error("--sym-stdin 2 prog", "/nowhere/x");
    assert!(message.contains("/nowhere/x") && message.contains("a seed is a file"), "{message}");
}

#[test]
fn many_seeds_are_read_at_once() {
    let dir = Dir::new("many");
    for number in 0..10_000 {
        dir.file(&format!("queue/id:{number:06}"), format!("{}", number % 5000));
    }
    let started = std::time::Instant::now();
    let found = seeds("--sym-stdin 64 prog", &[&dir.0]);
    let elapsed = started.elapsed();
    assert_eq!(found.seeds.len(), 5000);
    assert!(found.notes.contains(&"the same as one before, dropped: 5000 seeds".to_owned()));
    assert!(elapsed.as_secs() < 10, "{elapsed:?}");
    eprintln!("10,000 files in {elapsed:?}");
}
