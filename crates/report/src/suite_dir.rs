//! The directory of an amplified test suite: bugs as a run has them, and tables about the tests.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run_dir::{Place, bug_dir, create_at};
use crate::{Error, Finding, Result, TestCase, plain, sarif, write};

/// The only writer of such a directory.
pub struct SuiteDir {
    path: PathBuf,
    bug_stems: HashMap<String, u32>,
}

impl SuiteDir {
    pub fn create(place: &Place) -> Result<SuiteDir> {
        let path = create_at(place)?;
        write::create_dir(&path.join("bugs"))?;
        Ok(SuiteDir { path, bug_stems: HashMap::new() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a finding's directory, with the input of `test`.
    pub fn bug(&mut self, finding: &Finding, test: &TestCase) -> Result<PathBuf> {
        let dir = bug_dir(&self.path, finding, &mut self.bug_stems);
        write_bug(&dir, finding, test)?;
        Ok(dir)
    }

    /// Writes it again, where a better input was found.
    pub fn bug_again(&mut self, dir: &Path, finding: &Finding, test: &TestCase) -> Result<()> {
        fs::remove_dir_all(dir).map_err(Error::write(dir))?;
        write_bug(dir, finding, test)
    }

    /// Writes one of the files at the top, whole.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> Result<()> {
        write::replace_file(&self.path.join(name), text)
    }

    /// The findings, for code hosts and editors.
    pub fn sarif(&self, findings: &[Finding]) -> Result<()> {
        self.file("findings.sarif", sarif::sarif(findings))
    }
}

fn write_bug(dir: &Path, finding: &Finding, test: &TestCase) -> Result<()> {
    write::replace_dir(dir, |dir| {
        plain::write_plain(dir, finding.test, test)?;
        finding.write(dir)
    })
}
