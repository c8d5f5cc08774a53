//! Makes what was found as long as the symbolic inputs of the run, and drops what is there twice.

use std::collections::{BTreeMap, HashSet};

use anyhow::{Result, bail};
use fathom_engine::InputKind;
use fathom_report::{InputKind as ReportKind, TestCase};
use sha2::{Digest, Sha256};

use super::notes::Notes;
use super::{Seed, args};
use crate::run::inputs::{Arg, Spec, arg_name, variable_name};

/// A symbolic input that a seed may give a value: all but arguments and the program's own objects.
struct Slot {
    name: String,
    size: u32,
    kind: InputKind,
}

/// Collects the seeds of a run.
pub struct Fitter<'a> {
    spec: &'a Spec,
    slots: Vec<Slot>,
    seeds: Vec<Seed>,
    seen: HashSet<[u8; 32]>,
    notes: Notes,
}

/// A seed that is being made, and what was done to it.
#[derive(Default)]
struct Draft {
    values: BTreeMap<String, Vec<u8>>,
    args: Option<Vec<Vec<u8>>>,
    done: Vec<String>,
}

impl<'a> Fitter<'a> {
    pub fn new(spec: &'a Spec) -> Self {
        let streams = spec.streams().into_iter();
        let mut slots: Vec<Slot> =
            streams.map(|(name, size, kind)| Slot { name, size, kind }).collect();
        slots.extend(spec.env.iter().map(|(name, size)| Slot {
            name: variable_name(name),
            size: *size,
            kind: InputKind::Env(name.clone()),
        }));
        Self { spec, slots, seeds: Vec::new(), seen: HashSet::new(), notes: Notes::default() }
    }

