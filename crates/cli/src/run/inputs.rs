//! The symbolic inputs of a run, as the user writes them: options before the program, or words
//! among its arguments.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use fathom_engine::ledger::NOWHERE;
use fathom_engine::{Engine, Entry, Given, Input, InputKind, Text};
use fathom_expr::{ExprId, Model, Pool};
use fathom_kernel::{InputFile, Inputs as SystemInputs};

/// Combinations of argument lengths that are started one by one; with more, each argument is one
/// object of its greatest length.
const MAX_COMBINATIONS: usize = 4096;

/// So many states are started at most; each takes about 40 KB.
const MAX_STARTS: usize = 1 << 16;

const FEWER_LENGTHS: &str =
    "symbolic arguments or variables have their greatest length only: there are too many lengths";
const FEWER_STARTS: &str =
    "some numbers and lengths of symbolic arguments were left out: there are over 65536";

/// What a symbolic byte takes at least, and how many there may be however large the machine is:
/// their numbers have 32 bits, and the program makes some, too.
const BYTE_COST: u64 = 64;
const MAX_BYTES: u64 = 1 << 31;

/// After so many symbolic bytes, and from so many entries on, somebody looks whether the run has
/// to end. A start of fewer is always made: then there is something to go on with.
const LOOK: u32 = 1 << 12;
const FEW: usize = 64;

/// What bytes of arguments and variables are guessed to be before anything is known of them.
const GUESS: u8 = b'0';

/// The same for standard input and files: short lines make short paths.
const GUESS_STREAM: u8 = b'\n';

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Symbolic input (also among ARGS, in place; `--` ends that)")]
pub struct Flags {
    /// An argument of up to N symbolic bytes
    #[arg(long, value_name = "N")]
    pub sym_arg: Vec<u32>,
    /// MIN to MAX arguments of up to N symbolic bytes each
    #[arg(long, value_names = ["MIN", "MAX", "N"], num_args = 3, action = clap::ArgAction::Append)]
    pub sym_args: Vec<u32>,
    /// Standard input is N symbolic bytes
    #[arg(long, value_name = "N")]
    pub sym_stdin: Option<u32>,
    /// The file NAME holds N symbolic bytes; without N (then also `--sym-file=NAME`), as many as
    /// the host's file has
    #[arg(long, value_names = ["NAME", "N"], num_args = 1..=2, action = clap::ArgAction::Append)]
    pub sym_file: Vec<OsString>,
    /// COUNT files called A, B, … of N symbolic bytes each
    #[arg(long, value_names = ["COUNT", "N"], num_args = 2)]
    pub sym_files: Vec<u32>,
    /// The environment variable NAME has up to N symbolic bytes
    #[arg(long, value_names = ["NAME", "N"], num_args = 2, action = clap::ArgAction::Append)]
    pub sym_env: Vec<String>,
    /// Owner, permissions and times of symbolic files are symbolic too
    #[arg(long)]
    pub sym_stat: bool,
    /// The first N bytes of randomness are symbolic
    #[arg(long, value_name = "N")]
    pub sym_random: Option<u32>,
    /// Symbolic arguments, files, standard input and variables hold printable characters only
    #[arg(long)]
    pub printable: bool,
    /// Symbolic files and standard input end in a NUL byte
    #[arg(long)]
    pub nul_terminated: bool,
}

/// An argument of the program.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    Concrete(Vec<u8>),
    /// At most so many bytes.
    Symbolic(u32),
    /// So many arguments, at least and at most, of at most so many bytes.
    Several(u32, u32, u32),
}

/// All that is symbolic from the start.
#[derive(Debug, Default)]
pub struct Spec {
    pub(super) argv: Vec<Arg>,
    pub(super) env: Vec<(String, u32)>,
    system: SystemInputs,
    pub(super) printable: bool,
    pub(super) nul_terminated: bool,
}

