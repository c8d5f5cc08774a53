//! What is written down of every run: enough to make all tables and plots again, and to go on with
//! the benchmark on another machine.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::cover::Cover;
use super::outcome::Outcome;
use super::plan::Plan;
use crate::json;
use crate::tree::Tree;

/// All that a run's results depend on.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// Of fathom and the program, as they were built.
    pub build: String,
    /// Of the options, the inputs and the seed.
    pub given: String,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    cause: Cause,
    /// Names the file with the sizes of the program's blocks.
    blocks: String,
    /// A bit for each of them.
    covered: String,
    outcome: Outcome,
}

pub struct Store {
    dir: PathBuf,
}

impl Store {
    /// Beside the tables where those are to be of these runs, else in the cache.
    pub fn new(tree: &Tree, is_beside_tables: bool) -> Self {
        let dir = match is_beside_tables {
            true => tree.repo.join("bench/pending/runs"),
            false => tree.cache.join("bench-pending"),
        };
        Self { dir }
    }

    /// The outcome of a run for the same cause; of another build, too, where that is good enough.
    pub fn find(
        &self,
        plan: &Plan,
        cause: &Cause,
        any_build: bool,
    ) -> Result<Option<Outcome>, String> {
        let path = self.place(plan);
        if !path.exists() {
            return Ok(None);
        }
        let kept: Kept = json::object(&path)?;
        if kept.cause.given != cause.given || kept.cause.build != cause.build && !any_build {
            return Ok(None);
        }
        let instructions = json::object(&self.blocks(plan, &kept.blocks))?;
        let cover = Cover::from_bits(instructions, &kept.covered)
            .ok_or_else(|| format!("{}: not a bit for every block", path.display()))?;
        Ok(Some(Outcome { cover, ..kept.outcome }))
    }

    pub fn keep(&self, plan: &Plan, cause: Cause, outcome: &Outcome) -> Result<(), String> {
        let instructions = outcome.cover.instructions();
        let blocks = hash_of(&instructions);
        let path = self.blocks(plan, &blocks);
        if !path.exists() {
            write(&path, &json::text_of(&instructions))?;
        }
        let covered = outcome.cover.bits();
        let kept = Kept { cause, blocks, covered, outcome: outcome.clone() };
        write(&self.place(plan), &json::text_of(&kept))
    }

    fn place(&self, plan: &Plan) -> PathBuf {
        let name = plan.name().replace(" #", " ").replace(' ', "-");
        self.dir.join(format!("{name}-{}s.json", plan.cpu_seconds))
    }

    fn blocks(&self, plan: &Plan, hash: &str) -> PathBuf {
        self.dir.join(format!("blocks-{}-{hash}.json", plan.subject.name))
    }
}

/// Whole or not at all: a benchmark may be stopped at any moment.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(path.parent().expect("in a directory")).map_err(failed)?;
    let fresh = path.with_extension("new");
    fs::write(&fresh, text.to_owned() + "\n").map_err(failed)?;
    fs::rename(&fresh, path).map_err(failed)
}

pub fn hash_of(what: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
