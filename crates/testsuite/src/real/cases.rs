//! The form of `tests/real/*.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::directives::words;

/// A source package, how it is built, and what is run of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// The file's name without its extension.
    #[serde(skip)]
    pub name: String,
    /// Debian's name of the source package.
    pub source: String,
    /// The archive to take instead, where mirrors do not hold all of the package.
    pub archive: Option<Archive>,
    /// Packages to build first; their source trees are in `$DEP_<name>`.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Commands of the host that the build uses, with the Debian package of each.
    #[serde(default)]
    pub tools: BTreeMap<String, String>,
    /// A shell script run in the source tree with `$CC`, `$CFLAGS`.
    pub build: String,
    /// Where the build leaves programs, as directories of the source tree.
    #[serde(default)]
    pub programs: Vec<String>,
    #[serde(default, rename = "case")]
    cases: Vec<Case>,
}

/// A source archive somewhere.
#[derive(Deserialize, Hash)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    pub url: String,
    pub sha256: String,
}

/// One invocation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    /// The command line: split at blanks, single quotes keep a word together.
    pub run: String,
    /// The native exit status, so that a case cannot test the wrong thing unnoticed.
    #[serde(default)]
    pub status: i32,
    #[serde(default)]
    pub stdin: String,
    /// Standard input is this file of the source tree.
    pub stdin_source: Option<String>,
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Files of the source tree put in the working directory.
    #[serde(default)]
    pub copy: Vec<String>,
    /// A shell script that prepares the working directory.
    #[serde(default)]
    pub prepare: String,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Lines of the output that begin so depend on the moment and are not compared.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// A true defect of the program, which stops it in fathom: words of the report.
    pub bug: Option<String>,
    /// Let writes through to the host and compare the files too.
    #[serde(default)]
    pub host_writes: bool,
    /// Part of plain `./x test`.
    #[serde(default)]
    pub quick: bool,
    /// Seconds.
    #[serde(default = "default_timeout")]
    pub timeout: u64,
}

fn default_timeout() -> u64 {
    120
}

impl Package {
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut package: Self = toml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
        package.name = name.to_string();
        Ok(package)
    }

    /// The cases whose `package/name` contains the filter.
    pub fn cases(&self, filter: &str, quick: bool) -> Vec<&Case> {
        let wanted = |case: &&Case| {
            (case.quick || !quick) && format!("{}/{}", self.name, case.name).contains(filter)
        };
        self.cases.iter().filter(wanted).collect()
    }
}

impl Case {
    pub fn argv(&self) -> Vec<String> {
        words(&self.run)
    }
}
