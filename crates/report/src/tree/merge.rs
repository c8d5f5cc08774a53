//! One tree out of the trees of several processes that explored one program together.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use super::log::{Log, Record};
use super::numbers::StateNumbers;
use super::writer::TreeWriter;
use crate::Result;

/// The tree of one process.
pub struct TreePart {
    pub path: PathBuf,
    /// It made the states from this number on, up to the next part's first.
    pub first_state: u32,
    /// The numbers that its tests have now, 0 for those left out; nothing if they are the same.
    pub tests: Option<Vec<u64>>,
}

/// A log being read.
struct Source {
    log: Log,
    /// The record that was read last and has to wait.
    next: Option<Record>,
    texts: Vec<String>,
    /// The numbers that its sites have in the tree of all.
    sites: Vec<u32>,
    tests: Option<Vec<u64>>,
}

/// Writes the tree of all `parts`, which are in the order of their states, into `dir`. What a
/// process says of a state that another one made waits until that one has told of it. States are
/// numbered anew: returns the new numbers, too.
pub fn merge(dir: &Path, parts: Vec<TreePart>) -> Result<(TreeWriter, StateNumbers)> {
    let firsts: Vec<u32> = parts.iter().map(|part| part.first_state).collect();
    let maker = |state: u32| firsts.partition_point(|&first| first <= state).saturating_sub(1);
    let mut sources = VecDeque::new();
    for (number, TreePart { path, tests, .. }) in parts.into_iter().enumerate() {
        let (texts, sites) = (Vec::new(), Vec::new());
        let source = Source { log: Log::open(&path)?, next: None, texts, sites, tests };
        sources.push_back((number, source));
    }
    let mut merged = Merged { writer: TreeWriter::create(dir)?, numbers: StateNumbers::default() };
    // How many sources in a row could not go on: if none can, a process was lost, and what waits
    // for it waits no more.
    let mut waiting = 0;
    while let Some((number, mut source)) = sources.pop_front() {
        let mut must_go_on = waiting >= sources.len();
        waiting += 1;
        loop {
            let record = match source.next.take() {
                Some(record) => record,
                None => match source.log.next()? {
                    Some(record) => record,
                    None => {
                        waiting = 0;
                        break;
                    }
                },
            };
            let unheard = |state| maker(state) != number && !merged.numbers.contains(state);
            if subject(&record).is_some_and(unheard) && !must_go_on {
                source.next = Some(record);
                sources.push_back((number, source));
                break;
            }
            (waiting, must_go_on) = (0, false);
            merged.add(record, &mut source);
        }
    }
    merged.writer.finish()?;
    Ok((merged.writer, merged.numbers))
}

/// The state that a record speaks of.
fn subject(record: &Record) -> Option<u32> {
    match record {
        Record::Fork { parent, .. } => Some(*parent),
        Record::Bug { state, .. } | Record::End { state, .. } => Some(*state),
        Record::Text(_) | Record::Site { .. } => None,
    }
}

struct Merged {
    writer: TreeWriter,
    numbers: StateNumbers,
}

impl Merged {
    fn add(&mut self, record: Record, source: &mut Source) {
        let test = |test: u64| match (&source.tests, test.checked_sub(1)) {
            (Some(tests), Some(at)) => tests.get(at as usize).copied().unwrap_or(0),
            _ => test,
        };
        match record {
            Record::Text(text) => source.texts.push(text),
            Record::Site { function, file, line } => {
                let text =
                    |number: u32| source.texts.get(number as usize).map_or("", String::as_str);
                source.sites.push(self.writer.site(text(function), text(file), line));
            }
            Record::Fork { parent, child, site } => {
                let site = match source.sites.get(site as usize) {
                    Some(&site) => site,
                    None => self.writer.site("", "", 0),
                };
                let (parent, child) = (self.numbers.number(parent), self.numbers.number(child));
                self.writer.fork(parent, child, site);
            }
            Record::Bug { state, test: number } => {
                let state = self.numbers.number(state);
                self.writer.bug(state, test(number));
            }
            Record::End { state, how, test: number } => {
                let state = self.numbers.number(state);
                self.writer.end(state, how, test(number));
            }
        }
    }
}
