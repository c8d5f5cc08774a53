//! Test suites in the exchange format of Test-Comp: `metadata.xml` and a file per test.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::zip::Zip;
use crate::{Error, InputKind, Result, TestCase, write};

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

/// What a suite says about itself.
pub struct Suite {
    /// The program's source file, as it is to be named.
    pub program_file: String,
    /// What is in it, for its hash.
    pub program: Vec<u8>,
    /// `COVER EDGES(@DECISIONEDGE)` or the like.
    pub specification: String,
}

impl Suite {
    fn metadata_xml(&self) -> String {
        let hash: String =
            Sha256::digest(&self.program).iter().map(|byte| format!("{byte:02x}")).collect();
        let rows = [
            ("sourcecodelang", "C"),
            ("producer", concat!("fathom ", env!("CARGO_PKG_VERSION"))),
            ("specification", &self.specification),
            ("programfile", &self.program_file),
            ("programhash", &hash),
            ("entryfunction", "main"),
            ("architecture", "64bit"),
            // Required, but the same tests give the same suite.
            ("creationtime", "1970-01-01T00:00:00Z"),
        ];
        let row = |(tag, text): (&str, &str)| format!("  <{tag}>{}</{tag}>\n", escape(text));
        let rows: String = rows.into_iter().map(row).collect();
        format!(
            "{DECLARATION}{}<test-metadata>\n{rows}</test-metadata>\n",
            doctype("test-metadata")
        )
    }

    /// Writes the suite into directory `to`, or into an archive where `to` ends in `.zip`.
    pub fn write(
        &self,
        to: &Path,
        tests: impl Iterator<Item = Result<(u64, TestCase)>>,
    ) -> Result<u64> {
        let mut n_tests = 0;
        let mut files = tests.map(|test| {
            test.map(|(number, test)| (format!("testcase-{number}.xml"), testcase_xml(&test)))
        });
        if to.extension().is_some_and(|extension| extension == "zip") {
            let mut zip = Zip::default();
            let mut fits = zip.add("metadata.xml", self.metadata_xml().as_bytes());
            while let Some((name, xml)) = files.next().transpose()? {
                fits &= zip.add(&name, xml.as_bytes());
                n_tests += 1;
            }
            if !fits {
                return Err(Error::format(to, "too many tests for a zip; name a directory"));
            }
            write::replace_file(to, zip.finish())?;
        } else {
            write::create_dir(to)?;
            write::write_file(&to.join("metadata.xml"), self.metadata_xml())?;
            while let Some((name, xml)) = files.next().transpose()? {
                write::write_file(&to.join(name), xml)?;
                n_tests += 1;
            }
        }
        Ok(n_tests)
    }
}

fn doctype(name: &str) -> String {
    format!(
        "<!DOCTYPE {name} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {name} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{name}-1.1.dtd\">\n"
    )
}

/// The results of the test's `__VERIFIER_nondet_*` calls, in order.
pub fn testcase_xml(test: &TestCase) -> String {
    let covers = if test.outcome.is_bug() { " coversError=\"true\"" } else { "" };
    let inputs: String = test
        .inputs
        .iter()
        .filter_map(|input| match &input.kind {
            InputKind::Nondet { c_type } => Some((c_type, value(c_type, &input.bytes))),
            _ => None,
        })
        .map(|(c_type, value)| format!("  <input type=\"{}\">{value}</input>\n", escape(c_type)))
        .collect();
    format!("{DECLARATION}{}<testcase{covers}>\n{inputs}</testcase>\n", doctype("testcase"))
}

/// A little-endian value of a C type, in decimal.
fn value(c_type: &str, bytes: &[u8]) -> String {
    match (c_type, bytes) {
        ("float", &[a, b, c, d]) => decimal(f32::from_le_bytes([a, b, c, d])),
        ("double", &[a, b, c, d, e, f, g, h]) => {
            decimal(f64::from_le_bytes([a, b, c, d, e, f, g, h]))
        }
        _ => {
            let mut wide = [0; 16];
            let len = bytes.len().min(16);
            wide[..len].copy_from_slice(&bytes[..len]);
            let unused = 128 - 8 * len.max(1) as u32;
            let shifted = i128::from_le_bytes(wide) << unused;
            match is_signed(c_type) {
                true => (shifted >> unused).to_string(),
                false => (shifted as u128 >> unused).to_string(),
            }
        }
    }
}

/// As `strtod` reads it back.
fn decimal(value: impl std::fmt::Debug) -> String {
    match format!("{value:?}").as_str() {
        "NaN" => "nan".into(),
        text => text.into(),
    }
}

/// Plain `char` is signed on x86-64; `size_t` and pointers and what is called unsigned are not.
fn is_signed(c_type: &str) -> bool {
    let first = c_type.split_whitespace().next().unwrap_or_default();
    let is_unsigned_name = ["unsigned", "_Bool", "bool", "size_t"].contains(&first)
        || ["uchar", "ushort", "uint", "ulong"].iter().any(|name| first.starts_with(name))
        || first.starts_with("__uint")
        || ["u8", "u16", "u32", "u64", "u128"].contains(&first);
    !is_unsigned_name && !c_type.contains('*')
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