impl Spec {
    /// Reads the options, and the words of `command` that follow the program.
    pub fn new(flags: &Flags, program: &OsStr, args: &[OsString]) -> Result<Self> {
        let mut spec = Self {
            argv: vec![Arg::Concrete(program.as_bytes().to_vec())],
            printable: flags.printable,
            nul_terminated: flags.nul_terminated,
            ..Self::default()
        };
        spec.system.stdin = flags.sym_stdin;
        spec.system.metadata = flags.sym_stat;
        spec.system.random = flags.sym_random.unwrap_or(0);
        for words in file_words(&flags.sym_file) {
            spec.file(words)?;
        }
        if let &[count, size] = &flags.sym_files[..] {
            spec.files(count, size)?;
        }
        for pair in flags.sym_env.chunks(2) {
            let size = pair.get(1).and_then(|size| size.parse().ok());
            let size = size.with_context(|| format!("--sym-env {}: N is a number", pair[0]))?;
            spec.variable(&pair[0], size)?;
        }
        spec.words(args)?;
        spec.argv.extend(flags.sym_arg.iter().map(|&size| Arg::Symbolic(size)));
        for three in flags.sym_args.chunks(3) {
            spec.several(three[0], three[1], three[2])?;
        }
        if spec.system.metadata && spec.system.stdin.is_none() && spec.system.files.is_empty() {
            bail!("--sym-stat is about symbolic files: add --sym-stdin, --sym-file or --sym-files");
        }
        Ok(spec)
    }

    pub fn is_symbolic(&self) -> bool {
        let symbolic = |arg: &Arg| !matches!(arg, Arg::Concrete(_));
        self.argv.iter().any(symbolic)
            || !self.env.is_empty()
            || self.system.stdin.is_some()
            || !self.system.files.is_empty()
            || self.system.random > 0
    }

