//! Small C programs, compiled with our compiler and run natively.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use fathom_replay::{
    BlockKind, BlockState, Checked, End, Error, Event, Guard, NativeInput, NativeOutcome, Object,
    Options, Predicted, PredictedBug, Program, Stream, Verdict, World, check, unreproducible_in,
};
use fathom_report::{InputKind, InputValue, TestCase, read_plain, write_plain};

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"))
}

/// Compiles a program once per test run.
fn program(name: &str, flags: &[&str]) -> Program {
    static LOCK: Mutex<()> = Mutex::new(());
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    let _lock = LOCK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let dir = DIR.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        dir
    });
    let output = dir.join(format!("{name}{}", flags.concat()));
    if !output.exists() {
        let mut args: Vec<OsString> = flags.iter().map(OsString::from).collect();
        args.extend([source(name).into(), "-o".into(), output.clone().into()]);
        assert_eq!(fathom_cc::main(args), 0, "{name}.c does not compile");
    }
    Program::open(&output).unwrap()
}

fn words(argv: &[&str]) -> NativeInput {
    let argv = argv.iter().map(|word| word.as_bytes().to_vec()).collect();
    let env = vec![(b"VARIABLE".to_vec(), b"value".to_vec())];
    NativeInput { argv, env, ..NativeInput::default() }
}

fn guarded(guard: Guard) -> Options {
    Options { guard, ..Options::default() }
}

/// Runs a case of memory.c in guard mode.
fn memory(case: &str, guard: Guard) -> NativeOutcome {
    let input = words(&["memory", case, "text"]);
    program("memory", &["-g", "-O0"]).run(&input, &guarded(guard)).unwrap()
}

/// The line of memory.c that is marked with a case's name.
fn marked(case: &str) -> u32 {
    marked_in("memory", case)
}

fn marked_in(program: &str, case: &str) -> u32 {
    let text = std::fs::read_to_string(source(program)).unwrap();
    let mark = format!("/* {case} */");
    1 + text.lines().position(|line| line.contains(&mark)).expect("the case has a mark") as u32
}

fn checked(flags: &[&str], kind: &str, case: &str, object: Object) -> Checked {
    let bug = PredictedBug {
        kind: kind.into(),
        file: "crates/replay/tests/programs/memory.c".into(),
        line: marked(case),
        function: String::new(),
        object,
    };
    let input = words(&["memory", case, "text"]);
    let program = program("memory", flags);
    check(&program, None, &input, &Predicted::Bug(bug), &Options::default()).unwrap()
}

fn confirm(kind: &str, case: &str) {
    let checked = checked(&["-g", "-O0"], kind, case, Object::Guarded);
    assert_eq!(checked.verdict, Verdict::Confirmed, "{case}: {:#?}", checked.outcome);
}

#[test]
fn errors_are_confirmed_at_their_line() {
    for (kind, case) in [
        ("out-of-bounds-read", "read"),
        ("out-of-bounds-write", "write"),
        ("out-of-bounds-write", "underrun"),
        ("out-of-bounds-write", "copy"),
        ("out-of-bounds-read", "length"),
        ("out-of-bounds-read", "format"),
        ("out-of-bounds-read", "system-write"),
        ("out-of-bounds-read", "stream-write"),
        ("out-of-bounds-write", "system-read"),
        ("use-after-free", "after-free"),
        ("use-after-free", "after-realloc"),
        ("double-free", "double-free"),
        ("invalid-free", "invalid-free"),
        ("invalid-free", "free-local"),
        ("out-of-bounds-read", "argument"),
        ("out-of-bounds-read", "variable"),
        ("null-dereference", "null"),
        ("read-only-write", "literal"),
        ("out-of-bounds-write", "masked"),
        ("division-by-zero", "divide"),
    ] {
        confirm(kind, case);
    }
}

