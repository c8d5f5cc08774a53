//! The runs of a recording that are to be analysed, and what is symbolic about each.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use fathom_engine::InputKind;
use fathom_record::{Fact, Recording, Source, What};

use super::Args;
use super::suite::{Images, Programs};
use crate::run::{arg_name, say};

/// What belongs to the system and not to a test, unless the test names it.
const SYSTEM: &[&str] =
    &["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/sys", "/dev", "/var/lib"];

/// What a recording calls pipes that the program has made itself.
const OWN_PIPE: &str = "pipe";

/// All recorded runs, in the order in which they began.
pub struct Subjects {
    /// Where they are.
    pub recording: PathBuf,
    pub all: Vec<Subject>,
    /// Recordings that could not be read.
    pub unreadable: Vec<String>,
    /// Runs of programs that the user did not name, and those that the sample left out.
    pub n_others: usize,
    pub n_left_out: usize,
}

/// A recorded run, without what only its analysis needs.
pub struct Subject {
    /// Its file.
    place: PathBuf,
    pub id: String,
    program: PathBuf,
    argv: Vec<Vec<u8>>,
    /// Where it ran.
    pub directory: PathBuf,
    /// The program to load.
    pub file: PathBuf,
    pub symbolic_bytes: usize,
    max_symbolic: usize,
    /// What is not analysed about it.
    pub notes: Vec<String>,
    /// An earlier run with the very same input, which printed the same and ended in the same way.
    pub same_as: Option<usize>,
    /// The same for such runs.
    fingerprint: u64,
}

/// A recorded run with all that is known of it.
pub struct Test {
    pub recording: Recording,
    pub file: PathBuf,
    /// What is symbolic, and the bytes it had.
    pub inputs: Vec<Seed>,
    notes: Vec<String>,
    /// The same for runs that were given the same.
    fingerprint: u64,
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
        let mut subjects = Self {
            recording: recording.to_owned(),
            all: Vec::new(),
            unreadable: Vec::new(),
            n_others: 0,
            n_left_out: 0,
        };
        let programs = Programs::of(recording)?;
        for place in list(recording)? {
            let read = match Recording::read(&place) {
                Ok(read) => read,
                Err(error) => {
                    subjects.unreadable.push(error.to_string());
                    continue;
                }
            };
            let name = name_of(&read.program);
            if !args.program.is_empty() && !args.program.contains(&name) {
                subjects.n_others += 1;
                continue;
            }
            let file = programs.file(&read);
            subjects.all.push(Subject::new(place, read, file, args.max_symbolic));
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
            match first.get(&subject.fingerprint) {
                Some(&earlier) => subject.same_as = Some(earlier),
                None => {
                    first.insert(subject.fingerprint, number);
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
    fn new(place: PathBuf, recording: Recording, file: PathBuf, max_symbolic: usize) -> Self {
        let Test { recording, file, inputs, notes, fingerprint } =
            Test::new(recording, file, max_symbolic);
        Self {
            place,
            id: recording.id,
            program: recording.program,
            argv: recording.argv,
            directory: recording.cwd,
            file,
            symbolic_bytes: inputs.iter().map(|seed| seed.bytes.len()).sum(),
            max_symbolic,
            notes,
            same_as: None,
            fingerprint,
        }
    }

    /// All of it.
    pub fn open(&self) -> Result<Test> {
        let recording = Recording::read(&self.place)?;
        Ok(Test::new(recording, self.file.clone(), self.max_symbolic))
    }

    /// The name of its program.
    pub fn program(&self) -> String {
        name_of(&self.program)
    }

    /// The command line, as a user would type it.
    pub fn command(&self) -> String {
        let words = self.argv.iter().map(|word| fathom_report::shell_quote(word));
        words.collect::<Vec<_>>().join(" ")
    }
}

impl Test {
    fn new(recording: Recording, file: PathBuf, max_symbolic: usize) -> Self {
        let notes = recording.notes.clone();
        let mut test = Self { recording, file, inputs: Vec::new(), notes, fingerprint: 0 };
        let mut room = max_symbolic;
        let all = test.all_inputs();
        test.fingerprint = test.fingerprint_with(&all);
        for (place, bytes) in all {
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
                test.notes.push(what);
            }
            if !seed.bytes.is_empty() {
                test.inputs.push(seed);
            }
        }
        test
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
                Source::Stream { bytes, .. } => bytes.clone(),
                Source::Nothing => Vec::new(),
            };
            inputs.push((SeedPlace::Stdin, bytes));
        }
        let mut seen = BTreeSet::new();
        let named = named_files(&self.recording);
        for fact in &self.recording.facts {
            let Ok(found) = &fact.found else { continue };
            let is_input = match &found.what {
                What::Contents(_) => fact.path != self.recording.program,
                What::Stream(_) => found.stat.is_stream(),
                _ => false,
            };
            if !is_input || !seen.insert(fact.path.clone()) {
                continue;
            }
            let is_named = fact.path.file_name().is_some_and(|name| named.contains(name));
            if !is_named && !found.stat.is_stream() && self.is_system(&fact.path) {
                let path = fact.path.display();
                self.notes.push(format!("{path}: not symbolic, it belongs to the system"));
                continue;
            }
            let bytes = match &found.what {
                What::Contents(blob) => fs::read(blob),
                What::Stream(bytes) => Ok(bytes.clone()),
                _ => continue,
            };
            match bytes {
                Ok(bytes) => inputs.push((SeedPlace::File(fact.path.clone()), bytes)),
                Err(error) => self.notes.push(format!("{}: {error}", fact.path.display())),
            }
        }
        let others: Vec<String> = self.other_streams().into_iter().map(|(name, _)| name).collect();
        let note = |name| format!("{name}: what was read from it is not symbolic");
        self.notes.extend(others.into_iter().filter(|name| name != OWN_PIPE).map(note));
        inputs
    }

