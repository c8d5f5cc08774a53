//! The Linux the program sees: files, descriptors and system calls.
//!
//! [`Linux`] answers every system call of a program the engine runs. The host's files are
//! readable as far as the sandbox lets them be, writes stay in a private layer, time is counted
//! in instructions, and nothing is random. What is not done as Linux does it goes to the ledger.

mod answers;
mod children;
mod contents;
mod dir;
mod errno;
mod fd;
mod file;
mod fs;
mod host;
mod host_files;
mod inputs;
mod io;
mod metadata;
mod mm;
mod names;
mod nodes;
mod open;
mod overlay;
mod path;
mod pipe;
mod poll;
mod proc;
mod process;
mod random;
mod recorded;
mod recorded_streams;
mod sandbox;
mod signal;
mod socket;
mod stat;
mod streams;
mod symbols;
mod terminal;
mod through;
mod time;

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use fathom_engine::outcome::Fault;
use fathom_engine::system::{Reply, System, SystemContext};
use fathom_expr::ExprId;
use libc::{AT_FDCWD, AT_REMOVEDIR, AT_SYMLINK_NOFOLLOW, O_CREAT, O_TRUNC, O_WRONLY};

use crate::answers::Answers;
use crate::children::Children;
use crate::errno::{Called, Early, Errno, is_repeated};
use crate::fd::{FileTable, OpenFile};
use crate::host::HostFile;
pub use crate::host_files::HostFiles;
pub use crate::inputs::{InputError, InputFile, Inputs, host_stdin};
use crate::mm::Mappings;
use crate::overlay::{NodeId, ROOT, Tree, User};
use crate::path::Links;
use crate::pipe::Pipes;
use crate::poll::milliseconds;
use crate::proc::Proc;
use crate::process::Process;
use crate::random::Random;
pub use crate::recorded::{
    NamedStream, Recorded, RecordedAnswer, RecordedStream, RecordedUser, StreamKind,
};
use crate::recorded_streams::Openings;
use crate::sandbox::Sandbox;
use crate::signal::Signals;
use crate::streams::Kept;
pub use crate::streams::Printed;
use crate::time::Clock;

/// What the program gets to see.
#[derive(Clone, Debug)]
pub struct Config {
    /// The directory the program starts in; it and all below may be read.
    pub cwd: PathBuf,
    /// Let writes below `cwd`, `named` and `allow_read` reach the host.
    pub host_writes: bool,
    /// More files and directories that may be read.
    pub allow_read: Vec<PathBuf>,
    /// Files named on the program's command line.
    pub named: Vec<PathBuf>,
    /// The program's own file, and what it is started with, for `/proc/self`.
    pub program: PathBuf,
    pub argv: Vec<Vec<u8>>,
    pub env: Vec<Vec<u8>>,
    /// The time the program starts at, since 1970.
    pub start_time: Duration,
    /// Where the deterministic source of randomness begins.
    pub seed: u64,
}

impl Config {
    /// The defaults for a program started in `cwd`: a private layer over the host.
    pub fn new(cwd: PathBuf) -> Self {
        Self {
            cwd,
            host_writes: false,
            allow_read: Vec::new(),
            named: Vec::new(),
            program: PathBuf::from("program"),
            argv: Vec::new(),
            env: Vec::new(),
            start_time: START_TIME,
            seed: 0,
        }
    }
}

/// The start time unless told otherwise, 2033-05-18: files of the host are older.
pub const START_TIME: Duration = Duration::from_secs(2_000_000_000);

/// The kernel of one process. A clone is the kernel of a forked state: it costs as much as there
/// are descriptors, and shares everything large until one of them changes it.
#[derive(Clone, Debug)]
pub struct Linux {
    files: FileTable,
    world: World,
    cwd: NodeId,
    umask: u32,
    signals: Signals,
    process: Process,
    mappings: Mappings,
    proc: Proc,
    /// Standard output and standard error, where they are kept.
    printed: [Option<Kept>; 2],
    /// What holds of the inputs, to be said at the first system call.
    assumptions: Vec<ExprId>,
    /// Whether memory may be symbolic, so that a call may have to be made again.
    is_symbolic: bool,
}

