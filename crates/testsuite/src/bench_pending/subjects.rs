//! The seven programs, the symbolic input each gets, and where its seeds come from.

use std::fs;
use std::path::{Path, PathBuf};

use super::seeds;
use crate::tree::Tree;

/// What is symbolic besides the arguments.
#[derive(Clone, Copy)]
pub enum Input {
    Stdin,
    /// The file `A`.
    File,
}

/// The seeds of a program.
#[derive(Clone, Copy)]
pub enum Seeds {
    /// Test directories `bench/pending/seeds/<program>/<number>`.
    Kept,
    /// The bytes of `A`, made here because they are binary.
    Made([fn() -> Vec<u8>; 2]),
}

pub struct Subject {
    pub name: &'static str,
    pub package: &'static str,
    /// The command line after the program, symbolic arguments among it.
    pub args: &'static [&'static str],
    pub input: Input,
    /// Bytes of the input where no seed says how many.
    pub size: usize,
    pub seeds: Seeds,
}

const fn text(
    name: &'static str,
    args: &'static [&'static str],
    input: Input,
    size: usize,
) -> Subject {
    Subject { name, package: name, args, input, size, seeds: Seeds::Kept }
}

pub const SUBJECTS: [Subject; 7] = [
    text("bc", &[], Input::Stdin, 20),
    text("m4", &[], Input::Stdin, 20),
    text("make", &["-n", "-f", "A"], Input::File, 24),
    text("datamash", &["--sym-arg", "6", "--sym-arg", "2"], Input::Stdin, 10),
    text("sqlite3", &[":memory:"], Input::Stdin, 20),
    Subject {
        name: "tcpdump",
        package: "tcpdump",
        args: &["-n", "-r", "A"],
        input: Input::File,
        size: 100,
        seeds: Seeds::Made([seeds::pcap_tcp, seeds::pcap_dns]),
    },
    Subject {
        name: "readelf",
        package: "binutils",
        args: &["-a", "A"],
        input: Input::File,
        size: 256,
        seeds: Seeds::Made([seeds::elf_symbols, seeds::elf_dynamic]),
    },
];

/// A seed as a test directory, and the size of its input.
pub struct Seed {
    pub dir: PathBuf,
    pub size: usize,
}

impl Subject {
    /// The words that make an input of `size` bytes symbolic.
    pub fn symbolic(&self, size: usize) -> Vec<String> {
        let size = size.to_string();
        let words: &[&str] = match self.input {
            Input::Stdin => &["--sym-stdin", &size],
            Input::File => &["--sym-file", "A", &size],
        };
        self.args.iter().chain(words).map(|word| word.to_string()).collect()
    }

    /// Seed 1 or 2; `made` is where made ones are put.
    pub fn seed(&self, tree: &Tree, number: u8, made: &Path) -> Result<Seed, String> {
        let below = format!("{}/{number}", self.name);
        let input = match self.input {
            Input::Stdin => "stdin",
            Input::File => "files/A",
        };
        let dir = match self.seeds {
            Seeds::Kept => tree.repo.join("bench/pending/seeds").join(below),
            Seeds::Made(_) => made.join(below),
        };
        let path = dir.join(input);
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        if let Seeds::Made(make) = self.seeds {
            fs::create_dir_all(path.parent().expect("below a directory")).map_err(failed)?;
            // Another run may be reading it, or making it.
            let bytes = make[usize::from(number) - 1]();
            if !fs::read(&path).is_ok_and(|there| there == bytes) {
                let fresh = path.with_extension(format!("{:?}", std::thread::current().id()));
                fs::write(&fresh, bytes).map_err(failed)?;
                fs::rename(&fresh, &path).map_err(failed)?;
            }
        }
        let size = fs::metadata(&path).map_err(failed)?.len() as usize;
        Ok(Seed { dir, size })
    }
}