#[test]
fn an_error_elsewhere_is_no_confirmation() {
    let bug = PredictedBug {
        kind: "out-of-bounds-read".into(),
        file: "memory.c".into(),
        line: 1,
        function: "legal".into(),
        object: Object::Guarded,
    };
    let input = words(&["memory", "read", "text"]);
    let program = program("memory", &["-g", "-O0"]);
    let checked = check(&program, None, &input, &Predicted::Bug(bug), &Options::default()).unwrap();
    let Verdict::Mismatch(text) = checked.verdict else { panic!("{:?}", checked.verdict) };
    assert!(text.contains(&format!("memory.c:{} in main", marked("read"))), "{text}");
}

#[test]
fn reports_name_block_and_function() {
    let outcome = memory("read", Guard::End);
    let report = outcome.report.expect("a fault");
    let block = report.block.expect("a block");
    assert_eq!((block.size, block.state, block.kind), (10, BlockState::Live, BlockKind::Heap));
    assert_eq!(report.address, block.address + 10);
    assert_eq!(
        (report.frames[0].function.as_str(), report.frames[0].line),
        ("main", marked("read"))
    );
    assert_eq!(outcome.end, End::Signal(libc::SIGSEGV));

    let report = memory("after-free", Guard::End).report.expect("a fault");
    assert_eq!(report.block.expect("a block").state, BlockState::Freed);
    let report = memory("argument", Guard::End).report.expect("a fault");
    assert_eq!(report.block.expect("a block").kind, BlockKind::Argument);
    let report = memory("format", Guard::End).report.expect("a fault");
    let functions: Vec<_> = report.frames.iter().map(|frame| frame.function.as_str()).collect();
    assert!(functions.contains(&"printf_core") && functions.contains(&"main"), "{functions:?}");
    assert_eq!(memory("double-free", Guard::End).end, End::Signal(libc::SIGABRT));
}

#[test]
fn optimised_programs_without_debug_information_are_confirmed_by_function() {
    let program = program("memory", &["-O2"]);
    for (kind, case) in [("out-of-bounds-write", "copy"), ("double-free", "double-free")] {
        let bug = PredictedBug {
            kind: kind.into(),
            file: "memory.c".into(),
            line: marked(case),
            function: "main".into(),
            object: Object::Guarded,
        };
        let input = words(&["memory", case, "text"]);
        let checked =
            check(&program, None, &input, &Predicted::Bug(bug), &Options::default()).unwrap();
        assert_eq!(checked.verdict, Verdict::Confirmed, "{:#?}", checked.outcome);
    }
}

#[test]
fn correct_programs_run_as_ever() {
    for guard in [Guard::Off, Guard::End, Guard::Start, Guard::Aligned] {
        let input = NativeInput { stdin: b"a line\n".to_vec(), ..words(&["memory", "legal"]) };
        let program = program("memory", &["-g", "-O0"]);
        let outcome = program.run(&input, &guarded(guard)).unwrap();
        assert_eq!(outcome.end, End::Exit(7), "{guard:?}: {outcome:#?}");
        assert_eq!(outcome.stdout, b"a line\n");
        assert_eq!(memory("many", guard).end, End::Exit(7), "{guard:?}");
        assert_eq!(memory("raise", guard).end, End::Exit(42), "{guard:?}");
    }
}

#[test]
fn programs_may_bring_an_allocator() {
    for guard in [Guard::Off, Guard::End] {
        let outcome = program("own_malloc", &[]).run(&words(&["own"]), &guarded(guard)).unwrap();
        assert_eq!(outcome.end, End::Exit(0), "{guard:?}: {outcome:#?}");
        assert_eq!(outcome.stdout, b"1 0 own\n");
    }
}

#[test]
fn a_stack_overflow_is_seen_on_another_stack() {
    let bug = PredictedBug { kind: "stack-overflow".into(), ..PredictedBug::default() };
    let input = words(&["memory", "overflow"]);
    let program = program("memory", &["-g", "-O0"]);
    let checked = check(&program, None, &input, &Predicted::Bug(bug), &Options::default()).unwrap();
    assert_eq!(checked.verdict, Verdict::Confirmed, "{:#?}", checked.outcome);
}

