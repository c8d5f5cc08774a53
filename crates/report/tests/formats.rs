//! Each format as others read it: KLEE's tools, Test-Comp's, genhtml, code hosts.

mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use fathom_report::{
    Coverage, Finding, Frame, FunctionHits, InputKind, KObject, KTest, Outcome, SourceFile, Suite,
    TestCase, from_ktest, read_plain, sarif, testcase_xml, to_ktest, write_plain,
};
use support::{Scratch, everything, input, outcomes, site, small};

/// What a `.ktest` file does not keep.
fn without_outcome(mut test: TestCase) -> TestCase {
    test.outcome = Outcome::Unknown;
    test.new_coverage = false;
    (test.instructions, test.path, test.stdout) = (0, 0, None);
    test
}

#[test]
fn plain_directories_come_back() {
    let scratch = Scratch::new();
    let mut tests = vec![TestCase::default(), everything(), small(0), small(5)];
    tests.extend(outcomes().into_iter().map(|outcome| TestCase { outcome, ..small(1) }));
    let mut awkward = small(2);
    awkward.inputs[0].bytes = b"cut\0here".into();
    for path in ["/etc/passwd", "../../up", "A", "A/B", "", "A"] {
        awkward.inputs.push(input(path, InputKind::File { path: path.into() }, path.as_bytes()));
    }
    awkward.settle();
    tests.push(awkward);
    for (n, test) in tests.iter().enumerate() {
        let dir = scratch.join(&n.to_string());
        fs::create_dir(&dir).unwrap();
        write_plain(&dir, n as u64, test).unwrap();
        assert_eq!(&read_plain(&dir).unwrap(), test);
    }
    let dir = scratch.join("1");
    assert_eq!(fs::read(dir.join("argv")).unwrap(), b"./prog\0-x\0a\xff'b\0A\0");
    assert_eq!(fs::read(dir.join("env")).unwrap(), b"LANG=C\0HOME=/h\0");
    assert_eq!(fs::read(dir.join("stdin")).unwrap(), b"in\nput\0");
    assert_eq!(fs::read(dir.join("files/A")).unwrap(), b"file\0contents");
    let cmdline = fs::read_to_string(dir.join("cmdline")).unwrap();
    assert_eq!(cmdline, "LANG=C HOME=/h ./prog -x $'a\\377\\'b' A\n");
    assert!(!scratch.join("up").exists(), "nothing leaves the test's directory");
}

#[test]
fn a_directory_made_by_hand_is_a_test() {
    let scratch = Scratch::new();
    fs::write(scratch.join("stdin"), "hello").unwrap();
    fs::create_dir_all(scratch.join("files/d")).unwrap();
    fs::write(scratch.join("files/d/f"), "there").unwrap();
    let test = read_plain(scratch.path()).unwrap();
    assert_eq!(test.stdin(), Some(&b"hello"[..]));
    assert_eq!(test.files().collect::<Vec<_>>(), [("d/f", &b"there"[..])]);
}

#[test]
fn a_ktest_is_what_klee_writes() {
    let ktest = KTest {
        args: vec![b"p.bc".into(), b"--sym-arg".into(), b"1".into()],
        objects: vec![KObject { name: b"arg00".into(), bytes: b"a\0".into() }],
        ..KTest::default()
    };
    let bytes = b"KTEST\0\0\0\x03\0\0\0\x03\0\0\0\x04p.bc\0\0\0\x09--sym-arg\0\0\0\x011\
        \0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x05arg00\0\0\0\x02a\0";
    assert_eq!(ktest.to_bytes(), bytes);
    assert_eq!(KTest::from_bytes(bytes).unwrap(), ktest);
    for len in 0..bytes.len() {
        assert!(KTest::from_bytes(&bytes[..len]).is_err(), "cut to {len} bytes");
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.to_vec();
        changed[at] = 0xff;
        // Whatever it becomes, it is an error or a test, soon.
        let _ = KTest::from_bytes(&changed).map(|ktest| from_ktest(&ktest));
    }
    let newer = [b"KTEST\0\0\0\x04", &bytes[9..]].concat();
    assert!(KTest::from_bytes(&newer).unwrap_err().contains("version 4"));
}

#[test]
fn tests_come_back_from_ktest_files() {
    for test in [everything(), small(0), small(3)] {
        let bytes = to_ktest(&test).to_bytes();
        let back = from_ktest(&KTest::from_bytes(&bytes).unwrap());
        assert_eq!(back, without_outcome(test));
    }
}

#[test]
fn words_that_klee_would_misread_become_objects() {
    let argv: Vec<Vec<u8>> = [&b"p"[..], b"", b"--sym-arg", b"-sym-files", b"\xe4", b"-x"]
        .into_iter()
        .map(Vec::from)
        .collect();
    let ktest = to_ktest(&TestCase { argv: argv.clone(), ..TestCase::default() });
    let args: Vec<_> = ktest.args.iter().map(|arg| String::from_utf8_lossy(arg)).collect();
    assert_eq!(
        args.join(" "),
        "p --sym-arg 0 --sym-arg 9 --sym-arg 10 --sym-arg 1 -x",
        "as many bytes as the words have"
    );
    assert_eq!(from_ktest(&ktest).argv, argv);
}

