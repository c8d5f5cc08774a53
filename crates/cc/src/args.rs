//! Understands a compiler command line: what is asked for, the inputs in order, and the options.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::options::{self, Role};

/// A command line taken apart; [`Args::items`] keeps its order, which matters to the linker.
#[derive(Debug)]
pub(crate) struct Args {
    pub mode: Mode,
    pub items: Vec<Item>,
    pub output: Option<PathBuf>,
    /// Asked for and not possible, in the user's words.
    pub refused: Option<Refusal>,
    /// `-fsanitize=` was given, with something that is left out.
    pub sanitizer: bool,
    pub nostartfiles: bool,
    pub nodefaultlibs: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Not a compile or link to object code: clang's business alone.
    PassThrough,
    /// `-c`
    Compile,
    Link,
    /// `-r`
    PartialLink,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Source(Source),
    /// An object, archive or linker script.
    Object(PathBuf),
    /// `-lNAME`
    Library(OsString),
    /// `-LDIR`
    SearchDir(OsString),
    /// One word of `-Wl,` or `-Xlinker`.
    Linker(OsString),
    Flag(Vec<OsString>, Role),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub path: PathBuf,
    pub kind: SourceKind,
    /// The `-x` in force, if any.
    pub language: Option<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceKind {
    C,
    Assembler,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Shared,
    CPlusPlus,
    OtherLanguage,
    Bits32,
}

/// What a file name or a `-x` says about an input.
enum Language {
    Code(SourceKind),
    CPlusPlus,
    Other,
    Header,
    Object,
}

impl Args {
    /// `args` are free of response files.
    pub fn parse(args: &[OsString]) -> Args {
        let mut parser = Parser::default();
        let mut words = args.iter();
        while let Some(word) = words.next() {
            parser.word(word, &mut words);
        }
        parser.finish()
    }

    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.items.iter().filter_map(|item| match item {
            Item::Source(source) => Some(source),
            _ => None,
        })
    }

    /// The words of all options for which `wanted` holds, in order.
    pub fn flags(&self, wanted: impl Fn(Role) -> bool) -> Vec<OsString> {
        let flags = self.items.iter().filter_map(|item| match item {
            Item::Flag(words, role) if wanted(*role) => Some(words),
            _ => None,
        });
        flags.flatten().cloned().collect()
    }

    /// Does an option with this name appear, for dependency files say?
    pub fn has_flag(&self, names: &[&str]) -> bool {
        self.items.iter().any(|item| match item {
            Item::Flag(words, _) => options::any_matches(names, &words[0].to_string_lossy()),
            _ => false,
        })
    }
}

#[derive(Default)]
struct Parser {
    items: Vec<Item>,
    language: Option<OsString>,
    output: Option<PathBuf>,
    compile: bool,
    partial: bool,
    pass_through: bool,
    refused: Option<Refusal>,
    sanitizer: bool,
    nostartfiles: bool,
    nodefaultlibs: bool,
    /// After `--` everything is an input.
    inputs_only: bool,
    n_inputs: usize,
}

