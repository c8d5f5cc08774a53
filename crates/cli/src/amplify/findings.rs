//! Bugs that several tests may come upon, each once, with the nearest test first.

use std::collections::BTreeMap;

use fathom_report::{Finding, Site};

use super::change::{self, Change};
use super::outcome::Found;
use super::subject::Subject;

/// A bug and all tests that come upon it.
pub struct Merged {
    pub finding: Finding,
    pub program: String,
    /// By test: at which distance it exposes the bug.
    pub exposed: BTreeMap<usize, u32>,
    /// The test that needs the least.
    pub nearest: Nearest,
    /// How long after the start of the analysis it was first found.
    pub seconds: f64,
}

/// How a test exposes a bug.
pub struct Nearest {
    pub test: usize,
    pub distance: u32,
    pub depth: u32,
    pub changes: Vec<Change>,
}

impl Nearest {
    /// Less is nearer.
    fn rank(&self) -> (u32, usize, usize) {
        (self.distance, change::size(&self.changes), self.test)
    }
}

impl Merged {
    pub fn new(found: Found, program: String, test: usize, distance: u32, seconds: f64) -> Self {
        let nearest = Nearest { test, distance, depth: found.depth, changes: found.changes };
        let exposed = BTreeMap::from([(test, distance)]);
        Self { finding: found.finding, program, exposed, nearest, seconds }
    }

    pub fn is(&self, site: &Site) -> bool {
        self.finding.site == *site
    }

    /// Another test exposes it, too; whether that is the nearest now.
    pub fn add(&mut self, found: Found, test: usize, distance: u32) -> bool {
        let at = self.exposed.entry(test).or_insert(distance);
        *at = (*at).min(distance);
        let nearest = Nearest { test, distance, depth: found.depth, changes: found.changes };
        if nearest.rank() >= self.nearest.rank() {
            return false;
        }
        let test = self.finding.test;
        self.finding = Finding { test, ..found.finding };
        self.nearest = nearest;
        true
    }

    /// Puts the nearest test into the text for people.
    pub fn describe(&mut self, subject: &Subject) {
        let Nearest { distance, depth, changes, .. } = &self.nearest;
        let change = match changes.is_empty() {
            true => "The test itself shows it.\n".to_owned(),
            false => format!("Changes to the test:\n{}", change::render(changes)),
        };
        let decisions = std::mem::take(&mut self.finding.explanation);
        self.finding.explanation = format!(
            "Test: {}\nDistance {distance}, depth {depth}.\n{change}\n{decisions}",
            subject.command()
        );
    }
}
