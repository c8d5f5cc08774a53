//! `/proc` as far as it concerns the process itself: what the host has there is fathom's.

use std::collections::HashMap;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;

use fathom_engine::layout;
use libc::{S_IFLNK, S_IFREG};

use crate::contents::{Contents, PAGE};
use crate::errno::Errno;
use crate::overlay::{Kind, NodeId, ROOT, Tree};
use crate::path::Links;
use crate::process::SESSION_TERMINAL;
use crate::symbols::Symbols;
use crate::{Config, Linux};

/// A file whose text is made when it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    Cmdline,
    Comm,
    Environ,
    Limits,
    LoadAverage,
    Maps,
    Smaps,
    Stat,
    Statm,
    Status,
    Uptime,
}

const TEXTS: &[(&[u8], Text, u32)] = &[
    (b"cmdline", Text::Cmdline, 0o444),
    (b"comm", Text::Comm, 0o644),
    (b"environ", Text::Environ, 0o400),
    (b"limits", Text::Limits, 0o444),
    (b"maps", Text::Maps, 0o444),
    (b"smaps", Text::Smaps, 0o444),
    (b"stat", Text::Stat, 0o444),
    (b"statm", Text::Statm, 0o444),
    (b"status", Text::Status, 0o444),
];

const MACHINE_TEXTS: &[(&[u8], Text, u32)] =
    &[(b"loadavg", Text::LoadAverage, 0o444), (b"uptime", Text::Uptime, 0o444)];

/// Files that say the same of the program as of fathom.
const HOST_FILES: &[&str] = &["mounts", "mountinfo", "cgroup"];

/// The process's own part of `/proc`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proc {
    texts: Rc<HashMap<NodeId, Text>>,
    descriptors: Option<NodeId>,
    cwd: Option<NodeId>,
    /// Bytes the program has allocated, now and at most.
    pub bytes: (u64, u64),
    program: Rc<[u8]>,
    cmdline: Rc<[u8]>,
    environ: Rc<[u8]>,
}

impl Proc {
    /// Builds the directory in `tree`; nothing where it has no `/proc`.
    pub fn new(tree: &mut Tree, config: &Config, program: &Path) -> Self {
        let strings = |strings: &[Vec<u8>]| {
            strings.iter().flat_map(|text| [text.as_slice(), b"\0"].concat()).collect()
        };
        let mut proc = Self {
            program: program.as_os_str().as_bytes().into(),
            cmdline: strings(&config.argv),
            environ: strings(&config.env),
            ..Self::default()
        };
        // Without the host's `/proc`, or without a node in it, there is nothing to stand for.
        let _ = proc.build(tree);
        proc
    }

    fn build(&mut self, tree: &mut Tree) -> Result<(), Errno> {
        let root = tree.resolve(ROOT, b"/proc", Links::Follow)?.node.ok_or(Errno(libc::ENOENT))?;
        let own = tree.user.pid.to_string().into_bytes();
        let process = tree.plant_directory(root, &own, 0o555)?;
        for name in [&b"self"[..], b"thread-self"] {
            tree.plant(root, name, Kind::Symlink(own.as_slice().into()), S_IFLNK | 0o777)?;
        }
        for (parent, texts) in [(process, TEXTS), (root, MACHINE_TEXTS)] {
            for &(name, text, mode) in texts {
                let kind = Kind::File(Contents::default());
                let node = tree.plant(parent, name, kind, S_IFREG | mode)?;
                Rc::make_mut(&mut self.texts).insert(node, text);
            }
        }
        for name in HOST_FILES {
            tree.plant_host(process, name.as_bytes(), &format!("proc/self/{name}"));
        }
        for (name, target) in [(&b"exe"[..], &self.program[..]), (b"root", b"/"), (b"cwd", b"/")] {
            let node = tree.plant(process, name, Kind::Symlink(target.into()), S_IFLNK | 0o777)?;
            if name == b"cwd" {
                self.cwd = Some(node);
            }
        }
        self.descriptors = Some(tree.plant_directory(process, b"fd", 0o500)?);
        Ok(())
    }
}