    /// The input of this name.
    pub fn slot(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.name == name)
    }

    pub fn names(&self) -> Vec<&str> {
        self.slots.iter().map(|slot| slot.name.as_str()).collect()
    }

    pub fn size(&self, slot: usize) -> u32 {
        self.slots[slot].size
    }

    /// The input that plain bytes are meant for: standard input, or the only file.
    pub fn plain_slot(&self, source: &str) -> Result<usize> {
        let stdin = self.of_kind(|kind| matches!(kind, InputKind::Stdin));
        let files = self.of_kind(|kind| matches!(kind, InputKind::File(_)));
        match (&stdin[..], &files[..]) {
            (&[stdin], _) => Ok(stdin),
            (_, &[file]) => Ok(file),
            (_, []) => bail!(
                "--seed {source}: neither standard input nor a file is symbolic, so there is no \
                 place for it; add --sym-stdin N or --sym-file NAME N"
            ),
            (_, [first, ..]) => bail!(
                "--seed {source}: several files are symbolic; say which one is meant: \
                 --seed {}={source}",
                self.slots[*first].name
            ),
        }
    }

    /// Whether plain bytes could be meant for more than one input.
    pub fn has_choice(&self) -> bool {
        self.of_kind(|kind| matches!(kind, InputKind::Stdin | InputKind::File(_))).len() > 1
    }

    fn of_kind(&self, is_it: fn(&InputKind) -> bool) -> Vec<usize> {
        let slots = self.slots.iter().enumerate();
        slots.filter(|(_, slot)| is_it(&slot.kind)).map(|(at, _)| at).collect()
    }

    /// Bytes for one input.
    pub fn add_bytes(&mut self, name: String, slot: usize, bytes: Vec<u8>) {
        let mut draft = Draft::default();
        let fitted = self.put(&mut draft, slot, bytes);
        self.take(name, fitted.map(|()| draft));
    }

    /// Arguments, without the program's name.
    pub fn add_args(&mut self, name: String, words: &[Vec<u8>]) {
        let mut draft = Draft::default();
        let fitted = self.put_args(&mut draft, words);
        self.take(name, fitted.map(|()| draft));
    }

    pub fn add_test(&mut self, name: String, test: TestCase) {
        let draft = self.test(test);
        self.take(name, draft);
    }

    /// Remembers something that all seeds of a source share.
    pub fn note(&mut self, what: &str) {
        self.notes.count(what);
    }

    /// The seed `name` cannot be used.
    pub fn skip(&mut self, why: &str, name: &str) {
        self.notes.skip(why, name);
    }

    /// Whether an argument is symbolic.
    pub fn has_args(&self) -> bool {
        self.spec.argv.iter().any(|arg| !matches!(arg, Arg::Concrete(_)))
    }

    pub fn finish(self) -> (Vec<Seed>, Vec<String>) {
        (self.seeds, self.notes.lines())
    }

    /// The seed that a test case is. What was given to the program otherwise than as a symbolic
    /// input counts too, if it is symbolic here.
    fn test(&self, test: TestCase) -> Result<Draft, String> {
        let mut draft = Draft::default();
        if !test.argv.is_empty() {
            self.put_args(&mut draft, &test.argv[1..])?;
        }
        for variable in test.env {
            let name = String::from_utf8_lossy(&variable.name);
            if let Some(slot) = self.slot(&variable_name(&name)) {
                self.put(&mut draft, slot, variable.value)?;
            }
        }
        for input in test.inputs {
            let is_own = matches!(input.kind, ReportKind::Object | ReportKind::Nondet { .. });
            let name = match input.kind {
                ReportKind::Arg { .. } => continue,
                ReportKind::Stdin => "stdin".to_owned(),
                ReportKind::File { path } => path,
                ReportKind::FileMeta { path } => format!("{path}-stat"),
                ReportKind::Env { name } => variable_name(&name),
                ReportKind::Object | ReportKind::Nondet { .. } | ReportKind::System { .. } => {
                    input.name
                }
            };
            match self.slot(&name) {
                _ if draft.values.contains_key(&name) => {}
                Some(slot) => self.put(&mut draft, slot, input.bytes)?,
                None if is_own => drop(draft.values.insert(name, input.bytes)),
                None => draft.done.push(format!("{name}, not symbolic in this run, left out")),
            }
        }
        if draft.values.is_empty() && !self.has_args() {
            return Err("it has no value for any symbolic input of the run".into());
        }
        Ok(draft)
    }

    fn put_args(&self, draft: &mut Draft, words: &[Vec<u8>]) -> Result<(), String> {
        let symbolic = args::symbolic_words(&self.spec.argv[1..], words)?;
        let mut args = Vec::new();
        for (at, (word, size)) in words.iter().zip(symbolic).enumerate() {
            let Some(size) = size else { continue };
            let mut word = word.clone();
            if word.len() > size as usize {
                word.truncate(size as usize);
                draft.done.push(format!("argument {} cut to {size} bytes", at + 1));
            }
            self.check_text(&word).map_err(|what| format!("argument {} {what}", at + 1))?;
            draft.values.insert(arg_name(at as u32 + 1), word.clone());
            args.push(word);
        }
        draft.args = Some(args);
        Ok(())
    }

    /// Gives an input its value; as long as the input, where that has a fixed length.
    fn put(&self, draft: &mut Draft, slot: usize, mut bytes: Vec<u8>) -> Result<(), String> {
        let Slot { name, size, kind } = &self.slots[slot];
        let n_bytes = *size as usize;
        if bytes.len() > n_bytes {
            bytes.truncate(n_bytes);
            draft.done.push(format!("{name} cut to {n_bytes} bytes"));
        }
        match kind {
            InputKind::Env(_) => {
                self.check_text(&bytes).map_err(|what| format!("{name} {what}"))?
            }
            InputKind::Stdin | InputKind::File(_) => {
                self.terminate(draft, name, n_bytes, &mut bytes)?;
            }
            _ => pad(draft, name, n_bytes, 0, &mut bytes),
        }
        draft.values.insert(name.clone(), bytes);
        Ok(())
    }

    /// Pads the contents of a file, and keeps what `--printable` and `--nul-terminated` promise.
    fn terminate(
        &self,
        draft: &mut Draft,
        name: &str,
        size: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), String> {
        let ends_in_nul = self.spec.nul_terminated && size > 0;
        let room = size - usize::from(ends_in_nul);
        if bytes.len() > room && bytes[room] != 0 {
            draft.done.push(format!("{name} ended by a NUL, as --nul-terminated says"));
        }
        bytes.truncate(room);
        if self.spec.printable {
            check_printable(bytes).map_err(|what| format!("{name} {what}"))?;
            pad(draft, name, room, b'\n', bytes);
        } else {
            pad(draft, name, room, 0, bytes);
        }
        bytes.resize(size, 0);
        Ok(())
    }

    /// Arguments and variables are free of NUL bytes.
    fn check_text(&self, bytes: &[u8]) -> Result<(), String> {
        if bytes.contains(&0) {
            return Err("holds a NUL byte".into());
        }
        if self.spec.printable { check_printable(bytes) } else { Ok(()) }
    }

    fn take(&mut self, name: String, draft: Result<Draft, String>) {
        let draft = match draft {
            Ok(draft) => draft,
            Err(why) => return self.notes.skip(&why, &name),
        };
        if !self.seen.insert(draft.digest()) {
            return self.notes.count("the same as one before, dropped");
        }
        for what in &draft.done {
            self.notes.count(what);
        }
        self.seeds.push(Seed { name, values: draft.values, args: draft.args });
    }
}

impl Draft {
    /// A digest of all that makes two seeds differ.
    fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut put = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        for (name, value) in &self.values {
            put(name.as_bytes());
            put(value);
        }
        let n_args = self.args.as_ref().map(Vec::len);
        put(n_args.map_or(String::new(), |n_args| n_args.to_string()).as_bytes());
        hash.finalize().into()
    }
}

fn pad(draft: &mut Draft, name: &str, size: usize, with: u8, bytes: &mut Vec<u8>) {
    if bytes.len() < size {
        let what = if with == 0 { "zeros" } else { "newlines, for --printable," };
        draft.done.push(format!("{name} padded with {what} to {size} bytes"));
        bytes.resize(size, with);
    }
}

/// As the assumption that `--printable` makes.
fn check_printable(bytes: &[u8]) -> Result<(), String> {
    let is_printable = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n');
    match bytes.iter().all(is_printable) {
        true => Ok(()),
        false => Err("holds bytes that --printable excludes".into()),
    }
}
