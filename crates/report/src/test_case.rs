//! One test case: the inputs that drive a program down one path, and how that path ended.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Inputs of one path and its predicted end.
///
/// `argv` and `env` are the whole command line and the variables set for it. Where an input is an
/// argument or a variable, the input's bytes count and the entry in `argv` or `env` is a
/// placeholder, so a caller can keep one template for all tests; every reader of this crate
/// returns tests that are [settled](TestCase::settle).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCase {
    /// The command line, program name first.
    pub argv: Vec<Vec<u8>>,
    /// Variables set for the program, over the environment it inherits.
    pub env: Vec<EnvVar>,
    /// The symbolic inputs, in the order in which the program created them.
    pub inputs: Vec<InputValue>,
    pub outcome: Outcome,
    /// The path executed code that no earlier path of the run had executed.
    pub new_coverage: bool,
    /// LLVM instructions executed on the path.
    pub instructions: u64,
    /// The number of the path in its run.
    pub path: u64,
    /// What the path writes to standard output, where it was kept.
    pub stdout: Option<Vec<u8>>,
    /// The recorded world that the program runs in; only plain files have it.
    pub world: Option<PathBuf>,
}

/// One environment variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnvVar {
    pub name: Vec<u8>,
    pub value: Vec<u8>,
}

/// One symbolic input and its value in this test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputValue {
    pub name: String,
    pub kind: InputKind,
    /// An argument or variable without its terminator.
    pub bytes: Vec<u8>,
}

/// Where the program meets an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum InputKind {
    /// `argv[index]`; its text ends at the first NUL.
    Arg { index: u32 },
    /// What standard input holds.
    Stdin,
    /// What a file holds.
    File { path: String },
    /// The value of an environment variable.
    Env {
        #[serde(rename = "variable")]
        name: String,
    },
    /// An object the program made symbolic (`klee_make_symbolic`).
    Object,
    /// The result of a `__VERIFIER_nondet_*` call, with its C type (`unsigned int`).
    Nondet { c_type: String },
    /// The metadata of a file: a `struct stat` of x86-64 Linux.
    FileMeta { path: String },
    /// Anything else the system answered (`getrandom`).
    System { what: String },
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// The kind of defect: `out-of-bounds-read`.
    pub kind: String,
    pub file: String,
    /// 0 where unknown.
    pub line: u32,
    pub function: String,
}

/// How a path ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// The program exited.
    Exit { status: i32 },
    /// A signal killed the program.
    #[serde(rename = "killed")]
    Signal { signal: i32 },
    /// A defect stopped it.
    Bug(Site),
    /// An assumption that no input fulfils ended the path.
    Assumption { what: String },
    /// A limit of the run ended the path: `instructions`, `memory`, `time`, …
    #[serde(rename = "exhausted")]
    Limit { limit: String },
    /// The path needs something that is not supported.
    Unsupported { what: String },
    /// No prediction: the test was not made by fathom.
    #[default]
    Unknown,
}

impl Outcome {
    pub fn is_bug(&self) -> bool {
        matches!(self, Outcome::Bug(_))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Exit { status } => write!(f, "exit {status}"),
            Outcome::Signal { signal } => write!(f, "killed by signal {signal}"),
            Outcome::Bug(site) => write!(f, "{} at {}:{}", site.kind, site.file, site.line),
            Outcome::Assumption { what } => write!(f, "assumption: {what}"),
            Outcome::Limit { limit } => write!(f, "limit: {limit}"),
            Outcome::Unsupported { what } => write!(f, "unsupported: {what}"),
            Outcome::Unknown => f.write_str("not predicted"),
        }
    }
}

impl TestCase {
    /// Puts the values of inputs into `argv` and `env`.
    pub fn settle(&mut self) {
        for input in &self.inputs {
            match &input.kind {
                InputKind::Arg { index } => {
                    let index = *index as usize;
                    if self.argv.len() <= index {
                        self.argv.resize(index + 1, Vec::new());
                    }
                    self.argv[index] = c_string(&input.bytes).to_vec();
                }
                InputKind::Env { name } => {
                    let value = c_string(&input.bytes).to_vec();
                    match self.env.iter_mut().find(|var| var.name == name.as_bytes()) {
                        Some(var) => var.value = value,
                        None => self.env.push(EnvVar { name: name.clone().into_bytes(), value }),
                    }
                }
                _ => {}
            }
        }
    }

    /// This test with inputs put in place.
    pub fn settled(&self) -> TestCase {
        let mut test = self.clone();
        test.settle();
        test
    }

    /// What standard input holds, where it is an input.
    pub fn stdin(&self) -> Option<&[u8]> {
        self.inputs
            .iter()
            .find(|input| input.kind == InputKind::Stdin)
            .map(|input| input.bytes.as_slice())
    }

    /// The files that are inputs, with what they hold.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.inputs.iter().filter_map(|input| match &input.kind {
            InputKind::File { path } => Some((path.as_str(), input.bytes.as_slice())),
            _ => None,
        })
    }
}

/// The bytes up to the first NUL.
pub(crate) fn c_string(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}