impl Linux {
    /// Called when the working directory has changed.
    pub(crate) fn note_cwd(&mut self) {
        let path = self.world.tree.path_of(self.cwd).unwrap_or_else(|| b"/ (deleted)".to_vec());
        if let Some(link) = self.proc.cwd {
            self.world.tree.node_mut(link).kind = Kind::Symlink(path.into());
        }
    }

    /// Brings a file of `/proc` up to date; called before it is opened.
    pub(crate) fn refresh(&mut self, node: NodeId) -> Result<(), Errno> {
        if self.proc.descriptors == Some(node) {
            return self.refresh_descriptors(node);
        }
        let Some(&text) = self.proc.texts.get(&node) else { return Ok(()) };
        let bytes = self.text(text);
        let mut contents = Contents::default();
        contents.write_at(&bytes, &Symbols::default(), 0);
        self.world.tree.node_mut(node).kind = Kind::File(contents);
        Ok(())
    }

    fn refresh_descriptors(&mut self, directory: NodeId) -> Result<(), Errno> {
        for fd in 0..self.files.end() {
            let name = fd.to_string().into_bytes();
            match self.descriptor_path(fd) {
                Ok(target) => {
                    let kind = Kind::Symlink(target.into());
                    self.world.tree.plant(directory, &name, kind, S_IFLNK | 0o700)?;
                }
                Err(_) => self.world.tree.forget(directory, &name),
            }
        }
        Ok(())
    }

    fn text(&self, text: Text) -> Vec<u8> {
        match text {
            Text::Cmdline => self.proc.cmdline.to_vec(),
            Text::Environ => self.proc.environ.to_vec(),
            Text::Comm => [self.process.name(), b"\n"].concat(),
            Text::Maps => self.maps(false).into_bytes(),
            Text::Smaps => self.maps(true).into_bytes(),
            Text::Limits => self.limits().into_bytes(),
            Text::Status => self.status().into_bytes(),
            Text::Stat => self.stat_line().into_bytes(),
            Text::Statm => {
                let pages = self.pages();
                format!("{pages} {pages} 0 1 0 {pages} 0\n").into_bytes()
            }
            Text::LoadAverage => format!("0.00 0.00 0.00 1/1 {}\n", self.pid()).into_bytes(),
            Text::Uptime => {
                let hundredths = self.world.clock.uptime() / 10_000_000;
                let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
                format!("{text} {text}\n").into_bytes()
            }
        }
    }

    /// Where things can be in the simulated address space, not what is there now.
    fn maps(&self, details: bool) -> String {
        let at = layout::window_base;
        let program = String::from_utf8_lossy(&self.proc.program).into_owned();
        let parts = [
            (layout::CODE_BASE, at(layout::GLOBAL_FIRST), "r-xp", program.as_str()),
            (at(layout::GLOBAL_FIRST), at(layout::HEAP_FIRST), "rw-p", program.as_str()),
            (at(layout::HEAP_FIRST), at(layout::HEAP_END - 1), "rw-p", "[heap]"),
            (at(layout::STACK_FIRST), (1 << 47) - PAGE, "rw-p", "[stack]"),
        ];
        let mut text = String::new();
        for (start, end, access, name) in parts {
            let line = format!("{start:08x}-{end:08x} {access} 00000000 00:00 0");
            let _ = writeln!(text, "{line:<73}{name}");
            if details {
                let _ = writeln!(text, "Size:           {:8} kB", (end - start) / 1024);
                let _ = writeln!(text, "Rss:            {:8} kB", self.pages() * 4);
            }
        }
        text
    }

    /// Pages the program's objects would take.
    fn pages(&self) -> u64 {
        self.proc.bytes.0.div_ceil(PAGE) + 256
    }