impl Parser {
    fn word<'a>(&mut self, word: &OsString, rest: &mut impl Iterator<Item = &'a OsString>) {
        let text = word.to_string_lossy();
        if self.inputs_only || !text.starts_with('-') || text == "-" {
            return self.input(Path::new(word));
        }
        if options::TAKES_VALUE.contains(&text.as_ref()) {
            match rest.next() {
                Some(value) => self.option(&text, word, Some(value)),
                None => self.pass_through = true, // clang says what is missing
            }
        } else if let Some((name, value)) = split_joined(word) {
            self.option(name, word, Some(&value));
        } else {
            self.option(&text, word, None);
        }
    }

    /// `word` is the first word as written; for a joined option it holds the value too.
    fn option(&mut self, name: &str, word: &OsString, value: Option<&OsString>) {
        let value_of = |value: Option<&OsString>| value.cloned().unwrap_or_default();
        match name {
            "--" => self.inputs_only = true,
            "-c" | "--compile" => self.compile = true,
            "-r" => self.partial = true,
            "-o" | "--output" => self.output = value.map(PathBuf::from),
            "-x" | "--language" => self.language = value.filter(|lang| *lang != "none").cloned(),
            "-l" => {
                self.n_inputs += 1;
                self.items.push(Item::Library(value_of(value)));
            }
            "-L" | "--library-directory" => self.items.push(Item::SearchDir(value_of(value))),
            "-Xlinker" => self.linker_word(value_of(value)),
            "-Wl" => {
                let words = value_of(value);
                for part in words.as_bytes().split(|&byte| byte == b',') {
                    self.linker_word(OsStr::from_bytes(part).to_owned());
                }
            }
            "-shared" | "--shared" => self.refused = Some(Refusal::Shared),
            "-m32" | "-mx32" | "-m16" => self.refused = Some(Refusal::Bits32),
            _ => self.flag(name, word, value),
        }
    }

    fn flag(&mut self, name: &str, word: &OsString, value: Option<&OsString>) {
        match name {
            "-nostdlib" => (self.nostartfiles, self.nodefaultlibs) = (true, true),
            "-nostartfiles" => self.nostartfiles = true,
            "-nodefaultlibs" | "-nolibc" => self.nodefaultlibs = true,
            _ => {}
        }
        self.pass_through |= options::any_matches(options::PASS_THROUGH, name);
        if let Some((flag, complete)) = options::sanitizer(name) {
            self.sanitizer |= !complete && name.starts_with("-fsanitize=");
            if let Some(flag) = flag {
                let words = vec![flag.into(), "-fno-sanitize=function".into()];
                self.items.push(Item::Flag(words, Role::Bitcode));
            }
        }
        if is_host_include(name, value) {
            return;
        }
        let joined = value.is_some_and(|value| {
            word.len() > name.len() && word.as_bytes().ends_with(value.as_bytes())
        });
        let words = match value {
            Some(value) if !joined => vec![word.clone(), value.clone()],
            _ => vec![word.clone()],
        };
        let role = match (name, value) {
            ("-Wp", Some(value)) if value.as_bytes().starts_with(b"-M") => Role::Native,
            ("-Xclang", Some(value)) => self.xclang_role(value),
            _ => options::role(name),
        };
        self.items.push(Item::Flag(words, role));
    }

    /// CMake writes `-Xclang -include-pch -Xclang FILE`, and the header itself besides.
    fn xclang_role(&self, value: &OsStr) -> Role {
        let after_pch = matches!(self.items.last(), Some(Item::Flag(words, Role::Native))
            if words.len() == 2 && words[1] == "-include-pch");
        match value == "-include-pch" || after_pch {
            true => Role::Native,
            false => Role::Both,
        }
    }

    fn linker_word(&mut self, word: OsString) {
        if word == "-shared" || word == "--shared" {
            self.refused = Some(Refusal::Shared);
        }
        self.partial |= word == "-r" || word == "--relocatable";
        self.items.push(Item::Linker(word));
    }

    fn input(&mut self, path: &Path) {
        self.n_inputs += 1;
        match language(path, self.language.as_deref()) {
            Language::Code(kind) => {
                let language = self.language.clone();
                self.items.push(Item::Source(Source { path: path.into(), kind, language }));
            }
            Language::Object => self.items.push(Item::Object(path.into())),
            Language::Header => self.pass_through = true,
            Language::CPlusPlus => self.refused = Some(Refusal::CPlusPlus),
            Language::Other => self.refused = Some(Refusal::OtherLanguage),
        }
    }

    fn finish(self) -> Args {
        let n_sources = self.items.iter().filter(|item| matches!(item, Item::Source(_))).count();
        let asks_clang = self.pass_through
            || self.n_inputs == 0
            // clang has its own words for these two mistakes.
            || (self.compile && n_sources == 0 && self.refused.is_none())
            || (self.compile && n_sources > 1 && self.output.is_some());
        Args {
            mode: match (asks_clang, self.compile, self.partial) {
                (true, _, _) => Mode::PassThrough,
                (_, true, _) => Mode::Compile,
                (_, _, true) => Mode::PartialLink,
                _ => Mode::Link,
            },
            items: self.items,
            output: self.output,
            refused: self.refused.filter(|_| !asks_clang),
            sanitizer: self.sanitizer,
            nostartfiles: self.nostartfiles,
            nodefaultlibs: self.nodefaultlibs,
        }
    }
}