    fn words(&mut self, args: &[OsString]) -> Result<()> {
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            let option = text.strip_prefix("--").or_else(|| text.strip_prefix('-'));
            let mut number = |what: &str| -> Result<u32> {
                let value = words.next().map(|word| word.to_string_lossy().into_owned());
                let value = value.with_context(|| format!("{text}: {what} is missing"))?;
                value.parse().with_context(|| format!("{text}: {what} is a number, not {value:?}"))
            };
            match option {
                Some("") if text == "--" => {
                    let rest = words.by_ref().map(|word| Arg::Concrete(word.as_bytes().to_vec()));
                    self.argv.extend(rest);
                }
                Some("sym-arg") => {
                    let size = number("N")?;
                    self.argv.push(Arg::Symbolic(size));
                }
                Some("sym-args") => {
                    let (min, max, size) = (number("MIN")?, number("MAX")?, number("N")?);
                    self.several(min, max, size)?;
                }
                Some("sym-stdin") => {
                    if self.system.stdin.replace(number("N")?).is_some() {
                        bail!("--sym-stdin is given twice");
                    }
                }
                Some("sym-files") => {
                    let (count, size) = (number("COUNT")?, number("N")?);
                    self.files(count, size)?;
                }
                Some("sym-file") => {
                    let path = words.next().context("--sym-file: NAME is missing")?;
                    let size = words.clone().next().and_then(|word| word.to_str()?.parse().ok());
                    if size.is_some() {
                        words.next();
                    }
                    self.plant(PathBuf::from(path), size)?;
                }
                Some(option) if option.starts_with("sym-file=") => {
                    let at = word.len() - option.len() + "sym-file=".len();
                    let path = PathBuf::from(OsStr::from_bytes(&word.as_bytes()[at..]));
                    self.plant(path, None)?;
                }
                Some("sym-env") => {
                    let name = words.next().context("--sym-env: NAME is missing")?;
                    let size = words.next().and_then(|word| word.to_str()?.parse().ok());
                    let size = size.context("--sym-env NAME N: N is a number")?;
                    self.variable(&name.to_string_lossy(), size)?;
                }
                _ => self.argv.push(Arg::Concrete(word.as_bytes().to_vec())),
            }
        }
        Ok(())
    }

    fn several(&mut self, min: u32, max: u32, size: u32) -> Result<()> {
        if min > max {
            bail!("--sym-args {min} {max} {size}: MIN is greater than MAX");
        }
        self.argv.push(Arg::Several(min, max, size));
        Ok(())
    }

    fn file(&mut self, words: &[OsString]) -> Result<()> {
        let size = words.get(1).map(|word| word.to_string_lossy().parse());
        let size = size.transpose().context("--sym-file NAME N: N is a number")?;
        self.plant(PathBuf::from(&words[0]), size)
    }

    /// One more symbolic file.
    fn plant(&mut self, path: PathBuf, size: Option<u32>) -> Result<()> {
        if self.system.files.iter().any(|file| file.path == path) {
            bail!("{}: two symbolic files of this name", path.display());
        }
        self.system.files.push(InputFile { path, size, symbolic: None });
        Ok(())
    }

    fn variable(&mut self, name: &str, size: u32) -> Result<()> {
        if name.is_empty() || name.contains(['=', '\0']) {
            bail!("--sym-env {name:?} {size}: no variable has such a name");
        }
        if self.env.iter().any(|(known, _)| known == name) {
            bail!("--sym-env {name} {size}: the variable is symbolic already");
        }
        self.env.push((name.to_owned(), size));
        Ok(())
    }

    fn files(&mut self, count: u32, size: u32) -> Result<()> {
        if count > 26 {
            bail!("--sym-files {count} {size}: at most 26 files, A to Z");
        }
        for letter in (b'A'..).take(count as usize) {
            let path = PathBuf::from(char::from(letter).to_string());
            self.plant(path, Some(size))?;
        }
        Ok(())
    }

    /// The files and standard input, for the kernel.
    pub fn system(&self) -> &SystemInputs {
        &self.system
    }

    /// Files named on the command line.
    pub fn concrete_args(&self) -> impl Iterator<Item = &[u8]> {
        self.argv.iter().filter_map(|arg| match arg {
            Arg::Concrete(bytes) => Some(&bytes[..]),
            _ => None,
        })
    }

    /// The entries to start: one for each choice of the lengths of arguments and variables. None
    /// where the run has to end first.
    pub fn entries(&self, engine: &mut Engine<'_>, env: &[Vec<u8>]) -> Option<Vec<Entry>> {
        let mut choices = Choices::new();
        for arg in &self.argv {
            match arg {
                Arg::Concrete(bytes) => choices.append(bytes),
                &Arg::Symbolic(size) => choices.extend(size, 1, 1, engine)?,
                &Arg::Several(min, max, size) => choices.extend(size, min, max, engine)?,
            }
        }
        let Choices { all: choices, mut are_all_lengths, mut are_all } = choices;
        let envs = self.environments(engine, env, |_, size, n_envs| {
            let sizes = lengths(size, n_envs);
            are_all_lengths &= sizes.len() > size as usize;
            sizes
        });
        are_all &= choices.len() * envs.len() <= MAX_STARTS;
        let mut entries = Vec::new();
        let pairs = choices.iter().flat_map(|choice| envs.iter().map(move |env| (choice, env)));
        for (choice, env) in pairs.take(MAX_STARTS) {
            if engine.is_interrupted() && entries.len() >= FEW {
                return None;
            }
            let argv = choice.iter().enumerate();
            let argv = argv.map(|(index, arg)| text(engine, index as u32, arg)).collect();
            entries.push(Entry::Program { argv, env: env.clone() });
        }
        if !are_all_lengths {
            engine.ledger.record(NOWHERE, FEWER_LENGTHS);
        }
        if !are_all {
            engine.ledger.record(NOWHERE, FEWER_STARTS);
        }
        Some(entries)
    }

    /// The environments to start with; `lengths` of a variable are chosen by its name, its size
    /// and the number of environments that there are already.
    pub(super) fn environments(
        &self,
        engine: &mut Engine<'_>,
        env: &[Vec<u8>],
        mut lengths: impl FnMut(&str, u32, usize) -> Vec<u32>,
    ) -> Vec<Vec<Text>> {
        let named = |variable: &[u8]| {
            let name = variable.split(|&b| b == b'=').next().unwrap_or_default();
            self.env.iter().any(|(symbolic, _)| symbolic.as_bytes() == name)
        };
        let base: Vec<Text> =
            env.iter().filter(|variable| !named(variable)).cloned().map(Text::from).collect();
        let mut all = vec![base];
        for (name, size) in &self.env {
            let sizes = lengths(name, *size, all.len());
            all = all
                .iter()
                .flat_map(|env| sizes.iter().map(move |&size| (env, size)))
                .map(|(env, size)| {
                    let prefix = format!("{name}=").into_bytes();
                    let kind = InputKind::Env(name.clone());
                    let mut env = env.clone();
                    env.push(symbolic_text(engine, prefix, variable_name(name), size, kind));
                    env
                })
                .collect();
        }
        all
    }

    /// The inputs whose size is fixed, all but arguments and variables: name, size and kind.
    pub(super) fn streams(&self) -> Vec<(String, u32, InputKind)> {
        let mut streams: Vec<(String, u32, InputKind)> = Vec::new();
        if let Some(size) = self.system.stdin {
            streams.push(("stdin".into(), size, InputKind::Stdin));
            if self.system.metadata {
                streams.push(("stdin-stat".into(), 144, InputKind::Stat("stdin".into())));
            }
        }
        for file in &self.system.files {
            let name = file.path.to_string_lossy().into_owned();
            let size = file.size.unwrap_or_else(|| {
                std::fs::metadata(&file.path).map_or(0, |metadata| metadata.len() as u32)
            });
            streams.push((name.clone(), size, InputKind::File(name.clone())));
            if self.system.metadata {
                streams.push((format!("{name}-stat"), 144, InputKind::Stat(name)));
            }
        }
        if self.system.random > 0 {
            streams.push(("random".into(), self.system.random, InputKind::System("getrandom")));
        }
        streams
    }

    /// What holds of the inputs at the start, and a guess at them. None where the run has to end
    /// first.
    pub fn given(&self, engine: &mut Engine<'_>, entries: &[Entry]) -> Option<Given> {
        let mut given = Given::default();
        for (name, size, kind) in self.streams() {
            let id = engine.pool.input(&name, size);
            let is_text = !matches!(kind, InputKind::Stat(_) | InputKind::System(_));
            given.inputs.push(Input { id, name, size, kind });
            for at in (0..size).filter(|_| is_text) {
                if at % LOOK == LOOK - 1 && engine.is_interrupted() {
                    return None;
                }
                let pool = &mut engine.pool;
                let byte = pool.byte(id, at);
                let last = at + 1 == size;
                let condition = match (self.nul_terminated && last, self.printable) {
                    (true, _) => Some(equals(pool, byte, 0)),
                    (false, true) => Some(printable(pool, byte)),
                    (false, false) => None,
                };
                given.assumptions.extend(condition);
                let guess = if self.nul_terminated && last { 0 } else { GUESS_STREAM };
                guess_byte(pool, &mut given.model, byte, guess);
            }
        }
        let mut known = HashSet::new();
        for input in entries.iter().flat_map(symbolic_texts) {
            if !known.insert(input.id) {
                continue;
            }
            if engine.is_interrupted() && known.len() >= FEW {
                return None;
            }
            self.constrain_text(&mut engine.pool, input, &mut given);
        }
        given.assumptions.dedup();
        Some(given)
    }

    /// Bytes of arguments and variables are not NUL: their length is their own.
    fn constrain_text(&self, pool: &mut Pool, input: &Input, given: &mut Given) {
        for at in 0..input.size {
            let byte = pool.byte(input.id, at);
            let condition = match self.printable {
                true => printable(pool, byte),
                false => {
                    let nul = equals(pool, byte, 0);
                    pool.not(nul)
                }
            };
            guess_byte(pool, &mut given.model, byte, GUESS);
            given.assumptions.push(condition);
        }
    }

    /// Refuses more symbolic bytes than `memory` can hold.
    pub fn refuse_too_many(&self, memory: u64) -> Result<()> {
        let args = self.argv.iter().map(|arg| match *arg {
            Arg::Concrete(_) => 0,
            Arg::Symbolic(size) => size.into(),
            Arg::Several(_, max, size) => u64::from(max).saturating_mul(size.into()),
        });
        let env = self.env.iter().map(|&(_, size)| size.into());
        let streams = self.streams().into_iter().map(|(_, size, _)| size.into());
        let n_bytes = args.chain(env).chain(streams).fold(0, u64::saturating_add);
        if n_bytes > MAX_BYTES || n_bytes.saturating_mul(BYTE_COST) > memory {
            bail!(
                "{n_bytes} bytes are to be symbolic, each takes over {BYTE_COST} bytes of memory, \
                 and there are {} MiB: ask for fewer, or give more with --max-memory",
                memory >> 20
            );
        }
        Ok(())
    }
}