    /// Whether a file is the same for all tests and no part of this one.
    fn is_system(&self, path: &Path) -> bool {
        let cwd = Some(self.recording.cwd.as_path());
        let own = [cwd, self.recording.program.parent()];
        let is_own = |own: &&Path| own.parent().is_some() && path.starts_with(own);
        SYSTEM.iter().any(|system| path.starts_with(system))
            && !own.into_iter().flatten().any(|own| is_own(&own))
    }

    /// What else was read, and from where: other descriptors that the program was given, devices,
    /// sockets, pipes from its children.
    fn other_streams(&self) -> Vec<(String, &[u8])> {
        let Recording { descriptors, streams, facts, .. } = &self.recording;
        let stdin = descriptors.iter().find(|it| it.fd == 0).map(|it| &it.path);
        let given = descriptors.iter().filter(|it| it.fd != 0 && Some(&it.path) != stdin);
        let given = given.filter_map(|it| match &it.source {
            Source::Stream { bytes, .. } => {
                Some((format!("descriptor {}", it.fd), bytes.as_slice()))
            }
            _ => None,
        });
        let is_input = |fact: &&Fact| fact.found.as_ref().is_ok_and(|found| found.stat.is_stream());
        let inputs: BTreeSet<&[u8]> =
            facts.iter().filter(is_input).map(|fact| fact.path.as_os_str().as_bytes()).collect();
        // What the system says of itself is an answer of the moment, as the time is.
        let is_answer = |path: &[u8]| path.starts_with(b"/proc/") || path.starts_with(b"/sys/");
        let opened = streams.iter().filter(|it| !is_answer(&it.path) && !it.is_random());
        let opened = opened.filter(|it| !inputs.contains(it.path.as_slice()));
        let opened =
            opened.map(|it| (String::from_utf8_lossy(&it.path).into_owned(), it.bytes.as_slice()));
        given.chain(opened).filter(|(_, bytes)| !bytes.is_empty()).collect()
    }

    fn fingerprint_with(&self, inputs: &[(SeedPlace, Vec<u8>)]) -> u64 {
        let recording = &self.recording;
        let mut hasher = DefaultHasher::new();
        (&self.file, &recording.argv, &recording.env, recording.umask).hash(&mut hasher);
        recording.limits.hash(&mut hasher);
        inputs.hash(&mut hasher);
        self.other_streams().iter().for_each(|(_, bytes)| bytes.hash(&mut hasher));
        // What else was different, such as directories that were there, mostly shows in these.
        (&recording.output, recording.end).hash(&mut hasher);
        hasher.finish()
    }
}

/// Last names of the files that the arguments may speak of, as `DIR/NAME` or `--option=DIR/NAME`,
/// and of what these lead to where they are links.
fn named_files(recording: &Recording) -> BTreeSet<OsString> {
    let last = |path: &[u8]| {
        let at = path.iter().rposition(|byte| b"/=".contains(byte)).map_or(0, |at| at + 1);
        OsString::from_vec(path[at..].to_vec())
    };
    let mut names: BTreeSet<_> = recording.argv.iter().skip(1).map(|arg| last(arg)).collect();
    let mut n_known = 0;
    while names.len() > n_known {
        n_known = names.len();
        for fact in &recording.facts {
            let found = fact.found.as_ref().map(|found| &found.what);
            if let (Ok(What::Target(target)), Some(name)) = (found, fact.path.file_name())
                && names.contains(name)
            {
                names.insert(last(target));
            }
        }
    }
    names
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

fn list(recording: &Path) -> Result<Vec<PathBuf>> {
    if !recording.is_dir() {
        bail!("the recording {} is not a directory", recording.display());
    }
    Ok(fathom_record::files(recording)?)
}

/// The programs of a recording, each once, and how many runs of them there are.
pub fn programs(recording: &Path) -> Result<(Images, usize)> {
    let places = list(recording)?;
    let read = places.iter().flat_map(|place| Recording::read(place));
    Ok((read.map(|read| (read.program, read.image)).collect(), places.len()))
}