/// Splits `-Ifoo`, `-ofoo`, `-Wl,a,b` and their like into name and value.
fn split_joined(word: &OsStr) -> Option<(&'static str, OsString)> {
    const JOINED: &[&str] =
        &["-I", "-L", "-l", "-D", "-U", "-o", "-x", "-MF", "-MT", "-MQ", "-MJ", "-B", "-u", "-z"];
    // Options that begin like a joined one but are words of their own.
    const WHOLE: &[&str] = &["-objc*", "-undef*", "-unwindlib=*"];
    let bytes = word.as_bytes();
    for (name, prefix) in [("-Wl", &b"-Wl,"[..]), ("-Wp", b"-Wp,")] {
        if let Some(value) = bytes.strip_prefix(prefix) {
            return Some((name, OsString::from_vec(value.to_vec())));
        }
    }
    if options::any_matches(WHOLE, &word.to_string_lossy()) {
        return None;
    }
    let name = JOINED
        .iter()
        .find(|name| bytes.starts_with(name.as_bytes()) && bytes.len() > name.len())?;
    Some((name, OsString::from_vec(bytes[name.len()..].to_vec())))
}

/// The machine's own headers belong to another C library.
fn is_host_include(name: &str, value: Option<&OsString>) -> bool {
    let Some(value) = value.filter(|_| matches!(name, "-I" | "-isystem" | "-idirafter")) else {
        return false;
    };
    let dir = value.to_string_lossy();
    matches!(dir.trim_end_matches('/'), "/usr/include" | "/usr/include/x86_64-linux-gnu")
}

