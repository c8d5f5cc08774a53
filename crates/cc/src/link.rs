//! Many objects to one program: the native link, then the same link over bitcode.

use std::borrow::Cow;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::args::{Args, Item};
use crate::compile::{current_dir, is_probe};
use crate::elf::NewSection;
use crate::error::Error;
use crate::options::{self, Role};
use crate::process::{Run, exit_code};
use crate::seal::seal;
use crate::section::{self, Command, NativeInput};
use crate::sysroot::Toolchain;
use crate::temp::{TempDir, Unfinished};

/// GCC's support library goes by these names; ours is `libbuiltins.a`.
const GCC_LIBRARIES: [&str; 3] = ["gcc", "gcc_eh", "gcc_s"];

pub(crate) struct Link<'a> {
    pub tools: &'a Toolchain,
    pub temp: &'a TempDir,
    pub args: &'a Args,
    /// As typed, response files expanded.
    pub words: &'a [OsString],
    /// The object made from each source, in order.
    pub objects: &'a [PathBuf],
    /// `-r`
    pub partial: bool,
    /// Functions that stay although the program does not reach them.
    pub keep: &'a [String],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Native,
    Bitcode,
}

/// What the bitcode link gives.
pub(crate) struct Linked {
    /// Absent when no input had any.
    pub bitcode: Option<Vec<u8>>,
    pub commands: Vec<Command>,
    pub native: Vec<NativeInput>,
}

