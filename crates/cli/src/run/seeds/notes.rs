//! Counts what happened to seeds, so that thousands of them make a few lines.

/// Reasons told apart; what differs in every seed is not worth a line each.
const MAX_REASONS: usize = 20;

#[derive(Debug, Default)]
pub struct Notes {
    notes: Vec<Note>,
}

#[derive(Debug)]
struct Note {
    what: String,
    count: usize,
    first: String,
    is_skip: bool,
}

impl Notes {
    /// Something was done to a seed.
    pub fn count(&mut self, what: &str) {
        self.add(what, "", false);
    }

    /// The seed `name` is not used.
    pub fn skip(&mut self, why: &str, name: &str) {
        let known = self.notes.iter().any(|note| note.is_skip && note.what == why);
        let n_reasons = self.notes.iter().filter(|note| note.is_skip).count();
        let why = if known || n_reasons < MAX_REASONS { why } else { "for other reasons" };
        self.add(why, name, true);
    }

    fn add(&mut self, what: &str, name: &str, is_skip: bool) {
        let same = |note: &&mut Note| note.is_skip == is_skip && note.what == what;
        if let Some(note) = self.notes.iter_mut().find(same) {
            note.count += 1;
            return;
        }
        self.notes.push(Note { what: what.into(), count: 1, first: name.into(), is_skip });
    }

    pub fn lines(&self) -> Vec<String> {
        self.notes.iter().map(Note::line).collect()
    }
}

impl Note {
    fn line(&self) -> String {
        let Note { what, count, first, is_skip } = self;
        let seeds = if *count == 1 { "seed" } else { "seeds" };
        match (is_skip, count) {
            (false, _) => format!("{what}: {count} {seeds}"),
            (true, 1) => format!("seed {first} skipped: {what}"),
            (true, _) => format!("{count} seeds skipped: {what} (first {first})"),
        }
    }
}