fn language(path: &Path, explicit: Option<&OsStr>) -> Language {
    if let Some(explicit) = explicit {
        return match explicit.to_string_lossy().as_ref() {
            "c" | "cpp-output" | "ir" => Language::Code(SourceKind::C),
            "assembler" | "assembler-with-cpp" => Language::Code(SourceKind::Assembler),
            "c-header" | "c++-header" => Language::Header,
            name if name.starts_with("c++") => Language::CPlusPlus,
            _ => Language::Other,
        };
    }
    match path.extension().unwrap_or_default().to_string_lossy().as_ref() {
        "c" | "i" | "ll" | "bc" => Language::Code(SourceKind::C),
        "s" | "S" | "sx" => Language::Code(SourceKind::Assembler),
        "cc" | "cp" | "cpp" | "cxx" | "c++" | "C" | "CC" | "CPP" | "CXX" | "ii" => {
            Language::CPlusPlus
        }
        "m" | "mm" | "M" | "f" | "F" | "f90" | "d" | "go" | "rs" | "cu" => Language::Other,
        "h" => Language::Header,
        "" if path == Path::new("-") => Language::Header, // clang: "-E or -x required"
        _ => Language::Object,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Args {
        Args::parse(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    fn text(words: &[OsString]) -> String {
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    fn bitcode_flags(line: &str) -> String {
        text(&parse(line).flags(|role| role == Role::Both))
    }

    fn native_flags(line: &str) -> String {
        text(&parse(line).flags(|role| matches!(role, Role::Both | Role::Native)))
    }

    #[test]
    fn sanitizers_reach_the_bitcode_as_far_as_the_engine_has_them() {
        let args = parse("-fsanitize=address,undefined -fno-sanitize=null,leak -c a.c");
        assert_eq!(
            text(&args.flags(|role| role == Role::Bitcode)),
            "-fsanitize=undefined -fno-sanitize=function -fno-sanitize=null -fno-sanitize=function"
        );
        assert!(args.sanitizer);
        assert!(!parse("-fsanitize=shift,bounds -c a.c").sanitizer);
        assert_eq!(native_flags("-fsanitize=undefined -c a.c"), "");
    }

    #[test]
    fn modes() {
        assert_eq!(parse("-c a.c").mode, Mode::Compile);
        assert_eq!(parse("a.o -lm -o a").mode, Mode::Link);
        assert_eq!(parse("-r a.o b.o -o c.o").mode, Mode::PartialLink);
        assert_eq!(parse("-Wl,-r a.o b.o -o c.o").mode, Mode::PartialLink);
        for line in
            ["--version", "-v", "-E a.c", "-S a.c", "-MM a.c", "-print-file-name=libc.a", ""]
        {
            assert_eq!(parse(line).mode, Mode::PassThrough, "{line}");
        }
        assert_eq!(parse("-c a.c b.c -o c.o").mode, Mode::PassThrough);
        assert_eq!(parse("-c a.c b.c").mode, Mode::Compile);
        assert_eq!(parse("-v a.c").mode, Mode::Link);
        assert_eq!(parse("-c a.c -o").mode, Mode::PassThrough);
    }

    #[test]
    fn each_half_gets_its_flags() {
        let line =
            "-O2 -g3 -Wall -Werror -MD -MF a.d -DX=1 -I inc -fPIC -flto -std=c99 -c a.c -o a.o";
        assert_eq!(bitcode_flags(line), "-Wall -DX=1 -I inc -std=c99");
        assert_eq!(
            native_flags(line),
            "-O2 -g3 -Wall -Werror -MD -MF a.d -DX=1 -I inc -fPIC -std=c99"
        );
        assert_eq!(bitcode_flags("-Wp,-MMD,x.d -Wp,-DA -c a.c"), "-Wp,-DA");
        assert_eq!(
            bitcode_flags("-Xclang -include-pch -Xclang p.pch -Xclang -include -Xclang p.h -c a.c"),
            "-Xclang -include -Xclang p.h"
        );
        assert_eq!(
            native_flags("-I/usr/include -isystem /usr/include -I/usr/include/x -c a.c"),
            "-I/usr/include/x"
        );
    }

    #[test]
    fn joined_and_separate_values() {
        for line in ["-ofoo a.o", "-o foo a.o"] {
            assert_eq!(parse(line).output, Some("foo".into()));
        }
        let args = parse("-L dir -Ldir2 -l m -lz -Wl,-Map,x -Xlinker -q a.o");
        assert_eq!(
            args.items,
            [
                Item::SearchDir("dir".into()),
                Item::SearchDir("dir2".into()),
                Item::Library("m".into()),
                Item::Library("z".into()),
                Item::Linker("-Map".into()),
                Item::Linker("x".into()),
                Item::Linker("-q".into()),
                Item::Object("a.o".into()),
            ]
        );
        assert_eq!(native_flags("-include a.c -D b.c -c x.c"), "-include a.c -D b.c");
    }

    #[test]
    fn languages() {
        let kinds =
            |line| parse(line).sources().map(|s| (s.path.clone(), s.kind)).collect::<Vec<_>>();
        use SourceKind::*;
        assert_eq!(kinds("-c a.c b.S"), [("a.c".into(), C), ("b.S".into(), Assembler)]);
        assert_eq!(
            kinds("-c -x c a.txt -x none b.s"),
            [("a.txt".into(), C), ("b.s".into(), Assembler)]
        );
        assert_eq!(kinds("-c -xc -"), [("-".into(), C)]);
        assert_eq!(parse("-c a.cpp").refused, Some(Refusal::CPlusPlus));
        assert_eq!(parse("-c -x c++ a.c").refused, Some(Refusal::CPlusPlus));
        assert_eq!(parse("-shared a.o -o a.so").refused, Some(Refusal::Shared));
        assert_eq!(parse("-m32 -c a.c").refused, Some(Refusal::Bits32));
        assert_eq!(parse("-E a.cpp").refused, None);
    }
}
