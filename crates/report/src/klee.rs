//! Test cases as KLEE's POSIX runtime would have made them, and back.
//!
//! KLEE gives its runtime the command line with `--sym-arg N` and the like still in it; the
//! runtime makes the objects `arg00`…, `A_data`, `A_data_stat`…, `stdin`, `stdin_stat`, and the
//! program's own follow. klee-replay repeats that, taking objects by order and size. So written
//! here are: arguments in their order, files, standard input, the rest. What KLEE has no notion of
//! (environment variables, metadata in another form) comes last, where its tools do not look.

use crate::{EnvVar, InputKind, InputValue, KObject, KTest, TestCase};

/// The size of `struct stat` on x86-64 Linux, which KLEE makes symbolic for every file.
const STAT_SIZE: usize = 144;

/// A symbolic environment variable, and one that is only set.
const ENV_PREFIX: &str = "env:";
const SETENV_PREFIX: &str = "setenv:";
const META_PREFIX: &str = "meta:";

/// The test as KLEE would have written it.
pub fn to_ktest(test: &TestCase) -> KTest {
    let test = test.settled();
    let mut ktest = KTest::default();
    put_args(&test, &mut ktest);
    put_files(&test, &mut ktest);
    if let Some(bytes) = test.stdin().filter(|bytes| !bytes.is_empty()) {
        ktest.args.extend([b"--sym-stdin".to_vec(), decimal(bytes.len())]);
        ktest.push("stdin", bytes);
        ktest.push("stdin_stat", &stat_of(&test, "stdin", bytes.len()));
    }
    for input in &test.inputs {
        match &input.kind {
            InputKind::Object | InputKind::Nondet { .. } | InputKind::System { .. } => {
                ktest.push(&input.name, &input.bytes);
            }
            _ => {}
        }
    }
    put_rest(&test, &mut ktest);
    ktest
}

/// What KLEE has no notion of.
fn put_rest(test: &TestCase, ktest: &mut KTest) {
    for var in &test.env {
        let name = String::from_utf8_lossy(&var.name).into_owned();
        let is_it = |input: &&InputValue| input.kind == InputKind::Env { name: name.clone() };
        let (prefix, value) = match test.inputs.iter().find(is_it) {
            Some(input) => (ENV_PREFIX, &input.bytes),
            None => (SETENV_PREFIX, &var.value),
        };
        ktest.push(&format!("{prefix}{name}"), &[&value[..], b"\0"].concat());
    }
    for input in &test.inputs {
        if let InputKind::FileMeta { path } = &input.kind
            && input.bytes.len() != STAT_SIZE
        {
            ktest.push(&format!("{META_PREFIX}{path}"), &input.bytes);
        }
    }
}

impl KTest {
    /// Adds an object. KLEE cannot read an empty one, and never makes one.
    fn push(&mut self, name: &str, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.objects.push(KObject { name: name.into(), bytes: bytes.into() });
        }
    }
}

fn put_args(test: &TestCase, ktest: &mut KTest) {
    for (at, arg) in test.argv.iter().enumerate() {
        let is_it = |input: &&InputValue| input.kind == InputKind::Arg { index: at as u32 };
        let input = test.inputs.iter().find(is_it);
        if at == 0 || input.is_none() && is_plain(arg) {
            ktest.args.push(arg.clone());
            continue;
        }
        let bytes = input.map_or(arg, |input| &input.bytes);
        ktest.args.extend([b"--sym-arg".to_vec(), decimal(bytes.len())]);
        let name = format!("arg{:02}", ktest.objects.len());
        ktest.push(&name, &[&bytes[..], b"\0"].concat());
    }
}

/// KLEE's tools read the argument back as it is: they refuse empty words, print ASCII only, and
/// take options of KLEE's own for those.
fn is_plain(arg: &[u8]) -> bool {
    !arg.is_empty() && arg.is_ascii() && option_name(arg).is_none()
}

fn put_files(test: &TestCase, ktest: &mut KTest) {
    let files: Vec<_> = test.files().filter(|(_, bytes)| !bytes.is_empty()).collect();
    let Some(largest) = files.iter().map(|(_, bytes)| bytes.len()).max() else { return };
    ktest.args.extend([b"--sym-files".to_vec(), decimal(files.len()), decimal(largest)]);
    for (path, bytes) in files {
        ktest.push(&format!("{path}_data"), bytes);
        ktest.push(&format!("{path}_data_stat"), &stat_of(test, path, bytes.len()));
    }
}

fn decimal(number: usize) -> Vec<u8> {
    number.to_string().into_bytes()
}

/// The metadata of a file, where it is an input in the form KLEE uses, and else what an ordinary
/// file of this size has.
fn stat_of(test: &TestCase, path: &str, size: usize) -> Vec<u8> {
    let is_it = |input: &&InputValue| {
        matches!(&input.kind, InputKind::FileMeta { path: of } if of == path)
            && input.bytes.len() == STAT_SIZE
    };
    match test.inputs.iter().find(is_it) {
        Some(input) => input.bytes.clone(),
        None => ordinary_stat(size),
    }
}

fn ordinary_stat(size: usize) -> Vec<u8> {
    let mut stat = vec![0; STAT_SIZE];
    let mut put = |at: usize, value: u64| stat[at..at + 8].copy_from_slice(&value.to_le_bytes());
    put(8, 1); // st_ino
    put(16, 1); // st_nlink
    put(24, 0o100_644); // st_mode, and st_uid
    put(48, size as u64); // st_size
    put(56, 4096); // st_blksize
    put(64, 8); // st_blocks
    stat
}