impl Link<'_> {
    pub fn run(&self) -> Result<(), Error> {
        let output = self.args.output.clone().unwrap_or_else(|| "a.out".into());
        let unfinished = Unfinished::new(&output);
        self.native(&output)?;
        if output.is_file() && !is_probe(&output) {
            let mut linked = self.bitcode()?;
            linked.commands.push(self.command(&output));
            if !self.partial {
                linked.native.extend(self.lost_inlines(&output)?);
            }
            self.attach(&output, &linked)?;
        }
        unfinished.keep();
        Ok(())
    }

    fn native(&self, output: &Path) -> Result<(), Error> {
        let mut args = self.tools.base_args();
        args.extend(["-nostdlib", "-static", "-no-pie"].map(OsString::from));
        args.push(self.tools.linker_arg());
        if self.partial {
            args.push("-r".into());
        }
        args.extend(self.inputs(Half::Native)?);
        args.extend(["-o".into(), output.into()]);
        let run = Run { tool: &self.tools.clang, args, stdin: None };
        match run.status(self.temp)? {
            0 => Ok(()),
            status => {
                self.advise();
                Err(Error::Status(status))
            }
        }
    }

    /// The bitcode link alone.
    pub fn bitcode(&self) -> Result<Linked, Error> {
        let path = self.temp.join("whole.bc");
        let fixed = [
            "--fat-lto-objects",
            "--lto-emit-llvm",
            "--lto-O0",
            "--unresolved-symbols=ignore-all",
            "--trace",
            if self.partial { "-r" } else { "-static" },
        ];
        let mut args: Vec<OsString> = fixed.map(OsString::from).to_vec();
        if self.has_start_files() {
            args.extend(["-u", "_start_c", "-e", "_start_c"].map(OsString::from));
            args.extend(self.keep.iter().map(|name| joined("--undefined=", name.as_ref())));
        }
        args.extend(self.inputs(Half::Bitcode)?);
        args.extend(["-o".into(), path.clone().into()]);
        let run = Run { tool: &self.tools.lld, args, stdin: None };
        let output = run.output(self.temp)?;
        if exit_code(&output) != 0 {
            return Err(self.bitcode_failed("the bitcode link", &output.stderr));
        }
        let (commands, native) = self.collect(&output.stdout);
        let bitcode = match is_bitcode(&path) {
            true if self.partial => Some(read(&path)?),
            true => Some(self.reduce(&path)?),
            false => None,
        };
        Ok(Linked { bitcode, commands, native })
    }

    /// Drops what the program cannot reach.
    fn reduce(&self, whole: &Path) -> Result<Vec<u8>, Error> {
        let reduced = self.temp.join("program.bc");
        let list = self.temp.join("entry-points");
        fs::write(&list, self.entry_points().join("\n"))
            .map_err(|error| Error::io(&list, error))?;
        let keep = joined("-internalize-public-api-file=", list.as_os_str());
        let args = vec![
            "-passes=internalize,globaldce,strip-dead-debug-info".into(),
            keep,
            whole.into(),
            "-o".into(),
            reduced.clone().into(),
        ];
        let output = Run { tool: &self.tools.opt, args, stdin: None }.output(self.temp)?;
        match exit_code(&output) {
            0 => read(&reduced),
            _ => Err(self.bitcode_failed("dropping unused bitcode", &output.stderr)),
        }
    }

    pub(crate) fn bitcode_failed(&self, what: &str, stderr: &[u8]) -> Error {
        let output = self.args.output.as_deref().unwrap_or(Path::new("a.out"));
        let stderr = String::from_utf8_lossy(stderr);
        Error::Bitcode(format!("{}: {what} failed:\n{}", output.display(), stderr.trim_end()))
    }

    fn entry_points(&self) -> Vec<String> {
        if self.has_start_files() {
            return [&["_start_c".to_string()], self.keep].concat();
        }
        let words: Vec<_> = self.args.items.iter().flat_map(linker_words).collect();
        let own = words.windows(2).filter(|pair| matches!(&*pair[0], "-e" | "--entry"));
        let own = own.map(|pair| pair[1].clone().into_owned());
        ["_start", "main"].map(String::from).into_iter().chain(own).collect()
    }

    fn has_start_files(&self) -> bool {
        !self.partial && !self.args.nostartfiles
    }

    fn has_libraries(&self) -> bool {
        !self.partial && !self.args.nodefaultlibs
    }

    /// Everything between the linker's own options and its `-o`.
    fn inputs(&self, half: Half) -> Result<Vec<OsString>, Error> {
        let mut args: Vec<OsString> = Vec::new();
        if self.has_start_files() {
            args.extend(self.start_files(half));
        }
        args.extend(self.items(half)?);
        if half == Half::Bitcode {
            args.extend(library_path().map(|dir| joined("-L", dir.as_os_str())));
            args.push(joined("-L", self.tools.sysroot.join("lib").as_os_str()));
        }
        if self.has_libraries() {
            args.extend(self.default_libraries(half));
        }
        if self.has_start_files() && half == Half::Native {
            args.push(self.tools.lib("crtn.o").into());
        }
        Ok(args)
    }

    fn start_files(&self, half: Half) -> Vec<OsString> {
        match half {
            Half::Native => vec![self.tools.lib("crt1.o").into(), self.tools.lib("crti.o").into()],
            Half::Bitcode => vec![self.tools.bitcode("crt1.o").into()],
        }
    }

    /// `libfathom.a` holds the native halves of the engine's intrinsics, where it is installed.
    fn default_libraries(&self, half: Half) -> Vec<OsString> {
        match half {
            Half::Native => ["libfathom.a", "libc.a", "libbuiltins.a"]
                .map(|name| self.tools.lib(name))
                .into_iter()
                .filter(|path| path.exists())
                .map(OsString::from)
                .collect(),
            Half::Bitcode => vec![self.tools.bitcode("libc.a").into()],
        }
    }

    /// The user's inputs and options in their order.
    fn items(&self, half: Half) -> Result<Vec<OsString>, Error> {
        let mut args = Vec::new();
        let mut objects = self.objects.iter();
        let mut items = self.args.items.iter();
        while let Some(item) = items.next() {
            match item {
                Item::Source(_) => args.extend(objects.next().map(OsString::from)),
                Item::Object(path) if half == Half::Native => args.push(path.into()),
                Item::Object(path) => args.push(self.with_single_modules(path)?.into()),
                Item::SearchDir(dir) => args.push(joined("-L", dir)),
                Item::Library(name) => args.extend(self.library(name, half)?),
                Item::Linker(word) => match dropped_linker_word(word, half) {
                    None if half == Half::Native => args.extend(["-Xlinker".into(), word.clone()]),
                    None => args.push(word.clone()),
                    Some(true) => drop(items.next()),
                    Some(false) => {}
                },
                Item::Flag(words, role) => {
                    if flag_reaches_link(words, *role, half) {
                        args.extend_from_slice(words);
                    }
                }
            }
        }
        Ok(args)
    }

    fn library(&self, name: &OsStr, half: Half) -> Result<Option<OsString>, Error> {
        Ok(match half {
            Half::Native if name == "c" => Some(self.tools.lib("libc.a").into()),
            Half::Bitcode if name == "c" => Some(self.tools.bitcode("libc.a").into()),
            Half::Native if GCC_LIBRARIES.iter().any(|gcc| name == *gcc) => {
                Some(self.tools.lib("libbuiltins.a").into())
            }
            Half::Bitcode if GCC_LIBRARIES.iter().any(|gcc| name == *gcc) => None,
            Half::Native => Some(joined("-l", name)),
            Half::Bitcode => Some(match self.find_library(name) {
                Some(found) => self.with_single_modules(&found)?.into(),
                None => joined("-l", name),
            }),
        })
    }

    /// The file that `-lNAME` means.
    fn find_library(&self, name: &OsStr) -> Option<PathBuf> {
        let file = library_file(name);
        self.search_dirs().into_iter().map(|dir| dir.join(&file)).find(|path| path.exists())
    }

    fn search_dirs(&self) -> Vec<PathBuf> {
        let mut dirs: Vec<PathBuf> = self.args.items.iter().filter_map(search_dir).collect();
        dirs.extend(library_path());
        dirs.push(self.tools.sysroot.join("lib"));
        dirs
    }

    /// After a failed link, names each library that does not exist for our C library.
    fn advise(&self) {
        for item in &self.args.items {
            let Item::Library(name) = item else { continue };
            let ours = GCC_LIBRARIES.iter().any(|gcc| name == gcc);
            if !ours && self.find_library(name).is_none() {
                eprintln!(
                    "fathom-cc: note: -l{}: {} was not found; build that library with fathom-cc \
                     as a static one (CC=fathom-cc ./configure --disable-shared) and add its directory with -L",
                    name.to_string_lossy(),
                    library_file(name).to_string_lossy()
                );
            }
        }
    }

    fn command(&self, output: &Path) -> Command {
        let words = self.words.iter().map(|word| word.to_string_lossy().into_owned());
        Command {
            directory: current_dir(),
            arguments: std::iter::once("fathom-cc".to_string()).chain(words).collect(),
            file: None,
            output: output.to_string_lossy().into_owned(),
            archive: None,
        }
    }

    fn attach(&self, output: &Path, linked: &Linked) -> Result<(), Error> {
        let exclude = self.partial;
        let whole = linked.bitcode.as_deref();
        // The linker reads what is in objects; only we read what is in programs.
        let (name, bitcode) = match self.partial {
            true => (section::OBJECT_BITCODE, whole.map(Cow::Borrowed)),
            false => (section::PROGRAM_BITCODE, whole.map(|whole| seal(whole).into())),
        };
        let commands = section::to_json_lines(&linked.commands);
        let native = section::to_json_lines(&linked.native);
        let mut sections = vec![
            NewSection { name: section::COMMANDS, bytes: commands.as_bytes(), exclude },
            NewSection { name: section::NATIVE, bytes: native.as_bytes(), exclude },
        ];
        if let Some(bitcode) = &bitcode {
            sections.push(NewSection { name, bytes: bitcode, exclude });
        }
        section::attach(output, &sections)
    }
}