#[test]
fn what_a_native_run_cannot_show() {
    for kind in ["shift-overflow", "signed-overflow", "uninitialised-read", "leak"] {
        let checked = checked(&["-g", "-O0"], kind, "read", Object::Unknown);
        assert!(matches!(checked.verdict, Verdict::NotObservable(_)), "{kind}");
    }
    let input = words(&["memory", "none"]);
    let bug = |object| {
        let kind = "out-of-bounds-read".into();
        Predicted::Bug(PredictedBug { kind, object, ..PredictedBug::default() })
    };
    let program = program("memory", &["-g", "-O0"]);
    let verdict =
        |object| check(&program, None, &input, &bug(object), &Options::default()).unwrap().verdict;
    assert!(matches!(verdict(Object::Variable), Verdict::NotObservable(_)));
    assert!(matches!(verdict(Object::Guarded), Verdict::Mismatch(_)));
}

#[test]
fn limits_hold() {
    let options = Options { timeout: Duration::from_millis(200), ..Options::default() };
    let started = Instant::now();
    let program = program("memory", &["-g", "-O0"]);
    let outcome = program.run(&words(&["memory", "loop"]), &options).unwrap();
    assert_eq!(outcome.end, End::TimedOut);
    assert!(started.elapsed() < Duration::from_secs(10));

    let options = Options { timeout: Duration::from_secs(60), ..Options::default() };
    let interrupt = options.interrupt.clone();
    let raise = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let started = Instant::now();
    let outcome = program.run(&words(&["memory", "loop"]), &options);
    assert!(matches!(outcome, Err(Error::Interrupted)));
    assert!(started.elapsed() < Duration::from_secs(10));
    raise.join().unwrap();

    let options = Options { memory: 64 << 20, ..Options::default() };
    let outcome = program.run(&words(&["memory", "fill"]), &options).unwrap();
    assert_ne!(outcome.end, End::TimedOut, "malloc must fail");
}

fn object(name: &str, value: i32) -> (String, Vec<u8>) {
    (name.into(), value.to_le_bytes().to_vec())
}

fn all_inputs(first: i32, second: i32) -> NativeInput {
    NativeInput {
        stdin: b"stdin\n".to_vec(),
        files: vec![("dir/file".into(), b"F".to_vec())],
        objects: vec![
            object("n", first),
            ("bytes".into(), vec![1, 2]),
            object("n_1", second),
            object("nondet_int", -5),
            ("nondet_bool".into(), vec![1]),
            object("small", 4),
        ],
        ..words(&["name", "argument"])
    }
}

#[test]
fn every_input_arrives() {
    let program = program("inputs", &["-g"]);
    let outcome = program.run(&all_inputs(10, 20), &Options::default()).unwrap();
    // Descriptor 3 is the test's file; there is no network, and no other program.
    let expected =
        "2 name argument stdin\n1 4 -1\n1 1\nF\nVARIABLE=value\n1 2 0 n 10 20 v -5 1 1 0\n";
    assert_eq!(String::from_utf8_lossy(&outcome.stdout), expected);
    assert_eq!(outcome.end, End::Exit(20));
    assert_eq!(outcome.events, []);
}

#[test]
fn missing_objects_are_zero_and_noted() {
    let program = program("inputs", &["-g"]);
    let mut input = all_inputs(10, 0);
    input.objects.truncate(3);
    let outcome = program.run(&input, &Options::default()).unwrap();
    assert_eq!(outcome.end, End::Exit(0));
    let missing = |name: &str| Event::MissingInput(name.into());
    let names = ["nondet_int", "nondet_bool", "small"];
    // The order in which a call's arguments are evaluated is the compiler's.
    assert_eq!(outcome.events.len(), names.len());
    assert!(names.iter().all(|name| outcome.events.contains(&missing(name))), "{outcome:#?}");
}

