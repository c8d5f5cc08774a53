//! The runs of a recording that are to be analysed, and what is symbolic about each.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use fathom_engine::InputKind;
use fathom_record::{Recording, Source, What};

use super::{Args, suite};
use crate::run::{arg_name, say};

/// What belongs to the system and not to a test.
const SYSTEM: &[&str] =
    &["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/sys", "/dev", "/var/lib"];

/// All recorded runs, in the order in which they began.
pub struct Subjects {
    pub all: Vec<Subject>,
    /// Recordings that could not be read.
    pub unreadable: Vec<String>,
    /// Runs of programs that the user did not name, and those that the sample left out.
    pub n_others: usize,
    pub n_left_out: usize,
}

/// A recorded run.
pub struct Subject {
    pub recording: Recording,
    /// The program to load.
    pub file: PathBuf,
    /// What is symbolic, and the bytes it had.
    pub inputs: Vec<Seed>,
    /// What is not analysed about it.
    pub notes: Vec<String>,
    /// An earlier run with the very same input.
    pub same_as: Option<usize>,
}

/// A symbolic input, and what the test had there.
#[derive(Clone, Debug, Hash)]
pub struct Seed {
    pub name: String,
    pub place: SeedPlace,
    pub bytes: Vec<u8>,
    /// Bytes behind them that stay as they are.
    pub n_concrete: usize,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub enum SeedPlace {
    Arg(u32),
    Stdin,
    File(PathBuf),
}

impl Seed {
    pub fn kind(&self) -> InputKind {
        match &self.place {
            SeedPlace::Arg(index) => InputKind::Arg(*index),
            SeedPlace::Stdin => InputKind::Stdin,
            SeedPlace::File(path) => InputKind::File(path.to_string_lossy().into_owned()),
        }
    }
}

impl Subjects {
    pub fn read(recording: &Path, args: &Args) -> Result<Self> {
        let mut subjects =
            Self { all: Vec::new(), unreadable: Vec::new(), n_others: 0, n_left_out: 0 };
        for read in read_all(recording)? {
            let read = match read {
                Ok(read) => read,
                Err(why) => {
                    subjects.unreadable.push(why);
                    continue;
                }
            };
            let name = name_of(&read.program);
            if !args.program.is_empty() && !args.program.contains(&name) {
                subjects.n_others += 1;
                continue;
            }
            subjects.all.push(Subject::new(read, recording, args.max_symbolic));
        }
        if let Some(share) = args.sample {
            subjects.sample(share, args.rng_seed);
        }
        subjects.find_same();
        Ok(subjects)
    }

    /// Keeps about this share of them, in their order.
    fn sample(&mut self, share: f64, seed: u64) {
        let n = self.all.len();
        let wanted = ((n as f64 * share).ceil() as usize).min(n);
        let mut numbers: Vec<usize> = (0..n).collect();
        // A generator as simple as can be: which tests are chosen hangs on the seed only.
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for at in (1..n).rev() {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            numbers.swap(at, (random % (at as u64 + 1)) as usize);
        }
        let chosen: BTreeSet<usize> = numbers.into_iter().take(wanted).collect();
        let mut at = 0;
        self.all.retain(|_| {
            at += 1;
            chosen.contains(&(at - 1))
        });
        self.n_left_out = n - self.all.len();
    }

