//! Builds packages once and keeps them in the cache for as long as the compiler stays the same.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::cases::Package;
use crate::process::Run;
use crate::tree::Tree;

const BUILD_TIMEOUT: u64 = 1800;

/// All packages of `tests/real`.
pub struct Packages {
    packages: Vec<Package>,
    /// What the compiled programs depend on besides their sources: `crates/cc` and the sysroot.
    compiler_stamp: u64,
}

/// A package in the cache.
pub struct Built {
    pub source: PathBuf,
    directories: Vec<String>,
}

/// What a build has that the package's own has not.
#[derive(Default)]
struct Variant<'a> {
    /// Added to the name of the package.
    name: String,
    cflags: &'a str,
    /// Names and texts.
    patches: Vec<(PathBuf, String)>,
}

impl Packages {
    pub fn load(tree: &Tree) -> Result<Self, String> {
        let dir = tree.repo.join("tests/real");
        let mut packages = Vec::new();
        for path in files_below(&dir).map_err(|error| format!("{}: {error}", dir.display()))? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
            packages.push(Package::parse(&name, &text)?);
        }
        Ok(Self { packages, compiler_stamp: compiler_stamp(tree)? })
    }

    pub fn all(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter()
    }

    pub fn named(&self, name: &str) -> Result<&Package, String> {
        self.all()
            .find(|package| package.name == name)
            .ok_or_else(|| format!("no tests/real/{name}.toml"))
    }

    /// Builds the package unless the cache has it. `cflags` makes a build of its own.
    pub fn build(&self, tree: &Tree, package: &Package, cflags: &str) -> Result<Built, String> {
        let name = cflags.replace(' ', "");
        self.build_variant(tree, package, &Variant { name, cflags, patches: Vec::new() })
    }

    /// Builds the package with the patches in `dir`, unless the cache has that; `name` tells such
    /// builds apart.
    pub fn build_patched(
        &self,
        tree: &Tree,
        package: &Package,
        name: &str,
        dir: &Path,
    ) -> Result<Built, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
        let mut patches = Vec::new();
        for path in files_below(dir).map_err(failed)? {
            let text = fs::read_to_string(&path).map_err(failed)?;
            patches.push((path, text));
        }
        let name = format!("-{name}");
        self.build_variant(tree, package, &Variant { name, patches, ..Variant::default() })
    }

    fn build_variant(
        &self,
        tree: &Tree,
        package: &Package,
        how: &Variant,
    ) -> Result<Built, String> {
        let cflags = how.cflags;
        let mut dependencies = Vec::new();
        for name in &package.needs {
            let built = self.build(tree, self.named(name)?, cflags)?;
            dependencies.push((format!("DEP_{name}"), built.source.display().to_string()));
        }
        let mut hasher = DefaultHasher::new();
        (self.compiler_stamp, &package.source, &package.build, cflags, &dependencies)
            .hash(&mut hasher);
        if let Some(archive) = &package.archive {
            archive.hash(&mut hasher);
        }
        for (_, text) in &how.patches {
            text.hash(&mut hasher);
        }
        let variant = format!("{}{}", package.name, how.name);
        let store = tree.cache.join("real");
        let fresh = store.join(format!("{variant}-{:016x}", hasher.finish()));
        let dir = kept_build(&store, &variant).unwrap_or(fresh);
        let built = Built { source: dir.join("src"), directories: package.programs.clone() };
        if dir.join("done").exists() {
            return Ok(built);
        }
        missing_tools(package)?;
        eprintln!("building {variant}");
        let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
        fs::create_dir_all(&store).map_err(failed)?;
        remove_other_builds(&store, &variant).map_err(failed)?;
        fs::create_dir_all(&dir).map_err(failed)?;
        fetch(tree, package, &built.source)?;
        apply(&how.patches, &built.source)?;
        let compiler = tree.compiler_link(&dir)?;
        let mut run = Run::new("/bin/sh", &built.source)
            .args(["-ec", &package.build])
            .timeout(BUILD_TIMEOUT)
            .env("CC", compiler.display().to_string())
            .env("FORCE_UNSAFE_CONFIGURE", "1")
            .env("LC_ALL", "C");
        if !cflags.is_empty() {
            run = run.env("CFLAGS", cflags);
        }
        for (name, path) in dependencies {
            run = run.env(&name, path);
        }
        let ended = run.run()?;
        let log = dir.join("log");
        fs::write(&log, [ended.stdout, ended.stderr].concat()).map_err(failed)?;
        if ended.status != 0 || ended.timed_out {
            return Err(format!("status {}:\n{}", ended.status, tail(&log)));
        }
        fs::write(dir.join("done"), "").map_err(failed)?;
        Ok(built)
    }
}