#[test]
fn ends_that_the_program_asks_for() {
    let program = program("inputs", &["-g"]);
    let bug =
        |kind: &str| Predicted::Bug(PredictedBug { kind: kind.into(), ..PredictedBug::default() });
    let verdict = |first, second, predicted: &Predicted| {
        check(&program, None, &all_inputs(first, second), predicted, &Options::default())
            .unwrap()
            .verdict
    };
    assert_eq!(verdict(1, 1, &bug("reported")), Verdict::Confirmed);
    assert_eq!(verdict(1, 2, &bug("assertion")), Verdict::Confirmed);
    assert_eq!(verdict(1, 3, &Predicted::Exit(33)), Verdict::Confirmed);
    assert_eq!(verdict(1, 300, &Predicted::Exit(300)), Verdict::Confirmed);
    assert!(matches!(verdict(1, 3, &Predicted::Exit(0)), Verdict::Mismatch(_)));
    assert!(matches!(verdict(99, 3, &Predicted::Exit(33)), Verdict::Mismatch(_)));
}

#[test]
fn ktest_files_are_read() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.ktest", std::process::id()));
    let mut file = b"KTEST".to_vec();
    let word = |file: &mut Vec<u8>, value: usize| file.extend((value as u32).to_be_bytes());
    word(&mut file, 3);
    word(&mut file, 1);
    word(&mut file, 4);
    file.extend(b"prog");
    word(&mut file, 0);
    word(&mut file, 0);
    let mut objects = all_inputs(11, 12).objects;
    // KLEE's tests repeat a name.
    objects[2].0 = "n".into();
    word(&mut file, objects.len());
    for (name, bytes) in &objects {
        word(&mut file, name.len());
        file.extend(name.bytes());
        word(&mut file, bytes.len());
        file.extend(bytes);
    }
    std::fs::write(&path, file).unwrap();
    let mut input = words(&["name", "argument"]);
    input.env.push((b"KTEST_FILE".to_vec(), path.to_str().unwrap().into()));
    let outcome = program("inputs", &["-g"]).run(&input, &Options::default()).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!(outcome.end, End::Exit(12), "{outcome:#?}");
}

#[test]
fn files_stay_in_the_scratch_directory() {
    let mut input = words(&["name", "argument"]);
    input.files = vec![("../outside".into(), Vec::new())];
    let error = program("inputs", &["-g"]).run(&input, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("../outside"), "{error}");
}

/// A recorded world in a directory of the test's own.
fn world(name: &str) -> World {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("world-{name}"));
    let _ = std::fs::remove_dir_all(&root);
    for directory in ["etc", "home/user"] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    std::fs::write(root.join("etc/settings"), "Recorded\n").unwrap();
    std::os::unix::fs::symlink("/etc", root.join("home/link")).unwrap();
    let env = vec![(b"HOME".to_vec(), b"/home/user".to_vec())];
    World { root, cwd: "/home/user".into(), umask: 0o027, env, ..World::default() }
}

fn in_world(world: World, argv: &[&str]) -> NativeInput {
    let env = world.env.clone();
    NativeInput { env, world: Some(world.into()), ..words(argv) }
}

#[test]
fn a_recorded_world_is_all_that_the_program_sees() {
    let program = program("world", &["-g"]);
    for (stream, stdin) in [
        (Stream::File, "file typed"),
        (Stream::FileAt { offset: 2 }, "file ped"),
        (Stream::Pipe, "pipe typed"),
        (Stream::Null, "file "),
        (Stream::Closed, "closed "),
    ] {
        let streams = [stream, Stream::File, Stream::Pipe];
        let world = World { streams, ..world("seen") };
        if !world.is_confined() {
            return;
        }
        let input =
            NativeInput { stdin: b"typed".to_vec(), ..in_world(world, &["world", "describe"]) };
        let outcome = program.run(&input, &Options::default()).unwrap();
        let expected = format!(
            "cwd /home/user, umask 027, stdin {stdin}, HOME /home/user, passwd -1, null 1, link 0\n"
        );
        assert_eq!(String::from_utf8_lossy(&outcome.stdout), expected);
        assert_eq!(outcome.end, End::Exit(0));
    }
}

