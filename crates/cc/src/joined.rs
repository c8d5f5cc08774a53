//! Objects that a plain `ld -r` made, alone or in archives.
//!
//! `ld -r`, run by a build system directly, joins the bitcode sections of its inputs like any
//! other, and no reader accepts the result. For the bitcode link such an object is replaced by one
//! whose section holds the modules linked into one.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::{self, Archive};
use crate::bitcode;
use crate::elf::{Elf, NewSection};
use crate::error::Error;
use crate::link::Link;
use crate::process::{Run, exit_code};
use crate::section;

impl Link<'_> {
    /// The object or archive `input`, or a copy in which each object has one module.
    pub(crate) fn with_single_modules(&self, input: &Path) -> Result<PathBuf, Error> {
        // The linker says what is wrong with a file that cannot be read.
        let Ok(bytes) = fs::read(input) else { return Ok(input.into()) };
        let changed = match Archive::open(input) {
            archive if archive.members().any(|(_, object)| is_joined(&object)) => {
                let members = archive.members().map(|(name, object)| {
                    let single = is_joined(&object).then(|| self.single(&object)).transpose()?;
                    Ok((name, single.map_or(object, Cow::Owned)))
                });
                archive::encode(members.collect::<Result<Vec<_>, Error>>()?.into_iter())
            }
            _ if is_joined(&bytes) => self.single(&bytes)?,
            _ => return Ok(input.into()),
        };
        let path = self.replacement(input);
        fs::write(&path, changed).map_err(|error| Error::io(&path, error))?;
        Ok(path)
    }

    /// Where the copy of `input` goes.
    fn replacement(&self, input: &Path) -> PathBuf {
        self.temp.join(format!("joined{}", input.to_string_lossy().replace('/', "%")))
    }

    /// The input that a path in the linker's trace stands for.
    pub(crate) fn replaced(&self, traced: &str) -> String {
        let prefix = self.temp.join("joined");
        match traced.strip_prefix(&*prefix.to_string_lossy()) {
            Some(name) => name.replace('%', "/"),
            None => traced.into(),
        }
    }

    fn single(&self, object: &[u8]) -> Result<Vec<u8>, Error> {
        let output = self.temp.join("single.bc");
        let mut args: Vec<OsString> =
            ["-r", "--lto-emit-llvm", "--lto-O0", "-o"].map(OsString::from).to_vec();
        args.push(output.clone().into());
        for (i, module) in modules(object).iter().enumerate() {
            let part = self.temp.join(format!("part{i}.bc"));
            fs::write(&part, module).map_err(|error| Error::io(&part, error))?;
            args.push(part.into());
        }
        let linked = Run { tool: &self.tools.lld, args, stdin: None }.output(self.temp)?;
        if exit_code(&linked) != 0 {
            return Err(self.bitcode_failed("joining modules", &linked.stderr));
        }
        let bitcode = fs::read(&output).map_err(|error| Error::io(&output, error))?;
        let elf = Elf::parse(object).expect("its modules were read");
        let name = section::OBJECT_BITCODE;
        Ok(elf.with_sections(&[NewSection { name, bytes: &bitcode, exclude: true }]))
    }
}

fn is_joined(object: &[u8]) -> bool {
    modules(object).len() > 1
}

/// The modules in an object's bitcode section.
fn modules(object: &[u8]) -> Vec<&[u8]> {
    let bitcode = Elf::parse(object).ok().and_then(|elf| elf.section(section::OBJECT_BITCODE));
    bitcode.and_then(bitcode::split).unwrap_or_default()
}