/// Is this word of `-Wl,` left out, and does its value follow?
fn dropped_linker_word(word: &OsStr, half: Half) -> Option<bool> {
    let word = word.to_string_lossy();
    let output = options::LINKER_OUTPUT.iter().filter(|_| half == Half::Bitcode);
    // `-r` is ours to give.
    let table = options::LINKER_DROPPED
        .iter()
        .chain(output)
        .chain(&[("-r", false), ("--relocatable", false)]);
    let mut table = table;
    table.find(|(pattern, _)| options::matches(pattern, &word)).map(|&(_, takes_value)| takes_value)
}

/// clang takes any option at a link; the linker itself only its own.
fn flag_reaches_link(words: &[OsString], role: Role, half: Half) -> bool {
    let name = words[0].to_string_lossy();
    match (half, role) {
        (_, Role::Dropped | Role::Bitcode) => false,
        (Half::Native, _) => !name.starts_with("-M") && !name.starts_with("-save-temps"),
        (Half::Bitcode, role) => role == Role::Link && !name.starts_with("-no"),
    }
}

/// What an item says to the linker, in words of its own.
fn linker_words(item: &Item) -> Vec<Cow<'_, str>> {
    match item {
        Item::Flag(words, Role::Link) => words.iter().map(|word| word.to_string_lossy()).collect(),
        Item::Linker(word) => vec![word.to_string_lossy()],
        _ => Vec::new(),
    }
}

/// `-lz` means libz.a, `-l:file` the file itself.
fn library_file(name: &OsStr) -> OsString {
    match name.as_bytes().strip_prefix(b":") {
        Some(file) => OsStr::from_bytes(file).into(),
        None => OsString::from_vec([b"lib", name.as_bytes(), b".a"].concat()),
    }
}

fn search_dir(item: &Item) -> Option<PathBuf> {
    match item {
        Item::SearchDir(dir) => Some(dir.into()),
        _ => None,
    }
}

/// clang reads this variable as more `-L`.
fn library_path() -> impl Iterator<Item = PathBuf> {
    let value = env::var_os("LIBRARY_PATH").unwrap_or_default();
    env::split_paths(&value)
        .filter(|dir| !dir.as_os_str().is_empty())
        .collect::<Vec<_>>()
        .into_iter()
}

fn joined(option: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(option);
    word.push(value);
    word
}

fn is_bitcode(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"BC\xc0\xde"))
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| Error::io(path, error))
}
