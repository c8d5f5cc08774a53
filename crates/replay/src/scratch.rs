//! The directory a program runs in, removed with all it left there.

use std::env;
use std::ffi::{CString, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use crate::world::World;
use crate::{Error, NativeInput, confine, tree};

/// Where our own files are in the program's tree, if it sees nothing else.
const OURS: &str = ".fathom";

/// `work/` is the program's; what lies beside it is ours. With a world, `work/` is its tree, and
/// what is ours lies in `work/.fathom`.
pub(crate) struct Scratch {
    root: PathBuf,
    has_world: bool,
    /// Whether `work/` is all that the program sees.
    is_confined: bool,
}

impl Scratch {
    pub fn new(input: &NativeInput) -> Result<Scratch, Error> {
        let world = input.world.as_deref();
        let is_confined = world.is_some_and(World::is_confined);
        let scratch = Scratch { root: make_directory()?, has_world: world.is_some(), is_confined };
        match world {
            None => scratch.fill(input)?,
            Some(world) => scratch.fill_world(world, input)?,
        }
        if !input.objects.is_empty() {
            let path = scratch.objects();
            fs::write(&path, encode(&input.objects)).map_err(Error::io(&path))?;
        }
        Ok(scratch)
    }

    fn fill(&self, input: &NativeInput) -> Result<(), Error> {
        let work = self.work();
        fs::create_dir(&work).map_err(Error::io(&work))?;
        input.files.iter().try_for_each(|(path, bytes)| self.place(path, bytes))
    }

    fn fill_world(&self, world: &World, input: &NativeInput) -> Result<(), Error> {
        let work = self.work();
        tree::copy(&world.root, &work)?;
        for directory in [self.ours(), tree::resolve(&work, &world.cwd)?] {
            fs::create_dir_all(&directory).map_err(Error::io(&directory))?;
        }
        confine::make_device_directory(&work).map_err(Error::io(&work))?;
        for (path, bytes) in &input.files {
            tree::put(&work, &world.cwd.join(path), bytes)?;
        }
        Ok(())
    }

    fn ours(&self) -> PathBuf {
        if self.has_world { self.work().join(OURS) } else { self.root.clone() }
    }

    /// What the program calls a file of ours.
    pub fn seen(&self, path: PathBuf) -> PathBuf {
        match path.strip_prefix(self.work()) {
            Ok(inside) if self.is_confined => Path::new("/").join(inside),
            _ => path,
        }
    }

    /// Where a program can be started from.
    pub fn program(&self, program: &Path) -> Result<PathBuf, Error> {
        if !self.is_confined {
            return Ok(program.to_owned());
        }
        let copy = self.ours().join("program");
        if fs::hard_link(program, &copy).is_err() {
            fs::copy(program, &copy).map_err(Error::io(program))?;
        }
        Ok(self.seen(copy))
    }

    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    pub fn objects(&self) -> PathBuf {
        self.ours().join("objects")
    }

    pub fn report(&self) -> PathBuf {
        self.ours().join("report")
    }

    /// How the names of the sanitizers' reports start.
    pub fn log(&self) -> PathBuf {
        self.ours().join("sanitizer")
    }

    fn place(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.components().all(inside) {
            return Err(Error::Outside(path.into()));
        }
        let full = self.work().join(path);
        let parent = full.parent().expect("it is below the work directory");
        fs::create_dir_all(parent).map_err(Error::io(parent))?;
        fs::write(&full, bytes).map_err(Error::io(&full))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is in the temporary directory, where it does no harm.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// A new directory for what does not last, in memory unless the user wants it elsewhere: on a disk,
/// making and removing it takes ten times as long as the run.
pub fn make_directory() -> Result<PathBuf, Error> {
    let in_memory = match env::var_os("TMPDIR") {
        Some(_) => None,
        None => make_directory_in(Path::new("/dev/shm")).ok(),
    };
    in_memory.map_or_else(|| make_directory_in(&env::temp_dir()), Ok)
}

fn make_directory_in(base: &Path) -> Result<PathBuf, Error> {
    let template = base.join("fathom-XXXXXX");
    let text = CString::new(template.as_os_str().as_bytes()).expect("a path has no NUL");
    let raw = text.into_raw();
    // SAFETY: mkdtemp writes six characters into the string that it is given.
    let (made, text) = unsafe { (!libc::mkdtemp(raw).is_null(), CString::from_raw(raw)) };
    match made {
        true => Ok(PathBuf::from(OsString::from_vec(text.into_bytes()))),
        false => Err(Error::Io(template, io::Error::last_os_error())),
    }
}

/// The file that `FATHOM_TEST` names: a magic, then name, NUL, size and bytes of each object.
fn encode(objects: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut file = b"fathom1\n".to_vec();
    for (name, bytes) in objects {
        file.extend(name.bytes().filter(|&byte| byte != 0));
        file.push(0);
        file.extend((bytes.len() as u64).to_le_bytes());
        file.extend(bytes);
    }
    file
}