/// What open files share.
#[derive(Clone, Debug)]
pub(crate) struct World {
    tree: Tree,
    pipes: Pipes,
    clock: Clock,
    random: Random,
    answers: Answers,
    /// What a recording says is not there; `None` without one.
    absent: Option<Rc<HashMap<PathBuf, i32>>>,
    children: Children,
    /// What a recording has of streams that are opened by their names.
    named: Rc<HashMap<NodeId, Openings>>,
    /// The program that a recorded one became at its end.
    executed: Option<Rc<[u8]>>,
    /// What a recorded one could not execute, and why.
    not_executed: Rc<HashMap<Vec<u8>, VecDeque<i32>>>,
}

impl World {
    /// Puts something in the ledger when the call is over.
    fn note(&mut self, what: impl Into<String>) {
        self.tree.notes.push(what.into());
    }
}

impl Linux {
    /// A process with the host's descriptors 0 to 2, in `config.cwd`.
    pub fn new(config: Config) -> Self {
        let mut linux = Self::without_streams(config);
        for fd in 0..3 {
            if let Ok((file, flags)) = HostFile::duplicate_of(fd) {
                linux.files.open_at(fd as usize, OpenFile::new(Box::new(file), flags), false);
            }
        }
        linux
    }

    /// The host's files that this process and its copies open, now and later.
    pub fn host_files(&self) -> HostFiles {
        self.world.tree.opened.clone()
    }

    fn without_streams(config: Config) -> Self {
        let named = config.named.iter().map(|path| config.cwd.join(path));
        let allowed = config.allow_read.iter().cloned();
        let given = std::iter::once(config.cwd.clone()).chain(named).chain(allowed);
        let sandbox = Sandbox::new(given, config.host_writes);
        let cwd = config.cwd.canonicalize().unwrap_or(config.cwd);
        let program = std::path::absolute(&config.program).unwrap_or_default();
        let program = program.canonicalize().unwrap_or(program);
        let tree = Tree::new("/".into(), sandbox, host_user());
        Self::in_tree(Config { cwd, ..config }, &program, tree, host_umask())
    }

    /// A process without descriptors. The working directory and `program`, where its file really
    /// is, are paths of the tree.
    fn in_tree(config: Config, program: &Path, tree: Tree, umask: u32) -> Self {
        let mut world = World {
            tree,
            pipes: Pipes::default(),
            clock: Clock::new(config.start_time),
            random: Random::new(config.seed),
            answers: Answers::default(),
            absent: None,
            named: Rc::default(),
            children: Children::default(),
            executed: None,
            not_executed: Rc::default(),
        };
        world.tree.now = world.clock.now();
        let proc = Proc::new(&mut world.tree, &config, program);
        let process = Process::new(&config.program, &world.tree.user);
        let path = std::os::unix::ffi::OsStrExt::as_bytes(config.cwd.as_os_str());
        let place = world.tree.resolve(ROOT, path, Links::Follow);
        let cwd = place.ok().and_then(|place| place.node).unwrap_or(ROOT);
        let mut linux = Self {
            files: FileTable::new(host_file_limit()),
            world,
            cwd,
            umask,
            signals: Signals::default(),
            process,
            mappings: Mappings::default(),
            proc,
            printed: [None; 2],
            assumptions: Vec::new(),
            is_symbolic: false,
        };
        linux.note_cwd();
        linux
    }
}

