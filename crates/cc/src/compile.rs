//! One source to one object: native code as the user asked for it, bitcode as the engine needs it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::archive::Archive;
use crate::args::{Args, Source, SourceKind};
use crate::elf::{Elf, NewSection};
use crate::error::Error;
use crate::inventory::symbols;
use crate::options::Role;
use crate::process::{Run, exit_code};
use crate::section::{self, Command, NativeInput};
use crate::sysroot::Toolchain;
use crate::temp::{TempDir, Unfinished};

/// Bitcode keeps every branch and memory access of the source, and takes portable code where the
/// source also has some for vector units or in assembly. They follow the user's options and so
/// win over them.
#[rustfmt::skip]
pub(crate) const BITCODE_FLAGS: &[&str] = &[
    "-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fno-builtin",
    "-fno-delete-null-pointer-checks", "-fno-vectorize", "-fno-slp-vectorize", "-fno-pic",
    "-U_FORTIFY_SOURCE", "-fno-stack-protector", "-DNO_ASM", "-U__SSE__", "-U__SSE2__",
    "-w", "-flto=full",
];

/// Added to keep the bodies of C99's plain `inline` functions, which unoptimised code leaves to a
/// definition elsewhere. Nothing else of -O1 happens.
#[rustfmt::skip]
const INLINE_BODIES: &[&str] = &[
    "-O1", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers",
    "-U__OPTIMIZE__", "-D__NO_INLINE__=1",
];

/// Old sources rely on what newer compilers made errors. Not given to configuration probes, which
/// ask about exactly this.
#[rustfmt::skip]
pub(crate) const LAX_FLAGS: &[&str] = &[
    "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
    "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types", "-Wno-error=return-mismatch",
];

/// After the user's options: a `-Werror` was meant for the warnings of another compiler with other
/// headers. Not given to probes, either.
pub(crate) const WARNINGS_STAY: &str = "-Wno-error";

/// Compiles one source of `args`.
pub(crate) struct Compile<'a> {
    pub tools: &'a Toolchain,
    pub temp: &'a TempDir,
    pub args: &'a Args,
    pub source: &'a Source,
    /// Standard input, read once, when the source is `-`.
    pub stdin: Option<&'a [u8]>,
}

impl Compile<'_> {
    /// Makes the object a `-c` asks for.
    pub fn to_object(&self) -> Result<(), Error> {
        let output = self.args.output.clone().unwrap_or_else(|| default_object(self.source));
        self.make(&output, &output, &[])
    }

    /// Makes an object on the way to a linked program.
    pub fn to_temporary(&self, object: &Path) -> Result<(), Error> {
        self.make(object, &default_object(self.source), &self.dependency_flags())
    }

    /// `named` is what the object is called in the kept command.
    fn make(&self, object: &Path, named: &Path, extra: &[OsString]) -> Result<(), Error> {
        let unfinished = Unfinished::new(object);
        self.native(object, extra)?;
        // Nothing can be attached to a device.
        if object.is_file() {
            self.attach(object, named)?;
        }
        unfinished.keep();
        Ok(())
    }

    fn native(&self, object: &Path, extra: &[OsString]) -> Result<(), Error> {
        let mut args = self.tools.base_args();
        args.extend(self.lax_flags());
        args.extend(self.args.flags(|role| matches!(role, Role::Both | Role::Native)));
        if !is_probe(&self.source.path) {
            args.push(WARNINGS_STAY.into());
        }
        args.extend_from_slice(extra);
        args.extend(self.source_to(object));
        let run = Run { tool: &self.tools.clang, args, stdin: self.stdin };
        match run.status(self.temp)? {
            0 => Ok(()),
            status => Err(Error::Status(status)),
        }
    }

    fn attach(&self, object: &Path, named: &Path) -> Result<(), Error> {
        let command = section::to_json_lines(&[self.command(named)]);
        let command =
            NewSection { name: section::COMMANDS, bytes: command.as_bytes(), exclude: true };
        if self.source.kind == SourceKind::Assembler {
            let note = NativeInput {
                input: self.source.path.to_string_lossy().into_owned(),
                reason: "assembler source".into(),
            };
            let note = section::to_json_lines(&[note]);
            let note = NewSection { name: section::NATIVE, bytes: note.as_bytes(), exclude: true };
            return section::attach(object, &[command, note]);
        }
        if is_probe(&self.source.path) || is_probe(object) {
            return section::attach(object, &[command]);
        }
        let mut bitcode = self.bitcode(&[])?;
        if self.loses_inlines(object)? {
            bitcode = self.bitcode(INLINE_BODIES)?;
        }
        let bitcode = NewSection { name: section::OBJECT_BITCODE, bytes: &bitcode, exclude: true };
        section::attach(object, &[bitcode, command])
    }

    /// Does the bitcode just made call functions which the optimised object neither has nor needs?
    /// Some may be inline functions without an external definition, inlined natively.
    fn loses_inlines(&self, object: &Path) -> Result<bool, Error> {
        if !self.args.has_flag(&["-O*"]) {
            return Ok(false);
        }
        let bytes = fs::read(object).map_err(|error| Error::io(object, error))?;
        let Ok(elf) = Elf::parse(&bytes) else { return Ok(false) };
        let native = elf.all_symbols();
        let mut called = symbols(self.tools, self.temp, &["-u"], &self.bitcode_path())?;
        called.retain(|name| !native.contains(name.as_bytes()));
        if called.is_empty() {
            return Ok(false);
        }
        let libc = Archive::open(&self.tools.lib("libc.a"));
        let libc = libc.symbols();
        Ok(called.iter().any(|name| !libc.contains(name.as_bytes())))
    }

    fn bitcode_path(&self) -> PathBuf {
        self.temp.join("bitcode")
    }

    fn bitcode(&self, extra: &[&str]) -> Result<Vec<u8>, Error> {
        let path = self.bitcode_path();
        let mut args = self.tools.base_args();
        args.extend(self.lax_flags());
        let roles = |role| matches!(role, Role::Both | Role::Bitcode);
        args.extend(without_precompiled(self.args.flags(roles)));
        args.extend(BITCODE_FLAGS.iter().chain(extra).map(OsString::from));
        args.extend(self.source_to(&path));
        let run = Run { tool: &self.tools.clang, args, stdin: self.stdin };
        let output = run.output(self.temp)?;
        if exit_code(&output) != 0 {
            return Err(Error::Bitcode(format!(
                "{}: the native compile succeeded but the compile to bitcode failed:\n{}",
                self.source.path.display(),
                String::from_utf8_lossy(&output.stderr).trim_end()
            )));
        }
        fs::read(&path).map_err(|error| Error::io(&path, error))
    }

    fn lax_flags(&self) -> Vec<OsString> {
        match is_probe(&self.source.path) {
            true => Vec::new(),
            false => LAX_FLAGS.iter().map(OsString::from).collect(),
        }
    }

    fn source_to(&self, output: &Path) -> Vec<OsString> {
        let mut args: Vec<OsString> = vec!["-c".into()];
        if let Some(language) = &self.source.language {
            args.extend(["-x".into(), language.clone()]);
        }
        args.extend(["-o".into(), output.into(), "--".into(), self.source.path.clone().into()]);
        args
    }

    /// clang names the dependency file and its target after `-o`; ours is a temporary one.
    fn dependency_flags(&self) -> Vec<OsString> {
        let mut flags = Vec::new();
        if !self.args.has_flag(&["-MD", "-MMD"]) {
            return flags;
        }
        let output = self.args.output.clone().unwrap_or_else(|| default_object(self.source));
        if !self.args.has_flag(&["-MF*"]) {
            flags.extend(["-MF".into(), output.with_extension("d").into()]);
        }
        if !self.args.has_flag(&["-MT*", "-MQ*"]) {
            flags.extend(["-MQ".into(), output.into()]);
        }
        flags
    }

    fn command(&self, output: &Path) -> Command {
        let mut arguments: Vec<OsString> = vec!["fathom-cc".into()];
        arguments.extend(self.args.flags(|role| !matches!(role, Role::Link | Role::Bitcode)));
        arguments.extend(self.source_to(output).into_iter().filter(|word| word != "--"));
        Command {
            directory: current_dir(),
            arguments: arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            file: Some(self.source.path.to_string_lossy().into_owned()),
            output: output.to_string_lossy().into_owned(),
            archive: None,
        }
    }
}