/// The symbolic arguments and variables of an entry.
pub(super) fn symbolic_texts(entry: &Entry) -> impl Iterator<Item = &Input> {
    let texts = match entry {
        Entry::Program { argv, env } => [&argv[..], &env[..]],
        Entry::Function { .. } => [&[][..], &[]],
    };
    texts.into_iter().flatten().filter_map(|text| match text {
        Text::Symbolic { input, .. } => Some(input),
        Text::Concrete(_) => None,
    })
}

/// What the input of `argv[index]` is called.
pub fn arg_name(index: u32) -> String {
    format!("arg{index:02}")
}

/// What the input of an environment variable is called.
pub(super) fn variable_name(name: &str) -> String {
    format!("env-{name}")
}

/// The command line with `--sym-file NAME` written as one word where no number follows: what does
/// follow is the program, or an argument of it.
pub fn separated(mut argv: Vec<OsString>) -> Vec<OsString> {
    let end = argv.iter().position(|word| word == "--").unwrap_or(argv.len());
    let is_number = |word: &OsString| word.to_str().is_some_and(|text| text.parse::<u32>().is_ok());
    for at in (0..end).rev().filter(|&at| at + 2 < end) {
        if argv[at] == "--sym-file" && !is_number(&argv[at + 2]) {
            let name = argv.remove(at + 1);
            argv[at].push("=");
            argv[at].push(name);
        }
    }
    argv
}