#[test]
fn files_of_a_world_are_replaced_and_faults_in_it_reported() {
    let program = program("world", &["-g"]);
    let world = world("replaced");
    if !world.is_confined() {
        return;
    }
    let settings = world.root.join("etc/settings");
    let run = |path: &str, text: &[u8], predicted: &Predicted| {
        let files = vec![(path.into(), text.to_vec())];
        let objects = vec![object("extra", 2)];
        let input = NativeInput { files, objects, ..in_world(world.clone(), &["world"]) };
        check(&program, None, &input, predicted, &Options::default()).unwrap()
    };
    let unused = "/home/new/file";
    assert_eq!(run(unused, b"", &Predicted::Exit(0)).verdict, Verdict::Confirmed);
    for path in ["/etc/settings", "../../etc/settings", "/home/link/settings"] {
        assert_eq!(run(path, b"E", &Predicted::Exit(42)).verdict, Verdict::Confirmed, "{path}");
    }
    let bug = Predicted::Bug(PredictedBug {
        kind: "out-of-bounds-write".into(),
        file: "world.c".into(),
        line: marked_in("world", "overrun"),
        function: "main".into(),
        object: Object::Guarded,
    });
    let checked = run("/etc/settings", b"X", &bug);
    assert_eq!(checked.verdict, Verdict::Confirmed, "{:#?}", checked.outcome);
    assert_eq!(checked.guard, Guard::End);
    assert!(matches!(run(unused, b"", &bug).verdict, Verdict::Mismatch(_)));
    assert_eq!(std::fs::read(settings).unwrap(), b"Recorded\n");
    assert!(!world.root.join("home/new").exists() && !Path::new("/etc/settings").exists());
}

#[test]
fn a_test_finds_its_world_again() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("world-described");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("root/etc")).unwrap();
    std::fs::write(dir.join("root/etc/settings"), "E, and more\n").unwrap();
    let streams = [Stream::Pipe, Stream::FileAt { offset: 3 }, Stream::Closed];
    let mut written = World { root: "root".into(), streams, ..world("written") };
    written.env.push((b"EMPTY".to_vec(), Vec::new()));
    written.stdin = b"typed".to_vec();
    written.write(&dir).unwrap();
    let read = World::read(&dir).unwrap();
    assert_eq!(read, World { root: dir.join("root"), ..written });

    let value = |name: &str, kind, bytes: &[u8]| InputValue {
        name: name.into(),
        kind,
        bytes: bytes.to_vec(),
    };
    let path = "/etc/settings".to_owned();
    let inputs = vec![
        value("stdin", InputKind::Stdin, b"T"),
        value("/etc/settings", InputKind::File { path }, b"R"),
    ];
    let test = TestCase {
        argv: vec![b"world".to_vec(), b"describe".to_vec()],
        inputs,
        world: Some("..".into()),
        ..TestCase::default()
    };
    let at = dir.join("test");
    std::fs::create_dir(&at).unwrap();
    write_plain(&at, 1, &test).unwrap();
    let test = read_plain(&at).unwrap();
    let world = Arc::new(World::read(&test.world.clone().unwrap()).unwrap());
    let input = NativeInput::of_test_in(&test, world.clone());
    assert_eq!(input.stdin, b"Typed");
    let outcome = program("world", &["-g"]).run(&input, &Options::default()).unwrap();
    let printed = String::from_utf8_lossy(&outcome.stdout);
    assert!(printed.contains("stdin pipe Typed, HOME /home/user"), "{printed}");
    assert_eq!(unreproducible_in(&test, &world).is_none(), world.is_confined());
}

#[test]
fn a_run_is_quick() {
    let program = program("memory", &["-g", "-O0"]);
    let started = Instant::now();
    for _ in 0..200 {
        program.run(&words(&["memory", "none"]), &guarded(Guard::End)).unwrap();
    }
    let each = started.elapsed() / 200;
    println!("{each:?} a run");
    assert!(each < Duration::from_millis(500), "{each:?}");
}
