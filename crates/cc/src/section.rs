//! What we keep in objects and executables, and how to get it back.
//!
//! | section | in | holds |
//! |---|---|---|
//! | `.llvm.lto` | objects | bitcode, where the linker looks for it |
//! | `.fathom.bc` | executables | sealed bitcode of the whole program, C library included |
//! | `.fathom.cmd` | both | the commands that made it, one JSON object a line |
//! | `.fathom.native` | both | why there is no bitcode, or which inputs had none |

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::elf::{Defect, Elf, Kind, NewSection};
use crate::error::Error;
use crate::seal::{self, Broken};

pub(crate) const OBJECT_BITCODE: &str = ".llvm.lto";
pub(crate) const PROGRAM_BITCODE: &str = ".fathom.bc";
pub(crate) const COMMANDS: &str = ".fathom.cmd";
pub(crate) const NATIVE: &str = ".fathom.native";

/// A compile or link that went into a file; the names are those of `compile_commands.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Where it ran.
    pub directory: String,
    /// As typed, response files expanded, the compiler's name first.
    pub arguments: Vec<String>,
    /// The source of a compile; absent for a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub output: String,
    /// The archive its object was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
}

/// An input of a link that is in the native program but not in the bitcode.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NativeInput {
    /// `dir/file.o` or `lib.a(file.o)`
    pub input: String,
    /// "assembler source" or "built by another compiler"
    pub reason: String,
}

/// The whole-program bitcode attached to an executable, byte for byte as it was attached.
pub fn extract(executable: &Path) -> Result<Vec<u8>, Error> {
    let bytes = read(executable)?;
    let elf = parse(executable, &bytes)?;
    if let Some(sealed) = elf.section(PROGRAM_BITCODE) {
        return match seal::open(sealed) {
            Ok(bitcode) => Ok(bitcode.to_vec()),
            Err(Broken::Unsealed) => Err(Error::Unsealed(executable.into())),
            Err(Broken::Damaged) => Err(Error::Damaged(executable.into())),
        };
    }
    let reason = match elf.kind() {
        _ if !elf.is_x86_64() => "it is not for x86-64",
        Kind::Relocatable => "it is an object file, not a linked program",
        Kind::Dynamic if !elf.is_dynamic() => "it is not a program",
        _ if elf.is_dynamic() => "it is dynamically linked, so another compiler made it",
        _ if elf.section(COMMANDS).is_some() => {
            "it was linked by fathom-cc as a configuration probe"
        }
        _ => "another compiler made it, or llvm-strip removed the section",
    };
    Err(Error::NoBitcode(executable.into(), reason))
}

/// The compile and link commands kept in an object or executable; none if it was not made by us.
pub fn commands(path: &Path) -> Result<Vec<Command>, Error> {
    let bytes = read(path)?;
    json_lines(path, parse(path, &bytes)?.section(COMMANDS))
}

/// The inputs of an executable that are native code only.
pub fn native_inputs(path: &Path) -> Result<Vec<NativeInput>, Error> {
    let bytes = read(path)?;
    json_lines(path, parse(path, &bytes)?.section(NATIVE))
}

/// Adds sections to the file, in place.
pub(crate) fn attach(path: &Path, sections: &[NewSection<'_>]) -> Result<(), Error> {
    let bytes = read(path)?;
    let changed = parse(path, &bytes)?.with_sections(sections);
    fs::write(path, changed).map_err(|error| Error::io(path, error))
}

pub(crate) fn to_json_lines<T: Serialize>(items: &[T]) -> String {
    let line = |item| serde_json::to_string(item).expect("strings always serialise") + "\n";
    items.iter().map(line).collect()
}

pub(crate) fn json_lines<T: for<'a> Deserialize<'a>>(
    path: &Path,
    section: Option<&[u8]>,
) -> Result<Vec<T>, Error> {
    let text = String::from_utf8_lossy(section.unwrap_or_default());
    let parse_line = |line| {
        serde_json::from_str(line).map_err(|error| {
            Error::BadSection(path.into(), format!("the kept commands do not read: {error}"))
        })
    };
    text.lines().map(parse_line).collect()
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    if path.is_dir() {
        return Err(Error::NotElf(path.into(), "it is a directory"));
    }
    fs::read(path).map_err(|error| Error::io(path, error))
}

fn parse<'a>(path: &Path, bytes: &'a [u8]) -> Result<Elf<'a>, Error> {
    let elf = Elf::parse(bytes).map_err(|defect| match defect {
        Defect::NotElf => Error::NotElf(path.into(), looks_like(bytes)),
        Defect::Is32Bit => Error::Is32Bit(path.into()),
        Defect::Truncated => Error::Truncated(path.into()),
    })?;
    match elf.has_sections() {
        true => Ok(elf),
        false => Err(Error::NoBitcode(path.into(), "it has no sections at all")),
    }
}

fn looks_like(bytes: &[u8]) -> &'static str {
    let head = &bytes[..bytes.len().min(4096)];
    let mentions = |word: &[u8]| head.windows(word.len()).any(|part| part == word);
    match head {
        [] => "the file is empty",
        [b'#', b'!', ..] if mentions(b"libtool") => {
            "it is a libtool script; the program is in .libs, or configure with --disable-shared"
        }
        [b'#', b'!', ..] => "it is a script",
        [b'B', b'C', 0xc0, 0xde, ..] => "it is bitcode already",
        _ if head.starts_with(b"!<arch>") => "it is an archive",
        _ => "unknown format",
    }
}