#[test]
fn what_klee_makes_is_understood() {
    let object = |name: &str, bytes: &[u8]| KObject { name: name.into(), bytes: bytes.into() };
    let words = "p --sym-args 0 2 3 -f --sym-arg 2 A --sym-files 1 4 --sym-stdin 2";
    let mut stat = vec![0; 144];
    stat[24] = 1;
    let ktest = KTest {
        args: words.split(' ').map(|word| word.as_bytes().to_vec()).collect(),
        objects: vec![
            object("n_args", &[1, 0, 0, 0]),
            object("arg00", b"a\0\0\0"),
            object("arg01", b"bc\0"),
            object("A-data", b"data"),
            object("A-data-stat", &stat),
            object("stdin", b"xy"),
            object("stdin-stat", &stat),
            object("model_version", &[1, 0, 0, 0]),
            object("stdin", b"the program's own name"),
        ],
        ..KTest::default()
    };
    let test = from_ktest(&ktest);
    let argv: Vec<_> = test.argv.iter().map(|arg| String::from_utf8_lossy(arg)).collect();
    assert_eq!(argv.join(" "), "p a -f bc A");
    assert_eq!(test.inputs[0], input("arg00", InputKind::Arg { index: 1 }, b"a\0\0"));
    assert_eq!(test.stdin(), Some(&b"xy"[..]));
    assert_eq!(test.files().collect::<Vec<_>>(), [("A", &b"data"[..])]);
    let meta = InputKind::FileMeta { path: "A".into() };
    assert_eq!(test.inputs[3], input("A-data-stat", meta, &stat));
    let mut moved = ktest.clone();
    moved.objects.rotate_right(2);
    let own = moved.objects.remove(1);
    moved.objects.push(own);
    assert_eq!(from_ktest(&moved), test, "the version may come first");
    let words = "p --sym-args 0 4294967295 1";
    let args = words.split(' ').map(|word| word.as_bytes().to_vec()).collect();
    let n_args = object("n_args", &[0xff; 4]);
    let endless =
        KTest { args, objects: vec![n_args, object("arg00", b"a\0")], ..KTest::default() };
    assert_eq!(from_ktest(&endless).argv, [b"p", b"a"], "as many as there are");
}

/// Reads a `.ktest` as KLEE's ktest-tool does: struct by struct, and nothing may be left.
const KTEST_TOOL: &str = r#"
import struct, sys
data = open(sys.argv[1], 'rb').read()
at = 0
def take(n):
    global at
    piece = data[at:at + n]
    assert len(piece) == n, 'cut short'
    at += n
    return piece
def number():
    return struct.unpack('>i', take(4))[0]
assert take(5) == b'KTEST'
assert number() == 3
args = [take(number()).decode('ascii') for _ in range(number())]
print('args', args)
number(), number()
for _ in range(number()):
    name = take(number()).decode('utf-8')
    value = take(number())
    assert value, 'fread of 0 bytes fails in KLEE'
    print(name, value)
assert at == len(data)
"#;

