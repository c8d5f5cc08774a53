//! What a run did not do exactly, kept so that nothing is lost in silence.

use fathom_ir::LocId;

use crate::outcome::Site;

/// One kind of shortfall at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub what: String,
    pub site: Site,
    pub count: u64,
}

/// The entries in the order they first occurred.
#[derive(Debug, Default)]
pub struct Ledger {
    entries: Vec<Entry>,
}

impl Ledger {
    /// Records `what` at `site`; the same thing at the same place is counted.
    pub fn record(&mut self, site: Site, what: impl Into<String>) {
        self.record_many(site, what, 1);
    }

    /// Records that the same thing happened `count` times.
    pub fn record_many(&mut self, site: Site, what: impl Into<String>, count: u64) {
        if count == 0 {
            return;
        }
        let what = what.into();
        let same = |entry: &&mut Entry| entry.site == site && entry.what == what;
        match self.entries.iter_mut().find(same) {
            Some(entry) => entry.count += count,
            None => self.entries.push(Entry { what, site, count }),
        }
    }

    /// Adds what another one has.
    pub fn append(&mut self, other: Ledger) {
        for Entry { what, site, count } in other.entries {
            self.record_many(site, what, count);
        }
    }

    /// Whether `what` was recorded at `site` before.
    pub fn has(&self, site: Site, what: &str) -> bool {
        self.entries.iter().any(|entry| entry.site == site && entry.what == what)
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A site nothing is known about.
pub const NOWHERE: Site = Site { function: fathom_ir::FuncId(u32::MAX), loc: LocId(0) };
