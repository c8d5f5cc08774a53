//! What went into a link: the commands behind it, and what the bitcode lacks.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::archive::Archive;
use crate::args::Item;
use crate::bitcode;
use crate::elf::Elf;
use crate::error::Error;
use crate::link::Link;
use crate::process::{Run, verbose};
use crate::section::{self, Command, NativeInput};

impl Link<'_> {
    /// The commands kept in the objects that went into the link, and the inputs without bitcode.
    pub(crate) fn collect(&self, trace: &str) -> (Vec<Command>, Vec<NativeInput>) {
        let mut commands = Vec::new();
        let mut native = Vec::new();
        let mut archives = HashMap::new();
        for line in self.linked_files(trace) {
            let (archive, objects) = traced_objects(line, &mut archives);
            for object in objects {
                let Ok(elf) = Elf::parse(&object) else { continue };
                let kept =
                    section::json_lines::<Command>(Path::new(line), elf.section(section::COMMANDS));
                commands.extend(kept.unwrap_or_default().into_iter().map(|command| Command {
                    archive: command.archive.or_else(|| archive.clone()),
                    ..command
                }));
                native.extend(self.native_inputs(line, &elf));
            }
        }
        if verbose() {
            for NativeInput { input, reason } in &native {
                eprintln!("fathom-cc: {input}: native code only ({reason})");
            }
        }
        (commands, native)
    }

    fn native_inputs(&self, line: &str, elf: &Elf<'_>) -> Vec<NativeInput> {
        let mut noted: Vec<NativeInput> =
            section::json_lines(Path::new(line), elf.section(section::NATIVE)).unwrap_or_default();
        let temporary = self.objects.iter().any(|object| object == Path::new(line));
        if elf.section(section::OBJECT_BITCODE).is_none() {
            if noted.is_empty() {
                let reason = "built by another compiler".into();
                noted.push(NativeInput { input: line.into(), reason });
            } else if !temporary {
                noted.truncate(1);
                noted[0].input = line.into();
            }
        }
        noted
    }

    /// C99's plain `inline` functions without an external definition. The native half has them
    /// where they were inlined; unoptimised code calls a function that is nowhere.
    pub(crate) fn lost_inlines(&self, program: &Path) -> Result<Vec<NativeInput>, Error> {
        let bitcode = self.temp.join("program.bc");
        if !bitcode.exists() {
            return Ok(Vec::new());
        }
        let args = ["-u"].map(OsString::from).into_iter().chain([bitcode.into()]).collect();
        let output = Run { tool: &self.tools.nm, args, stdin: None }.output(self.temp)?;
        let bytes = fs::read(program).map_err(|error| Error::io(program, error))?;
        let Ok(elf) = Elf::parse(&bytes) else { return Ok(Vec::new()) };
        let native = elf.defined_symbols();
        if native.is_empty() {
            return Ok(Vec::new()); // stripped: nothing to compare with
        }
        let libc = Archive::open(&self.tools.lib("libc.a"));
        let libc = libc.symbols();
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        // A weak one (`w`) may well be null.
        let strong = names.lines().filter_map(|line| line.trim().strip_prefix("U "));
        let is_lost = |name: &&str| {
            let name = name.as_bytes();
            !native.contains(name) && !libc.contains(name) && !name.starts_with(b"__fathom")
        };
        let lost = strong.filter(is_lost).map(|name| {
            eprintln!(
                "fathom-cc: warning: {}: the bitcode has no body for '{name}'; if it is an inline function, make it \
                 static or compile with -fgnu89-inline",
                program.display()
            );
            NativeInput { input: name.into(), reason: "inline function without an external definition".into() }
        });
        Ok(lost.collect())
    }

    /// The lines of the trace, and the objects that went in as their parts.
    fn linked_files<'a>(&'a self, trace: &'a str) -> impl Iterator<Item = &'a str> {
        let joined = self.args.items.iter().filter_map(|item| match item {
            Item::Object(path) if !joined_modules(&fs::read(path).ok()?).is_empty() => {
                path.to_str()
            }
            _ => None,
        });
        trace.lines().chain(joined)
    }
}

/// The objects behind one line of the linker's trace, `file.o` or `lib.a(file.o)`.
fn traced_objects(
    line: &str,
    archives: &mut HashMap<String, Archive>,
) -> (Option<String>, Vec<Vec<u8>>) {
    if let Ok(bytes) = fs::read(line) {
        return (None, vec![bytes]);
    }
    let Some((path, member)) = line.strip_suffix(')').and_then(|line| line.rsplit_once('(')) else {
        return (None, Vec::new());
    };
    let archive = archives.entry(path.into()).or_insert_with(|| Archive::open(Path::new(path)));
    (Some(path.into()), archive.named(member))
}

/// The modules in an object's bitcode section if there are several.
pub(crate) fn joined_modules(object: &[u8]) -> Vec<&[u8]> {
    let bitcode = Elf::parse(object).ok().and_then(|elf| elf.section(section::OBJECT_BITCODE));
    bitcode.and_then(bitcode::split).filter(|modules| modules.len() > 1).unwrap_or_default()
}
