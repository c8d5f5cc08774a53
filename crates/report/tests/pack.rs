//! Packs come back as they were written, whatever happens to the writer.

mod support;

use std::fs;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fathom_report::{Error, InputKind, Pack, PackWriter, Result, TestCase};
use support::{Scratch, everything, input, outcomes, small};

fn write(path: &Path, tests: &[TestCase]) {
    let mut writer = PackWriter::create(path).unwrap();
    for (test, number) in std::iter::zip(tests, 1..) {
        assert_eq!(writer.append(test).unwrap(), number);
    }
    writer.flush().unwrap();
}

fn read(path: &Path) -> Vec<TestCase> {
    Pack::open(path).unwrap().iter().collect::<Result<_>>().unwrap()
}

/// Every kind of input and outcome, and sizes that differ between tests of one shape.
fn mixed() -> Vec<TestCase> {
    let kinds = [
        InputKind::Nondet { c_type: "unsigned int".into() },
        InputKind::FileMeta { path: "A".into() },
        InputKind::System { what: "getrandom".into() },
    ];
    let mut tests = vec![TestCase::default(), everything()];
    for (n, outcome) in outcomes().into_iter().enumerate() {
        let mut test = small(n as u32);
        test.outcome = outcome;
        test.new_coverage = n % 2 == 0;
        test.inputs.push(input("extra", kinds[n % 3].clone(), &vec![n as u8; n]));
        tests.push(test);
    }
    tests
}

#[test]
fn tests_come_back() {
    let scratch = Scratch::new();
    let path = scratch.join("tests.pack");
    write(&path, &mixed());
    assert_eq!(read(&path), mixed());
    let pack = Pack::open(&path).unwrap();
    assert_eq!((pack.len(), pack.torn()), (mixed().len() as u64, 0));
    assert_eq!(pack.get(2).unwrap(), everything());
    let text = pack.get(99).unwrap_err().to_string();
    assert!(text.contains("no test 99; it has tests 1 to 10"), "{text}");
    assert!(pack.get(0).is_err());
}

#[test]
fn placeholders_for_inputs_do_not_make_new_schemas() {
    let scratch = Scratch::new();
    let (settled, template) = (scratch.join("settled"), scratch.join("template"));
    let tests: Vec<_> = (0..1000).map(small).collect();
    write(&settled, &tests);
    let mut templates = tests.clone();
    templates.iter_mut().for_each(|test| test.argv[1].clear());
    write(&template, &templates);
    assert_eq!(fs::read(&settled).unwrap(), fs::read(&template).unwrap());
    assert_eq!(read(&template), tests);
    let bytes = fs::metadata(&settled).unwrap().len();
    assert!(bytes < 1000 * 32, "{bytes} bytes for 1000 tests of 8 to 15 input bytes");
}

#[test]
fn a_pack_cut_at_any_byte_keeps_every_whole_record() {
    let scratch = Scratch::new();
    let (whole, cut) = (scratch.join("whole"), scratch.join("cut"));
    let tests = mixed();
    // Where each test's record ends.
    let mut ends = Vec::new();
    let mut writer = PackWriter::create(&whole).unwrap();
    for test in &tests {
        writer.append(test).unwrap();
        writer.flush().unwrap();
        ends.push(fs::metadata(&whole).unwrap().len() as usize);
    }
    let bytes = fs::read(&whole).unwrap();
    for len in 0..bytes.len() {
        fs::write(&cut, &bytes[..len]).unwrap();
        let n_whole = ends.iter().filter(|end| **end <= len).count();
        assert_eq!(read(&cut), tests[..n_whole], "cut to {len} bytes");
        // Going on after the cut: nothing that was whole is lost, nothing half is kept.
        let mut writer = PackWriter::reopen(&cut).unwrap();
        assert_eq!(writer.len(), n_whole as u64);
        for test in &tests[n_whole..] {
            writer.append(test).unwrap();
        }
        drop(writer);
        assert_eq!(read(&cut), tests, "cut to {len} bytes and continued");
        assert_eq!(Pack::open(&cut).unwrap().torn(), 0);
    }
}

#[test]
fn a_changed_or_zeroed_tail_is_left_out() {
    let scratch = Scratch::new();
    let path = scratch.join("tests.pack");
    let tests: Vec<_> = (0..3).map(small).collect();
    write(&path, &tests);
    let bytes = fs::read(&path).unwrap();
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    fs::write(&path, &changed).unwrap();
    assert_eq!(read(&path), tests[..2]);
    fs::write(&path, [&bytes[..], &[0; 4096]].concat()).unwrap();
    assert_eq!(read(&path), tests);
    assert_eq!(Pack::open(&path).unwrap().torn(), 4096);
    fs::write(&path, [&bytes[..], &[0xff; 40]].concat()).unwrap();
    assert_eq!(read(&path), tests);
}

