//! What went into a link: the commands behind it, and what the bitcode lacks.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::archive::Archive;
use crate::elf::Elf;
use crate::error::Error;
use crate::link::Link;
use crate::process::{Run, verbose};
use crate::section::{self, Command, NativeInput};
use crate::sysroot::Toolchain;
use crate::temp::TempDir;

impl Link<'_> {
    /// The commands kept in the objects that went into the link, and the inputs without bitcode.
    pub(crate) fn collect(&self, trace: &[u8]) -> (Vec<Command>, Vec<NativeInput>) {
        let mut commands = Vec::new();
        let mut native = Vec::new();
        let mut archives = HashMap::new();
        for line in trace.split(|&byte| byte == b'\n') {
            let (archive, objects) = traced_objects(line, &mut archives);
            let archive = archive.map(|path| self.replaced(&path.to_string_lossy()));
            let line = &*self.replaced(&String::from_utf8_lossy(line));
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
        let bytes = fs::read(program).map_err(|error| Error::io(program, error))?;
        let Ok(elf) = Elf::parse(&bytes) else { return Ok(Vec::new()) };
        let native = elf.defined_symbols();
        if native.is_empty() {
            return Ok(Vec::new()); // stripped: nothing to compare with
        }
        let libc = Archive::open(&self.tools.lib("libc.a"));
        let libc = libc.symbols();
        // A weak one may well be null.
        let mut lost = symbols(self.tools, self.temp, &["-u", "--no-weak"], &bitcode)?;
        lost.retain(|name| {
            let name = name.as_bytes();
            let of_engine = name.starts_with(b"__fathom") || name.starts_with(b"__ubsan_handle_");
            !native.contains(name) && !libc.contains(name) && !of_engine
        });
        if !lost.is_empty() {
            let kept = self.inline_bodies(&bitcode)?;
            lost.retain(|name| !kept.contains(name));
        }
        for name in &lost {
            eprintln!(
                "fathom-cc: warning: {}: the bitcode has no body for '{name}'; if it is an inline \
                 function, make it static or compile with -fgnu89-inline",
                program.display()
            );
        }
        let reason = "inline function without an external definition";
        let note = |input| NativeInput { input, reason: reason.into() };
        Ok(lost.into_iter().map(note).collect())
    }

    /// The functions whose body is there although, to a linker, they are undefined.
    fn inline_bodies(&self, bitcode: &Path) -> Result<HashSet<String>, Error> {
        let text = self.temp.join("program.ll");
        let mut args: Vec<OsString> =
            ["-passes=verify", "-strip-debug", "-S", "-o"].map(OsString::from).to_vec();
        args.extend([text.clone().into(), bitcode.into()]);
        Run { tool: &self.tools.opt, args, stdin: None }.output(self.temp)?;
        let text = fs::read_to_string(&text).unwrap_or_default();
        let heads = text.lines().filter(|line| line.starts_with("define available_externally "));
        let name = |head: &str| Some(head.split_once('@')?.1.split_once('(')?.0.to_string());
        Ok(heads.filter_map(name).collect())
    }
}

/// The objects behind one line of the linker's trace, `file.o` or `lib.a(file.o)`, and the archive.
fn traced_objects(
    line: &[u8],
    archives: &mut HashMap<PathBuf, Archive>,
) -> (Option<PathBuf>, Vec<Vec<u8>>) {
    if let Ok(bytes) = fs::read(OsStr::from_bytes(line)) {
        return (None, vec![bytes]);
    }
    let bracket = line.iter().rposition(|&byte| byte == b'(');
    let (Some(bracket), Some(line)) = (bracket, line.strip_suffix(b")")) else {
        return (None, Vec::new());
    };
    let path = PathBuf::from(OsStr::from_bytes(&line[..bracket]));
    let archive = archives.entry(path.clone()).or_insert_with(|| Archive::open(&path));
    let objects = archive.named(&String::from_utf8_lossy(&line[bracket + 1..]));
    (Some(path), objects)
}

/// The names `llvm-nm` gives for these options of its.
pub(crate) fn symbols(
    tools: &Toolchain,
    temp: &TempDir,
    options: &[&str],
    file: &Path,
) -> Result<Vec<String>, Error> {
    let mut args: Vec<OsString> = options.iter().map(OsString::from).collect();
    args.extend(["--format=just-symbols".into(), file.into()]);
    let output = Run { tool: &tools.nm, args, stdin: None }.output(temp)?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect())
}