#[test]
fn a_second_reader_agrees_on_ktest_files() {
    let scratch = Scratch::new();
    let path = scratch.join("test000001.ktest");
    to_ktest(&everything()).write(&path).unwrap();
    let Some(text) = python(KTEST_TOOL, &path) else { return };
    let lines: Vec<&str> = text.lines().collect();
    let args =
        "['./prog', '-x', '--sym-arg', '4', 'A', '--sym-files', '1', '13', '--sym-stdin', '7']";
    assert_eq!(lines[0], format!("args {args}"));
    assert_eq!(lines[1], r#"arg00 b"a\xff'b\x00""#);
    assert_eq!(lines[2], r"A_data b'file\x00contents'");
    assert!(lines[3].starts_with("A_data_stat "), "{}", lines[3]);
    assert_eq!(lines[4], r"stdin b'in\nput\x00'");
    assert!(lines[5].starts_with("stdin_stat "), "{}", lines[5]);
    assert_eq!(lines[6], r"x b'\x01\x02\x03\x04'");
    assert_eq!(lines[8..], [r"setenv:LANG b'C\x00'", r"env:HOME b'/h\x00'"]);
}

/// What a Python script prints about a file; `None` without Python.
fn python(script: &str, path: &Path) -> Option<String> {
    let mut child = Command::new("python3")
        .arg("-")
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}

fn nondet(c_type: &str, bytes: &[u8]) -> fathom_report::InputValue {
    input(c_type, InputKind::Nondet { c_type: c_type.into() }, bytes)
}

#[test]
fn test_comp_values_are_decimal_and_in_order() {
    let test = TestCase {
        inputs: vec![
            nondet("int", &(-5i32).to_le_bytes()),
            nondet("unsigned int", &u32::MAX.to_le_bytes()),
            nondet("char", &[0xff]),
            nondet("unsigned char", &[0xff]),
            input("x", InputKind::Object, &[9; 4]),
            nondet("_Bool", &[1]),
            nondet("long long", &i64::MIN.to_le_bytes()),
            nondet("size_t", &u64::MAX.to_le_bytes()),
            nondet("float", &0.1f32.to_le_bytes()),
            nondet("double", &1e300f64.to_le_bytes()),
            nondet("double", &f64::NAN.to_le_bytes()),
            nondet("double", &f64::NEG_INFINITY.to_le_bytes()),
            nondet("void *", &u64::MAX.to_le_bytes()),
        ],
        outcome: Outcome::Bug(site()),
        ..TestCase::default()
    };
    let xml = testcase_xml(&test);
    let values: Vec<&str> = xml
        .lines()
        .filter_map(|line| line.trim().strip_prefix("<input")?.strip_suffix("</input>"))
        .map(|line| line.split_once('>').unwrap().1)
        .collect();
    let expected = [
        "-5",
        "4294967295",
        "-1",
        "255",
        "1",
        "-9223372036854775808",
        "18446744073709551615",
        "0.1",
        "1e300",
        "nan",
        "-inf",
        "18446744073709551615",
    ];
    assert_eq!(values, expected);
    assert!(xml.contains("<testcase coversError=\"true\">"), "{xml}");
}

const UNZIP: &str = r#"
import sys, zipfile
import xml.dom.minidom
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
for name in archive.namelist():
    dom = xml.dom.minidom.parseString(archive.read(name))
    print(name, dom.documentElement.tagName, dom.doctype.systemId)
print(archive.read('metadata.xml').decode())
"#;

#[test]
fn suites_are_valid_archives_of_xml() {
    let scratch = Scratch::new();
    let suite = Suite {
        program_file: "a&b.c".into(),
        program: b"int main(void) { return 0; }\n".into(),
        specification: "COVER EDGES(@DECISIONEDGE)".into(),
    };
    let tests = || {
        (1..=3).map(|n| {
            Ok((n, TestCase { inputs: vec![nondet("int", &[1; 4])], ..TestCase::default() }))
        })
    };
    let (first, second) = (scratch.join("suite.zip"), scratch.join("again.zip"));
    assert_eq!(suite.write(&first, tests()).unwrap(), 3);
    suite.write(&second, tests()).unwrap();
    assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap(), "the same every time");
    suite.write(&scratch.join("dir"), tests()).unwrap();
    assert!(scratch.join("dir/testcase-3.xml").exists());
    let Some(text) = python(UNZIP, &first) else { return };
    assert!(text.starts_with(
        "metadata.xml test-metadata https://sosy-lab.org/test-format/test-metadata-1.1.dtd\n\
         testcase-1.xml testcase https://sosy-lab.org/test-format/testcase-1.1.dtd\n"
    ));
    assert!(text.contains("<programfile>a&amp;b.c</programfile>"), "{text}");
    let hash = "2ad75d95660563887d8d3f1d0ae1dcf18c2379cbd83a5c72f5ab276351ee6949";
    assert!(text.contains(&format!("<programhash>{hash}</programhash>")), "{text}");
}

#[test]
fn lcov_is_sorted_and_counted() {
    let file = SourceFile {
        path: "b.c".into(),
        lines: vec![(7, 0), (3, 2)],
        functions: vec![FunctionHits { line: 3, name: "main".into(), hits: 2 }],
    };
    let coverage =
        Coverage { files: vec![file, SourceFile { path: "a.c".into(), ..SourceFile::default() }] };
    let expected = "TN:\nSF:a.c\nFNF:0\nFNH:0\nLF:0\nLH:0\nend_of_record\n\
        TN:\nSF:b.c\nFN:3,main\nFNDA:2,main\nFNF:1\nFNH:1\n\
        DA:3,2\nDA:7,0\nLF:2\nLH:1\nend_of_record\n";
    assert_eq!(coverage.to_lcov(), expected);
}

#[test]
fn sarif_has_what_readers_require() {
    let finding = Finding {
        site: site(),
        message: "read of 1 byte past the end".into(),
        stack: vec![Frame { function: "parse".into(), file: "src/a b.c".into(), line: 0 }],
        test: 3,
        ..Finding::default()
    };
    let log: serde_json::Value = serde_json::from_str(&sarif(&[finding.clone(), finding])).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 1);
    let result = &run["results"][1];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/parse.c");
    assert_eq!(place["region"]["startLine"], 42);
    let frame = &result["stacks"][0]["frames"][0]["location"]["physicalLocation"];
    assert_eq!(frame["artifactLocation"]["uri"], "src/a%20b.c");
    assert!(frame.get("region").is_none(), "lines count from 1");
}