#[test]
fn what_is_no_pack_is_refused() {
    let scratch = Scratch::new();
    let path = scratch.join("tests.pack");
    fs::write(&path, b"KTEST and so on").unwrap();
    let text = Pack::open(&path).err().unwrap().to_string();
    assert!(text.contains("tests.pack: not a pack"), "{text}");
    assert!(PackWriter::reopen(&path).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"KTEST and so on", "and left alone");
    fs::write(&path, b"FTHPACK\x02").unwrap();
    assert!(Pack::open(&path).err().unwrap().to_string().contains("format 2"));
}

/// Not a test of its own: the process that [`killed_writers_lose_nothing_reported`] kills.
#[test]
fn child_that_appends_until_killed() {
    let Ok(path) = std::env::var("FATHOM_REPORT_CHILD_PACK") else { return };
    let mut writer = PackWriter::create(Path::new(&path)).unwrap();
    let mut out = std::io::stdout();
    for n in 0.. {
        writer.append(&small(n)).unwrap();
        if n % 100 == 99 {
            writer.flush().unwrap();
            writeln!(out, "reported {}", n + 1).unwrap();
        }
    }
}

#[test]
fn killed_writers_lose_nothing_reported() {
    let scratch = Scratch::new();
    for round in 0..5 {
        let path = scratch.join(&format!("{round}.pack"));
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child_that_appends_until_killed", "--exact", "--nocapture"])
            .env("FATHOM_REPORT_CHILD_PACK", &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(40 + 37 * round));
        // The pipe holds 64 KiB; a child that filled it sits in `write`, which is fine too.
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(libc::SIGKILL));
        let text = String::from_utf8_lossy(&output.stdout);
        // The last line may be cut.
        let whole_lines = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let reported = whole_lines
            .lines()
            .filter_map(|line| line.rsplit_once("reported ")?.1.parse::<u64>().ok())
            .next_back()
            .unwrap_or(0);
        if !path.exists() {
            continue;
        }
        let pack = Pack::open(&path).unwrap();
        assert!(pack.len() >= reported, "{} of {reported} reported", pack.len());
        for number in 1..=pack.len() {
            assert_eq!(pack.get(number).unwrap(), small(number as u32 - 1));
        }
        let mut writer = PackWriter::reopen(&path).unwrap();
        writer.append(&everything()).unwrap();
        drop(writer);
        assert_eq!(Pack::open(&path).unwrap().len(), pack.len() + 1);
    }
}

/// Not a test of its own: writes until the file may not grow, and says what happened.
#[test]
fn child_that_appends_until_refused() {
    let Ok(path) = std::env::var("FATHOM_REPORT_LIMITED_PACK") else { return };
    let mut writer = PackWriter::create(Path::new(&path)).unwrap();
    for n in 0.. {
        if let Err(error) = writer.append(&small(n)).and_then(|_| writer.flush()) {
            println!("written {n}");
            println!("refused {error}");
            assert!(matches!(error, Error::Write { .. }));
            assert!(writer.append(&small(n)).and_then(|_| writer.flush()).is_err());
            return;
        }
    }
}

#[test]
fn a_file_that_may_not_grow_gives_a_clear_error_and_keeps_the_rest() {
    let scratch = Scratch::new();
    let path = scratch.join("tests.pack");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["child_that_appends_until_refused", "--exact", "--nocapture"])
        .env("FATHOM_REPORT_LIMITED_PACK", &path)
        .stdout(Stdio::piped());
    // SAFETY: both calls are safe between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit { rlim_cur: 10_000, rlim_max: 10_000 };
            libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            Ok(())
        });
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let after = |word: &str| text.split(word).nth(1).unwrap().lines().next().unwrap().to_string();
    let message = after("refused ");
    assert!(message.contains("tests.pack: File too large"), "{message}");
    assert!(message.contains("ulimit -f"), "{message}");
    let written: u64 = after("written ").parse().unwrap();
    assert_eq!(Pack::open(&path).unwrap().len(), written);
}

#[test]
fn fast_enough_for_every_path() {
    let scratch = Scratch::new();
    let path = scratch.join("tests.pack");
    let tests: Vec<_> = (0..1000).map(small).collect();
    let start = Instant::now();
    let mut writer = PackWriter::create(&path).unwrap();
    for _ in 0..200 {
        tests.iter().for_each(|test| _ = writer.append(test).unwrap());
        writer.flush().unwrap();
    }
    let rate = 200_000.0 / start.elapsed().as_secs_f64();
    println!("{rate:.0} tests per second, {} bytes", fs::metadata(&path).unwrap().len());
    assert!(rate > 100_000.0, "{rate:.0} tests per second");
}