    fn limits(&self) -> String {
        const NAMES: [(&str, &str); 16] = [
            ("Max cpu time", "seconds"),
            ("Max file size", "bytes"),
            ("Max data size", "bytes"),
            ("Max stack size", "bytes"),
            ("Max core file size", "bytes"),
            ("Max resident set", "bytes"),
            ("Max processes", "processes"),
            ("Max open files", "files"),
            ("Max locked memory", "bytes"),
            ("Max address space", "bytes"),
            ("Max file locks", "locks"),
            ("Max pending signals", "signals"),
            ("Max msgqueue size", "bytes"),
            ("Max nice priority", ""),
            ("Max realtime priority", ""),
            ("Max realtime timeout", "us"),
        ];
        let mut text =
            format!("{:<25} {:<20} {:<20} {:<10}\n", "Limit", "Soft Limit", "Hard Limit", "Units");
        for (resource, (name, unit)) in NAMES.into_iter().enumerate() {
            let limits = self.limit(resource).unwrap_or([libc::RLIM_INFINITY; 2]);
            let [soft, hard] = limits.map(|limit| match limit {
                libc::RLIM_INFINITY => "unlimited".to_owned(),
                limit => limit.to_string(),
            });
            let _ = writeln!(text, "{name:<25} {soft:<20} {hard:<20} {unit:<10}");
        }
        text
    }

    fn status(&self) -> String {
        let user = &self.world.tree.user;
        let (pid, parent) = (user.pid, user.parent);
        let name = String::from_utf8_lossy(self.process.name()).into_owned();
        let (uid, gid) = (user.uid, user.gid);
        let groups: String = user.groups.iter().map(|group| format!("{group} ")).collect();
        let [pending, blocked, ignored, caught] = self.signals.sets();
        let size = self.pages() * 4;
        let peak = self.proc.bytes.1.div_ceil(1024) + 1024;
        format!(
            "Name:\t{name}\nUmask:\t{:04o}\nState:\tR (running)\nTgid:\t{pid}\nNgid:\t0\n\
             Pid:\t{pid}\nPPid:\t{parent}\nTracerPid:\t0\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\n\
             Gid:\t{gid}\t{gid}\t{gid}\t{gid}\nFDSize:\t64\nGroups:\t{groups}\n\
             VmPeak:\t{peak:8} kB\nVmSize:\t{size:8} kB\nVmLck:\t       0 kB\n\
             VmHWM:\t{peak:8} kB\nVmRSS:\t{size:8} kB\nVmData:\t{size:8} kB\n\
             VmStk:\t     132 kB\nVmSwap:\t       0 kB\nThreads:\t1\nSigQ:\t0/1\n\
             SigPnd:\t{:016x}\nShdPnd:\t{pending:016x}\nSigBlk:\t{blocked:016x}\n\
             SigIgn:\t{ignored:016x}\nSigCgt:\t{caught:016x}\nNoNewPrivs:\t0\nSeccomp:\t0\n\
             voluntary_ctxt_switches:\t0\nnonvoluntary_ctxt_switches:\t0\n",
            self.umask, 0,
        )
    }

    fn stat_line(&self) -> String {
        let (pid, parent) = (self.pid(), self.world.tree.user.parent);
        let name = String::from_utf8_lossy(self.process.name()).into_owned();
        let (group, session) = (self.process.group, self.process.session);
        let ticks = self.world.clock.instructions / 10_000_000;
        let pages = self.pages();
        let [pending, blocked, ignored, caught] = self.signals.sets();
        let (code, stack) = (layout::CODE_BASE, layout::window_base(layout::STACK_FIRST));
        format!(
            "{pid} ({name}) R {parent} {group} {session} {SESSION_TERMINAL} {group} 4194304 \
             0 0 0 0 {ticks} 0 0 0 20 0 1 0 10000000 {} {pages} 18446744073709551615 \
             {code} {} {stack} 0 0 {pending} {blocked} {ignored} {caught} \
             0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
            pages * PAGE,
            layout::window_base(layout::GLOBAL_FIRST),
        )
    }
}