/// `--sym-file` may be given several times, with one or two values each; a number belongs to the
/// name before it.
fn file_words(words: &[OsString]) -> Vec<&[OsString]> {
    let mut files = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let sized =
            words.get(at + 1).is_some_and(|word| word.to_string_lossy().parse::<u32>().is_ok());
        let end = at + if sized { 2 } else { 1 };
        files.push(&words[at..end]);
        at = end;
    }
    files
}

/// The lengths to try, longest first, given how many combinations there are already.
fn lengths(size: u32, combinations: usize) -> Vec<u32> {
    if combinations.saturating_mul(size as usize + 1) > MAX_COMBINATIONS {
        return vec![size];
    }
    (0..=size).rev().collect()
}

type Choice = Vec<(Option<Vec<u8>>, u32)>;

/// The arguments to start with.
struct Choices {
    all: Vec<Choice>,
    /// No length of an argument was left out.
    are_all_lengths: bool,
    /// No choice of as many arguments and such lengths was left out.
    are_all: bool,
}

impl Choices {
    fn new() -> Self {
        Self { all: vec![Vec::new()], are_all_lengths: true, are_all: true }
    }

    fn append(&mut self, bytes: &[u8]) {
        for choice in &mut self.all {
            choice.push((Some(bytes.to_vec()), 0));
        }
    }

    /// Appends `min` to `max` symbolic arguments of up to `size` bytes to every choice. None where
    /// the run has to end.
    fn extend(&mut self, size: u32, min: u32, max: u32, engine: &Engine<'_>) -> Option<()> {
        let sizes = lengths(size, self.all.len());
        let mut open = std::mem::take(&mut self.all);
        for count in 0..=max {
            if engine.is_interrupted() && count as usize >= FEW {
                return None;
            }
            if count >= min {
                let room = MAX_STARTS - self.all.len();
                self.are_all &= open.len() <= room;
                self.all.extend(open.iter().take(room).cloned());
            }
            if count == max || self.all.len() == MAX_STARTS {
                self.are_all &= count == max;
                break;
            }
            let fewer = open.len().saturating_mul(sizes.len()) > MAX_COMBINATIONS;
            let sizes = if fewer { &sizes[..1] } else { &sizes[..] };
            self.are_all_lengths &= sizes.len() > size as usize;
            open = longer(open, sizes);
        }
        Some(())
    }
}

/// Every choice with one more argument, of each of the `sizes`.
fn longer(open: Vec<Choice>, sizes: &[u32]) -> Vec<Choice> {
    let with = |mut choice: Choice, size: u32| {
        choice.push((None, size));
        choice
    };
    match *sizes {
        // Of many arguments the copies would be long.
        [size] => open.into_iter().map(|choice| with(choice, size)).collect(),
        _ => open
            .iter()
            .flat_map(|choice| sizes.iter().map(|&size| with(choice.clone(), size)))
            .collect(),
    }
}

pub(super) fn text(
    engine: &mut Engine<'_>,
    index: u32,
    (concrete, size): &(Option<Vec<u8>>, u32),
) -> Text {
    match concrete {
        Some(bytes) => Text::Concrete(bytes.clone()),
        None => symbolic_text(engine, Vec::new(), arg_name(index), *size, InputKind::Arg(index)),
    }
}

fn symbolic_text(
    engine: &mut Engine<'_>,
    prefix: Vec<u8>,
    name: String,
    size: u32,
    kind: InputKind,
) -> Text {
    let id = engine.pool.input(&name, size);
    Text::Symbolic { prefix, input: Input { id, name, size, kind }, may_end_early: false }
}

fn equals(pool: &mut Pool, byte: ExprId, value: u8) -> ExprId {
    let value = pool.constant(8, value.into());
    pool.eq(byte, value)
}

/// A visible character, a blank, a tab or a newline.
fn printable(pool: &mut Pool, byte: ExprId) -> ExprId {
    let [low, high] = [0x20, 0x7e].map(|bound| pool.constant(8, bound));
    let (above, below) = (pool.ule(low, byte), pool.ule(byte, high));
    let visible = pool.and(above, below);
    let (tab, newline) = (equals(pool, byte, b'\t'), equals(pool, byte, b'\n'));
    let white = pool.or(tab, newline);
    pool.or(visible, white)
}

fn guess_byte(pool: &Pool, model: &mut Model, byte: ExprId, value: u8) {
    if let fathom_expr::View::Var(var) = pool.view(byte) {
        model.set(var, value);
    }
}