impl System for Linux {
    fn call(
        &mut self,
        context: &mut SystemContext<'_>,
        number: u64,
        args: [u64; 6],
    ) -> Result<Reply, Fault> {
        let before = (self.is_symbolic && !is_atomic(number)).then(|| self.clone());
        self.world.clock.instructions = context.instructions as i64;
        self.world.tree.now = self.world.clock.now();
        self.proc.bytes = context.memory.live_bytes();
        let called = self.answer(context, number, args);
        let value = match called {
            Err(Early::Errno(errno)) => Ok(-i64::from(errno)),
            other => other,
        };
        let reply = value.and_then(|value| self.deliver(context, value));
        let notes = std::mem::take(&mut self.world.tree.notes);
        if let Err(Early::Fault(fault)) = &reply
            && is_repeated(fault)
        {
            if let Some(before) = before {
                *self = before;
            }
            return Err(*fault);
        }
        for note in notes {
            context.ledger.record(context.site, note);
        }
        context.assumptions.append(&mut self.assumptions);
        match reply {
            Ok(reply) | Err(Early::Reply(reply)) => Ok(reply),
            Err(Early::Errno(errno)) => Ok(Reply::Value(-i64::from(errno))),
            Err(Early::Fault(fault)) => Err(fault),
        }
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Linux {
    /// One line per system call. To add one: write a function in the file its subject belongs
    /// to, which takes the context if it needs memory, and returns the value, an [`Errno`] or
    /// the fault of a bad pointer; then unpack its arguments here.
    #[rustfmt::skip]
    fn dispatch(
        &mut self,
        context: &mut SystemContext<'_>,
        number: u64,
        args: [u64; 6],
    ) -> Called {
        let [a, b, c, d, ..] = args;
        let (fd, root) = (a as i32, AT_FDCWD);
        match number as i64 {
            // Descriptors
            libc::SYS_read => self.read(context, fd, b, c),
            libc::SYS_write => self.write(context, fd, b, c),
            libc::SYS_readv => self.readv(context, fd, b, c, None),
            libc::SYS_writev => self.writev(context, fd, b, c, None),
            libc::SYS_pread64 => self.pread64(context, fd, b, c, d),
            libc::SYS_pwrite64 => self.pwrite64(context, fd, b, c, d),
            libc::SYS_preadv => self.readv(context, fd, b, c, Some(d)),
            libc::SYS_pwritev => self.writev(context, fd, b, c, Some(d)),
            libc::SYS_preadv2 => self.readv(context, fd, b, c, (d as i64 != -1).then_some(d)),
            libc::SYS_pwritev2 => self.writev(context, fd, b, c, (d as i64 != -1).then_some(d)),
            libc::SYS_lseek => self.lseek(fd, b as i64, c as i32),
            libc::SYS_close => self.close(fd),
            libc::SYS_close_range => self.close_range(a, b, c),
            libc::SYS_dup => self.dup(fd),
            libc::SYS_dup2 => self.dup2(fd, b as i32),
            libc::SYS_dup3 => self.dup3(fd, b as i32, c as i32),
            libc::SYS_fcntl => self.fcntl(context, fd, b as i32, c),
            libc::SYS_ioctl => self.ioctl(context, fd, b, c),
            libc::SYS_ftruncate => self.ftruncate(fd, b as i64),
            libc::SYS_fallocate => self.fallocate(fd, b as i32, c as i64, d as i64),
            libc::SYS_sendfile => self.sendfile(context, args),
            libc::SYS_copy_file_range => self.copy_file_range(context, args),
            libc::SYS_fsync | libc::SYS_fdatasync => self.fsync(fd),
            libc::SYS_syncfs => self.check_fd(fd),
            libc::SYS_fadvise64 | libc::SYS_readahead | libc::SYS_flock => self.check_fd(fd),
            libc::SYS_sync_file_range => self.check_fd(fd),
            libc::SYS_sync => Ok(0),
            libc::SYS_splice | libc::SYS_tee | libc::SYS_vmsplice => Err(Errno(libc::EINVAL).into()),
            libc::SYS_pipe => self.pipe2(context, a, 0),
            libc::SYS_pipe2 => self.pipe2(context, a, b as i32),
            libc::SYS_poll => self.poll(context, a, b, milliseconds(c as i32)),
            libc::SYS_ppoll => self.ppoll(context, a, b, c, d),
            libc::SYS_select => self.select(context, args, 1000),
            libc::SYS_pselect6 => self.pselect6(context, args),
            libc::SYS_epoll_create => self.epoll_create(0),
            libc::SYS_epoll_create1 => self.epoll_create(fd),
            libc::SYS_epoll_ctl => self.epoll_ctl(context, fd, b as i32, c as i32, d),
            libc::SYS_epoll_wait => self.epoll_wait(context, fd, b, c as i32, d as i32),
            libc::SYS_epoll_pwait => self.epoll_pwait(context, args),

            // Opening and names
            libc::SYS_open => self.openat(context, root, a, b as i32, c as u32),
            libc::SYS_openat => self.openat(context, fd, b, c as i32, d as u32),
            libc::SYS_openat2 => self.openat2(context, fd, b, c, d),
            libc::SYS_creat => self.openat(context, root, a, O_CREAT | O_WRONLY | O_TRUNC, b as u32),
            libc::SYS_getdents64 => self.getdents64(context, fd, b, c),
            libc::SYS_mkdir => self.mkdirat(context, root, a, b as u32),
            libc::SYS_mkdirat => self.mkdirat(context, fd, b, c as u32),
            libc::SYS_rmdir => self.unlinkat(context, root, a, AT_REMOVEDIR),
            libc::SYS_unlink => self.unlinkat(context, root, a, 0),
            libc::SYS_unlinkat => self.unlinkat(context, fd, b, c as i32),
            libc::SYS_rename => self.renameat2(context, [root as u64, a, root as u64, b, 0, 0]),
            libc::SYS_renameat => self.renameat2(context, [a, b, c, d, 0, 0]),
            libc::SYS_renameat2 => self.renameat2(context, args),
            libc::SYS_link => self.linkat(context, [root as u64, a, root as u64, b, 0, 0]),
            libc::SYS_linkat => self.linkat(context, args),
            libc::SYS_symlink => self.symlinkat(context, a, root, b),
            libc::SYS_symlinkat => self.symlinkat(context, a, b as i32, c),
            libc::SYS_readlink => self.readlinkat(context, root, a, b, c),
            libc::SYS_readlinkat => self.readlinkat(context, fd, b, c, d),
            libc::SYS_mknod => self.mknodat(context, root, a, b as u32, c),
            libc::SYS_mknodat => self.mknodat(context, fd, b, c as u32, d),
            libc::SYS_chdir => self.chdir(context, a),
            libc::SYS_chroot => self.chroot(context, a),
            libc::SYS_fchdir => self.fchdir(fd),
            libc::SYS_getcwd => self.getcwd(context, a, b),
            libc::SYS_inotify_init | libc::SYS_inotify_init1 => Err(Errno(libc::ENOSYS).into()),

            // Metadata
            libc::SYS_stat => self.newfstatat(context, root, a, b, 0),
            libc::SYS_lstat => self.newfstatat(context, root, a, b, AT_SYMLINK_NOFOLLOW),
            libc::SYS_fstat => self.fstat(context, fd, b),
            libc::SYS_newfstatat => self.newfstatat(context, fd, b, c, d as i32),
            libc::SYS_statx => self.statx(context, args),
            libc::SYS_access => self.faccessat(context, root, a, b as i32, 0),
            libc::SYS_faccessat => self.faccessat(context, fd, b, c as i32, 0),
            libc::SYS_faccessat2 => self.faccessat(context, fd, b, c as i32, d as i32),
            libc::SYS_chmod => self.fchmodat(context, root, a, b as u32, 0),
            libc::SYS_fchmod => self.fchmod(fd, b as u32),
            libc::SYS_fchmodat => self.fchmodat(context, fd, b, c as u32, 0),
            libc::SYS_fchmodat2 => self.fchmodat(context, fd, b, c as u32, d as i32),
            libc::SYS_chown => self.fchownat(context, [root as u64, a, b, c, 0, 0]),
            libc::SYS_lchown => self.fchownat(context, [root as u64, a, b, c, AT_SYMLINK_NOFOLLOW as u64, 0]),
            libc::SYS_fchown => self.fchown(fd, b as u32, c as u32),
            libc::SYS_fchownat => self.fchownat(context, args),
            libc::SYS_utime => self.utimes(context, root, a, b, false),
            libc::SYS_utimes => self.utimes(context, root, a, b, true),
            libc::SYS_futimesat => self.utimes(context, fd, b, c, true),
            libc::SYS_utimensat => self.utimensat(context, fd, b, c, d as i32),
            libc::SYS_truncate => self.truncate(context, a, b as i64),
            libc::SYS_statfs => self.statfs(context, a, b),
            libc::SYS_fstatfs => self.fstatfs(context, fd, b),
            libc::SYS_getxattr => self.getxattr(context, args, Links::Follow),
            libc::SYS_lgetxattr => self.getxattr(context, args, Links::Keep),
            libc::SYS_fgetxattr => self.fgetxattr(fd, false),
            libc::SYS_listxattr => self.listxattr(context, args, Links::Follow),
            libc::SYS_llistxattr => self.listxattr(context, args, Links::Keep),
            libc::SYS_flistxattr => self.fgetxattr(fd, true),
            libc::SYS_setxattr | libc::SYS_lsetxattr | libc::SYS_fsetxattr => self.setxattr(),
            libc::SYS_removexattr | libc::SYS_lremovexattr | libc::SYS_fremovexattr => self.setxattr(),
            libc::SYS_umask => self.umask(a),

            // Memory
            libc::SYS_mmap => self.mmap(context, args),
            libc::SYS_munmap => self.munmap(context, a, b),
            libc::SYS_mremap => self.mremap(context, args),
            libc::SYS_mprotect => self.mprotect(context, a, b, c as i32),
            libc::SYS_msync => self.msync(context, a),
            libc::SYS_madvise => self.madvise(context, a, b, c as i32),
            libc::SYS_mincore => self.mincore(context, a, b, c),
            libc::SYS_brk => self.brk(),
            libc::SYS_mlock | libc::SYS_munlock | libc::SYS_mlock2 => Ok(0),
            libc::SYS_mlockall | libc::SYS_munlockall => Ok(0),

            // Time
            libc::SYS_clock_gettime => self.clock_gettime(context, fd, b),
            libc::SYS_clock_getres => self.clock_getres(context, fd, b),
            libc::SYS_gettimeofday => self.gettimeofday(context, a, b),
            libc::SYS_time => self.time(context, a),
            libc::SYS_clock_settime | libc::SYS_settimeofday => self.settime(),
            libc::SYS_nanosleep => self.nanosleep(context, libc::CLOCK_MONOTONIC, false, a, b),
            libc::SYS_clock_nanosleep => self.nanosleep(context, fd, b & 1 != 0, c, d),
            libc::SYS_times => self.times(context, a),
            libc::SYS_getrusage => self.getrusage(context, fd, b),
            libc::SYS_alarm => self.alarm(a),
            libc::SYS_getitimer => self.getitimer(context, fd, b),
            libc::SYS_setitimer => self.setitimer(context, fd, b, c),

            // Signals
            libc::SYS_rt_sigaction => self.rt_sigaction(context, fd, b, c, d),
            libc::SYS_rt_sigprocmask => self.rt_sigprocmask(context, fd, b, c, d),
            libc::SYS_rt_sigpending => self.rt_sigpending(context, a),
            libc::SYS_rt_sigsuspend => self.rt_sigsuspend(context, a),
            libc::SYS_rt_sigtimedwait => self.rt_sigtimedwait(context, a, b),
            libc::SYS_sigaltstack => self.sigaltstack(context, a, b),
            libc::SYS_rt_sigreturn => self.rt_sigreturn(a),
            libc::SYS_kill => self.kill(fd, b as i32, libc::SI_USER),
            libc::SYS_tkill => self.kill(fd, b as i32, libc::SI_TKILL),
            libc::SYS_tgkill => self.kill(b as i32, c as i32, libc::SI_TKILL),
            libc::SYS_pause => self.pause(),

            // The process and the machine
            libc::SYS_exit | libc::SYS_exit_group => self.exit(context, a),
            libc::SYS_getpid | libc::SYS_gettid | libc::SYS_set_tid_address => self.getpid(),
            libc::SYS_getppid => self.getppid(),
            libc::SYS_getpgrp => self.getpgid(0),
            libc::SYS_getpgid => self.getpgid(fd),
            libc::SYS_setpgid => self.setpgid(fd, b as i32),
            libc::SYS_getsid => self.getsid(fd),
            libc::SYS_setsid => self.setsid(),
            libc::SYS_getuid | libc::SYS_geteuid => Ok(self.world.tree.user.uid.into()),
            libc::SYS_getgid | libc::SYS_getegid => Ok(self.world.tree.user.gid.into()),
            libc::SYS_getresuid => self.getres(context, [a, b, c], self.world.tree.user.uid),
            libc::SYS_getresgid => self.getres(context, [a, b, c], self.world.tree.user.gid),
            libc::SYS_setuid => self.setuid(&[a], false),
            libc::SYS_setgid => self.setuid(&[a], true),
            libc::SYS_setreuid => self.setuid(&[a, b], false),
            libc::SYS_setregid => self.setuid(&[a, b], true),
            libc::SYS_setresuid => self.setuid(&[a, b, c], false),
            libc::SYS_setresgid => self.setuid(&[a, b, c], true),
            libc::SYS_setfsuid => Ok(self.world.tree.user.uid.into()),
            libc::SYS_setfsgid => Ok(self.world.tree.user.gid.into()),
            libc::SYS_getgroups => self.getgroups(context, fd, b),
            libc::SYS_setgroups => self.setgroups(context, a, b),
            libc::SYS_getpriority => self.getpriority(),
            libc::SYS_setpriority => self.setpriority(c as i32),
            libc::SYS_uname => self.uname(context, a),
            libc::SYS_sysinfo => self.sysinfo(context, a),
            libc::SYS_getrandom => self.getrandom(context, a, b, c),
            libc::SYS_getrlimit => self.prlimit64(context, 0, a, 0, b),
            libc::SYS_setrlimit => self.prlimit64(context, 0, a, b, 0),
            libc::SYS_prlimit64 => self.prlimit64(context, fd, b, c, d),
            libc::SYS_prctl => self.prctl(context, fd, b),
            libc::SYS_arch_prctl => Ok(0),
            libc::SYS_set_robust_list | libc::SYS_membarrier => Ok(0),
            libc::SYS_rseq => Err(Errno(libc::ENOSYS).into()),
            libc::SYS_personality => Ok(0),
            libc::SYS_capget => self.capget(context, a, b),
            libc::SYS_capset => Ok(0),
            libc::SYS_sched_yield | libc::SYS_sched_setaffinity => Ok(0),
            libc::SYS_sched_getaffinity => self.sched_getaffinity(context, b, c),
            libc::SYS_sched_getscheduler | libc::SYS_sched_setscheduler => Ok(0),
            libc::SYS_sched_get_priority_max | libc::SYS_sched_get_priority_min => Ok(0),
            libc::SYS_getcpu => self.getcpu(context, a, b),
            libc::SYS_futex => self.futex(context, a, b, c, d),
            libc::SYS_fork | libc::SYS_vfork | libc::SYS_clone3 => self.fork(),
            libc::SYS_clone => self.clone_process(a),
            libc::SYS_execve => self.execve(context, root, a),
            libc::SYS_execveat => self.execve(context, fd, b),
            libc::SYS_wait4 => self.wait4(context, fd, b, d),
            libc::SYS_waitid => self.waitid(),

            // Sockets
            libc::SYS_socket => self.socket(fd),
            libc::SYS_socketpair => self.socketpair(context, fd, b as i32, d),
            libc::SYS_sendto => self.transfer(context, args, true),
            libc::SYS_recvfrom => self.transfer(context, args, false),
            libc::SYS_shutdown | libc::SYS_setsockopt => self.check_socket(fd),

            _ => self.unknown(number),
        }
    }

    fn unknown(&mut self, number: u64) -> Called {
        let note = match names::name(number) {
            Some(name) => format!("system call {name} is not supported"),
            None => format!("there is no system call {number}"),
        };
        self.world.note(note);
        Err(Errno(libc::ENOSYS).into())
    }
}

/// Frequent calls that have done all they do with memory before they change anything, so that
/// nothing has to be taken back when they are made again.
fn is_atomic(number: u64) -> bool {
    matches!(
        number as i64,
        libc::SYS_write
            | libc::SYS_writev
            | libc::SYS_pwrite64
            | libc::SYS_lseek
            | libc::SYS_close
            | libc::SYS_stat
            | libc::SYS_lstat
            | libc::SYS_fstat
            | libc::SYS_newfstatat
            | libc::SYS_getpid
    )
}

fn host_user() -> User {
    // SAFETY: plain host calls; the list has the length asked for.
    unsafe {
        let count = libc::getgroups(0, std::ptr::null_mut()).max(0);
        let mut groups = vec![0; count as usize];
        let count = libc::getgroups(count, groups.as_mut_ptr()).max(0);
        groups.truncate(count as usize);
        let (pid, parent) = (4242, 4241);
        User { pid, parent, uid: libc::geteuid(), gid: libc::getegid(), groups: groups.into() }
    }
}

fn host_file_limit() -> usize {
    // SAFETY: a valid structure for the host to fill.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        limit.rlim_cur.clamp(3, 1 << 20) as usize
    }
}

/// The mask for new files, read without changing it.
fn host_umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    line.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or(0o022)
}