impl Built {
    pub fn program(&self, name: &str) -> Result<PathBuf, String> {
        self.directories
            .iter()
            .map(|directory| self.source.join(directory).join(name))
            .find(|path| path.is_file())
            .ok_or_else(|| format!("the build left no `{name}` in {:?}", self.directories))
    }
}

/// With `FATHOM_KEEP_BUILDS` set, a finished build by an older compiler is good enough: for work
/// on the engine while the compiler changes.
fn kept_build(store: &Path, variant: &str) -> Option<PathBuf> {
    std::env::var_os("FATHOM_KEEP_BUILDS")?;
    let entries = fs::read_dir(store).ok()?;
    entries.flatten().map(|entry| entry.path()).find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.rsplit_once('-').is_some_and(|(stem, _)| stem == variant) && path.join("done").exists()
    })
}

fn missing_tools(package: &Package) -> Result<(), String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = |tool: &str| std::env::split_paths(&path).any(|dir| dir.join(tool).exists());
    let missing: Vec<&str> = package
        .tools
        .iter()
        .filter(|(tool, _)| !found(tool))
        .map(|(_, debian)| debian.as_str())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("building {} needs: apt-get install {}", package.name, missing.join(" ")))
}

fn fetch(tree: &Tree, package: &Package, source: &Path) -> Result<(), String> {
    let script = |name: &str| Run::new(tree.repo.join("setup").join(name), &tree.repo);
    let fetch = match &package.archive {
        Some(archive) => script("fetch-archive.sh").args([&archive.url, &archive.sha256]),
        None => script("fetch-source.sh").arg(&package.source),
    };
    let ended = fetch.arg(source).timeout(600).run()?;
    if ended.status == 0 {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&ended.stderr).into_owned())
}

/// Applies patches; all files keep one age, so that nothing is made again because of them.
fn apply(patches: &[(PathBuf, String)], source: &Path) -> Result<(), String> {
    const SCRIPT: &str = "for patch; do patch -p1 --fuzz=0 --silent -i \"$patch\"; done
        find . -exec touch -h -d '2020-01-01 UTC' {} +";
    if patches.is_empty() {
        return Ok(());
    }
    let paths = patches.iter().map(|(path, _)| path);
    let ended = Run::new("/bin/sh", source).args(["-ec", SCRIPT, "sh"]).args(paths).run()?;
    if ended.status == 0 {
        return Ok(());
    }
    Err(format!("a patch does not apply:\n{}", String::from_utf8_lossy(&ended.stdout)))
}

/// Builds of the same package by an older compiler, or ones that were interrupted.
fn remove_other_builds(store: &Path, variant: &str) -> std::io::Result<()> {
    for entry in fs::read_dir(store)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.rsplit_once('-').is_some_and(|(stem, _)| stem == variant) {
            fs::remove_dir_all(&path)?;
        }
    }
    Ok(())
}

fn compiler_stamp(tree: &Tree) -> Result<u64, String> {
    let mut hasher = DefaultHasher::new();
    let sources = tree.repo.join("crates/cc/src");
    let failed = |error: std::io::Error| format!("{}: {error}", sources.display());
    for path in files_below(&sources).map_err(failed)? {
        fs::read(&path).map_err(failed)?.hash(&mut hasher);
    }
    let sysroot = tree.cache.join("sysroot");
    let target = fs::canonicalize(&sysroot)
        .map_err(|error| format!("{}: {error}: run ./x setup", sysroot.display()))?;
    target.file_name().hash(&mut hasher);
    Ok(hasher.finish())
}

/// All files, in the order of their names.
fn files_below(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

fn tail(log: &Path) -> String {
    let text = String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(25)..].join("\n")
}