/// Compiles every source to an object on the way to a linked program.
pub(crate) fn compile_sources(
    tools: &Toolchain,
    temp: &TempDir,
    args: &Args,
) -> Result<Vec<PathBuf>, Error> {
    let stdin = read_stdin(args)?;
    let mut objects = Vec::new();
    for (i, source) in args.sources().enumerate() {
        let object = temp.join(format!("{i}.o"));
        Compile { tools, temp, args, source, stdin: stdin.as_deref() }.to_temporary(&object)?;
        objects.push(object);
    }
    Ok(objects)
}

/// For `-include a.h` clang takes `a.h.pch` or `a.h.gch` if there is one, which was made for other
/// options; its front end, spoken to directly, does not.
fn without_precompiled(flags: Vec<OsString>) -> Vec<OsString> {
    let mut words = flags.into_iter();
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        if word == "-include" || word == "--include" {
            out.extend(["-Xclang".into(), "-include".into(), "-Xclang".into()]);
            out.extend(words.next());
        } else {
            out.push(word);
        }
    }
    out
}

/// Is this file part of a question that configure, CMake or Meson asks the compiler?
pub(crate) fn is_probe(path: &Path) -> bool {
    const FILES: &[&str] = &[
        "conftest",
        "cmTC_",
        "CMakeCCompilerId",
        "CMakeCCompilerABI",
        "testCCompiler",
        "sanitycheckc",
    ];
    const DIRS: &[&str] = &["CMakeTmp", "CMakeScratch", "meson-private"];
    let starts =
        |prefixes: &[&str], name: &str| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let mut names = path.iter().rev().map(|name| name.to_string_lossy());
    names.next().is_some_and(|name| starts(FILES, &name))
        || names.any(|dir| DIRS.contains(&dir.as_ref()) || starts(&["cmTC_", "conftest.dir"], &dir))
}

/// Reads our standard input if some source is `-`: it is needed twice.
pub(crate) fn read_stdin(args: &Args) -> Result<Option<Vec<u8>>, Error> {
    if !args.sources().any(|source| source.path == Path::new("-")) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Error::io(Path::new("stdin"), error))?;
    Ok(Some(bytes))
}

/// `dir/name.c` makes `name.o` in the current directory.
fn default_object(source: &Source) -> PathBuf {
    Path::new(source.path.file_name().unwrap_or("-".as_ref())).with_extension("o")
}

pub(crate) fn current_dir() -> String {
    env::current_dir().unwrap_or_default().to_string_lossy().into_owned()
}