    fn find_same(&mut self) {
        let mut first: HashMap<u64, usize> = HashMap::new();
        for (number, subject) in self.all.iter_mut().enumerate() {
            match first.get(&subject.fingerprint()) {
                Some(&earlier) => subject.same_as = Some(earlier),
                None => {
                    first.insert(subject.fingerprint(), number);
                }
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The names of all programs, each once.
    pub fn programs(&self) -> BTreeSet<String> {
        self.all.iter().map(Subject::program).collect()
    }

    pub fn tell(&self) {
        for why in &self.unreadable {
            say(&format!("fathom: {why}\n"));
        }
        let n_same = self.all.iter().filter(|subject| subject.same_as.is_some()).count();
        let mut text =
            format!("fathom: {} runs of {} programs", self.all.len(), self.programs().len());
        for (count, what) in [
            (n_same, "the same as earlier ones"),
            (self.n_others, "of other programs left out"),
            (self.n_left_out, "left out by --sample"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        say(&(text + "\n"));
    }
}

impl Subject {
    fn new(recording: Recording, directory: &Path, max_symbolic: usize) -> Self {
        let file = suite::program_file(directory, &recording.program);
        let notes = recording.notes.clone();
        let mut subject = Self { recording, file, inputs: Vec::new(), notes, same_as: None };
        let mut room = max_symbolic;
        for (place, bytes) in subject.all_inputs() {
            if bytes.is_empty() {
                continue;
            }
            let size = bytes.len().min(room);
            room -= size;
            let seed = Seed {
                name: name_of_input(&place),
                n_concrete: bytes.len() - size,
                bytes: bytes[..size].to_vec(),
                place,
            };
            if seed.n_concrete > 0 {
                let what = format!("{}: {} bytes are not symbolic", seed.name, seed.n_concrete);
                subject.notes.push(what);
            }
            if !seed.bytes.is_empty() {
                subject.inputs.push(seed);
            }
        }
        subject
    }

    /// What the test gives to the program: arguments, standard input, files.
    fn all_inputs(&mut self) -> Vec<(SeedPlace, Vec<u8>)> {
        let mut inputs = Vec::new();
        for (index, arg) in self.recording.argv.iter().enumerate().skip(1) {
            inputs.push((SeedPlace::Arg(index as u32), arg.clone()));
        }
        if let Some(stdin) = self.recording.descriptors.iter().find(|it| it.fd == 0) {
            let bytes = match &stdin.source {
                Source::File { contents, .. } => fs::read(contents).unwrap_or_default(),
                Source::Stream { bytes } => bytes.clone(),
                Source::Nothing => Vec::new(),
            };
            inputs.push((SeedPlace::Stdin, bytes));
        }
        let mut seen = BTreeSet::new();
        for fact in &self.recording.facts {
            let Ok(found) = &fact.found else { continue };
            let What::Contents(blob) = &found.what else { continue };
            let is_system = SYSTEM.iter().any(|system| fact.path.starts_with(system));
            if is_system || fact.path == self.recording.program || !seen.insert(fact.path.clone()) {
                continue;
            }
            match fs::read(blob) {
                Ok(bytes) => inputs.push((SeedPlace::File(fact.path.clone()), bytes)),
                Err(error) => {
                    self.notes.push(format!("{}: {error}", blob.display()));
                }
            }
        }
        inputs
    }

    /// The name of its program.
    pub fn program(&self) -> String {
        name_of(&self.recording.program)
    }

    /// The command line, as a user would type it.
    pub fn command(&self) -> String {
        let words = self.recording.argv.iter().map(|word| fathom_report::shell_quote(word));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The same for runs that cannot differ.
    fn fingerprint(&self) -> u64 {
        let recording = &self.recording;
        let mut hasher = DefaultHasher::new();
        (&recording.program, &recording.argv, &recording.env, recording.umask).hash(&mut hasher);
        self.inputs.hash(&mut hasher);
        hasher.finish()
    }
}

fn name_of_input(place: &SeedPlace) -> String {
    match place {
        SeedPlace::Arg(index) => arg_name(*index),
        SeedPlace::Stdin => "stdin".to_owned(),
        SeedPlace::File(path) => path.to_string_lossy().into_owned(),
    }
}

fn name_of(program: &Path) -> String {
    program.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn read_all(recording: &Path) -> Result<Vec<std::result::Result<Recording, String>>> {
    if !recording.is_dir() {
        bail!("the recording {} is not a directory", recording.display());
    }
    let all = fathom_record::read_all(recording).into_iter();
    Ok(all.map(|read| read.map_err(|error| error.to_string())).collect())
}

/// The programs of a recording, each once.
pub fn programs(recording: &Path) -> Result<Vec<PathBuf>> {
    let all: BTreeSet<PathBuf> =
        read_all(recording)?.into_iter().flatten().map(|read| read.program).collect();
    Ok(all.into_iter().collect())
}

pub fn n_runs(recording: &Path) -> Result<usize> {
    Ok(read_all(recording)?.len())
}