/// The name of an option of KLEE's runtime, if the word is one.
fn option_name(word: &[u8]) -> Option<&str> {
    let name = word.strip_prefix(b"-")?;
    let name = name.strip_prefix(b"-").unwrap_or(name);
    let known = ["sym-arg", "sym-args", "sym-files", "sym-stdin", "sym-stdout"];
    let known = known.into_iter().chain(["save-all-writes", "fd-fail", "max-fail"]);
    let name = std::str::from_utf8(name).ok()?;
    known.into_iter().find(|known| *known == name)
}

/// The test in a `.ktest` file, KLEE's options replaced by what they stood for.
///
/// The outcome is unknown, as the format does not have it.
pub fn from_ktest(ktest: &KTest) -> TestCase {
    let mut reading =
        Reading { objects: &ktest.objects, test: TestCase::default(), files: false, stdin: false };
    reading.args(&ktest.args);
    while let Some(object) = reading.take(|_| true) {
        reading.object(object);
    }
    reading.test.settle();
    reading.test
}

struct Reading<'a> {
    /// Not yet used.
    objects: &'a [KObject],
    test: TestCase,
    /// The command line announced symbolic files, or standard input.
    files: bool,
    stdin: bool,
}

impl<'a> Reading<'a> {
    fn args(&mut self, args: &[Vec<u8>]) {
        let mut args = args.iter();
        self.test.argv.extend(args.next().cloned());
        while let Some(arg) = args.next() {
            let mut number = || {
                let digits = args.next().and_then(|arg| std::str::from_utf8(arg).ok());
                digits.and_then(|digits| digits.parse::<u32>().ok()).unwrap_or(0)
            };
            match option_name(arg) {
                Some("sym-arg") => {
                    number();
                    self.symbolic_arg();
                }
                Some("sym-args") => {
                    let (least, most, _len) = (number(), number(), number());
                    let n_args = self.n_args(least, most);
                    let _all_there = (0..n_args).all(|_| self.symbolic_arg());
                }
                Some("sym-files") => {
                    self.files = number() > 0;
                    // Old versions made standard input symbolic along with files.
                    self.stdin |= number() > 0;
                }
                Some("sym-stdin") => self.stdin |= number() > 0,
                Some("max-fail") => _ = number(),
                Some(_) => {}
                None => self.test.argv.push(arg.clone()),
            }
        }
    }

    /// Takes the next object if `fits` says so of its name. What KLEE's runtime says of itself may
    /// stand anywhere, and is passed over.
    fn take(&mut self, fits: impl Fn(&str) -> bool) -> Option<&'a KObject> {
        while let [KObject { name, .. }, rest @ ..] = self.objects
            && name == b"model_version"
        {
            self.objects = rest;
        }
        let (object, rest) = self.objects.split_first()?;
        if !fits(&String::from_utf8_lossy(&object.name)) {
            return None;
        }
        self.objects = rest;
        Some(object)
    }

    fn n_args(&mut self, least: u32, most: u32) -> u32 {
        let object = if least < most { self.take(|name| name == "n_args") } else { None };
        let number = object.and_then(|object| object.bytes.first_chunk());
        number.map_or(least, |bytes| u32::from_le_bytes(*bytes)).min(most)
    }

    /// The next argument, if its object is there.
    fn symbolic_arg(&mut self) -> bool {
        let Some(object) = self.take(|name| name.starts_with("arg")) else { return false };
        let index = self.test.argv.len() as u32;
        self.test.argv.push(Vec::new());
        self.input(object, InputKind::Arg { index }, unterminated(&object.bytes));
        true
    }

    fn input(&mut self, object: &KObject, kind: InputKind, bytes: &[u8]) {
        let name = String::from_utf8_lossy(&object.name).into_owned();
        self.test.inputs.push(InputValue { name, kind, bytes: bytes.to_vec() });
    }

    fn object(&mut self, object: &KObject) {
        let name = String::from_utf8_lossy(&object.name).into_owned();
        let suffixed = |long: &str, short: &str| {
            name.strip_suffix(long).or_else(|| name.strip_suffix(short)).map(String::from)
        };
        let kind = if let Some(of) = name.strip_prefix(SETENV_PREFIX) {
            let value = unterminated(&object.bytes).to_vec();
            return self.test.env.push(EnvVar { name: of.into(), value });
        } else if let Some(of) = name.strip_prefix(ENV_PREFIX) {
            return self.input(
                object,
                InputKind::Env { name: of.into() },
                unterminated(&object.bytes),
            );
        } else if let Some(path) = name.strip_prefix(META_PREFIX) {
            InputKind::FileMeta { path: path.into() }
        } else if self.stdin && name == "stdin" {
            InputKind::Stdin
        } else if self.stdin && (name == "stdin_stat" || name == "stdin-stat") {
            return self.stat(object, "stdin");
        } else if let Some(path) = suffixed("_data", "-data").filter(|_| self.files) {
            InputKind::File { path }
        } else if let Some(path) = suffixed("_data_stat", "-data-stat").filter(|_| self.files) {
            return self.stat(object, &path);
        } else {
            InputKind::Object
        };
        self.input(object, kind, &object.bytes);
    }

    /// Metadata is an input only where it is not what an ordinary file has.
    fn stat(&mut self, object: &KObject, path: &str) {
        let size = match path {
            "stdin" => self.test.stdin(),
            _ => self.test.files().find(|(of, _)| *of == path).map(|(_, bytes)| bytes),
        };
        if object.bytes != ordinary_stat(size.map_or(0, <[u8]>::len)) {
            self.input(object, InputKind::FileMeta { path: path.into() }, &object.bytes);
        }
    }
}

fn unterminated(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\0").unwrap_or(bytes)
}
