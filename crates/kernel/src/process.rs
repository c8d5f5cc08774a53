//! Who and where the program is: ids, limits, the machine; and the end of the process.

use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use fathom_engine::system::{Reply, SystemContext};
use libc::{EAGAIN, EINVAL, ENOSYS, EPERM, ESRCH};

use crate::errno::{Called, Early, Errno, host};
use crate::overlay::{Kind, User};
use crate::path::Links;
use crate::stat::bytes_of;
use crate::symbols::Symbols;
use crate::{Linux, World};

/// The device number of the controlling terminal: none.
pub(crate) const SESSION_TERMINAL: i64 = 0;

const N_LIMITS: usize = 16;

/// What a process may set about itself.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    name: [u8; 16],
    limits: [Option<[u64; 2]>; N_LIMITS],
    niceness: i64,
    dumpable: i64,
    pub group: i64,
    pub session: i64,
}

impl Process {
    /// That of a program, by the name of its file.
    pub fn new(program: &std::path::Path, user: &User) -> Self {
        let mut process = Self {
            name: *b"program\0\0\0\0\0\0\0\0\0",
            limits: [None; N_LIMITS],
            niceness: 0,
            dumpable: 1,
            group: user.pid.into(),
            session: user.parent.into(),
        };
        if let Some(name) = program.file_name() {
            process.set_name(name.as_bytes());
        }
        process
    }

    pub fn name(&self) -> &[u8] {
        self.name.split(|&byte| byte == 0).next().expect("at least one part")
    }

    fn set_name(&mut self, name: &[u8]) {
        let length = name.len().min(15);
        self.name = [0; 16];
        self.name[..length].copy_from_slice(&name[..length]);
    }
}

impl Linux {
    pub(crate) fn exit(&mut self, context: &mut SystemContext<'_>, status: u64) -> Called {
        self.finish(context)?;
        Err(Early::Reply(Reply::Exit((status & 0xff) as i32)))
    }

    pub(crate) fn getrandom(
        &mut self,
        context: &mut SystemContext<'_>,
        buffer: u64,
        length: u64,
        flags: u64,
    ) -> Called {
        if flags & !7 != 0 {
            return Err(Errno(EINVAL).into());
        }
        let length = length.min(0x1ff_ffff);
        if context.memory.extent(buffer).unwrap_or(0) < length {
            context.memory.slice_mut(buffer, length)?;
        }
        let (mut bytes, mut symbols) = (vec![0; length as usize], Symbols::default());
        self.world.fill_random(&mut bytes, &mut symbols);
        context.memory.write(buffer, &bytes)?;
        context.memory.set_symbols(buffer, symbols.as_slice());
        Ok(length as i64)
    }

    // ---- ids -----------------------------------------------------------------------------

    pub(crate) fn getpid(&mut self) -> Called {
        Ok(self.pid().into())
    }

    pub(crate) fn pid(&self) -> i32 {
        self.world.tree.user.pid
    }

    pub(crate) fn getppid(&mut self) -> Called {
        Ok(self.world.tree.user.parent.into())
    }

    pub(crate) fn getpgid(&mut self, pid: i32) -> Called {
        if pid == 0 || pid == self.pid() {
            Ok(self.process.group)
        } else {
            Err(Errno(ESRCH).into())
        }
    }

    pub(crate) fn getsid(&mut self, pid: i32) -> Called {
        if pid == 0 || pid == self.pid() {
            Ok(self.process.session)
        } else {
            Err(Errno(ESRCH).into())
        }
    }

    pub(crate) fn setpgid(&mut self, pid: i32, group: i32) -> Called {
        if self.world.children.is_alive(pid) {
            return Ok(0);
        }
        if pid != 0 && pid != self.pid() {
            return Err(Errno(ESRCH).into());
        }
        self.process.group = if group == 0 { self.pid().into() } else { group.into() };
        Ok(0)
    }

    pub(crate) fn setsid(&mut self) -> Called {
        let pid = i64::from(self.pid());
        if self.process.group == pid {
            return Err(Errno(EPERM).into());
        }
        (self.process.group, self.process.session) = (pid, pid);
        Ok(pid)
    }

    pub(crate) fn getgroups(
        &mut self,
        context: &mut SystemContext<'_>,
        size: i32,
        list: u64,
    ) -> Called {
        let groups = &self.world.tree.user.groups;
        if size < 0 || (size > 0 && (size as usize) < groups.len()) {
            return Err(Errno(EINVAL).into());
        }
        if size > 0 {
            let bytes: Vec<u8> = groups.iter().flat_map(|group| group.to_le_bytes()).collect();
            context.memory.write(list, &bytes)?;
        }
        Ok(groups.len() as i64)
    }

    /// `getresuid` and `getresgid`.
    pub(crate) fn getres(
        &mut self,
        context: &mut SystemContext<'_>,
        addresses: [u64; 3],
        id: u32,
    ) -> Called {
        for address in addresses {
            context.memory.write_u32(address, id)?;
        }
        Ok(0)
    }

    /// The calls that change the user: to itself, or by root to anybody.
    pub(crate) fn setuid(&mut self, ids: &[u64], group: bool) -> Called {
        let user = &mut self.world.tree.user;
        let privileged = user.uid == 0;
        let current = if group { &mut user.gid } else { &mut user.uid };
        for &id in ids {
            let id = id as u32;
            if id == u32::MAX || id == *current {
                continue;
            }
            if !privileged {
                return Err(Errno(EPERM).into());
            }
            *current = id;
        }
        Ok(0)
    }

    pub(crate) fn setgroups(
        &mut self,
        context: &mut SystemContext<'_>,
        size: u64,
        list: u64,
    ) -> Called {
        if self.world.tree.user.uid != 0 {
            return Err(Errno(EPERM).into());
        }
        if size > 65536 {
            return Err(Errno(EINVAL).into());
        }
        let bytes = context.memory.slice(list, size * 4)?;
        let word = |chunk: &[u8]| u32::from_le_bytes(chunk.try_into().expect("4 bytes"));
        self.world.tree.user.groups = bytes.chunks(4).map(word).collect();
        Ok(0)
    }

    pub(crate) fn umask(&mut self, mask: u64) -> Called {
        let old = std::mem::replace(&mut self.umask, mask as u32 & 0o777);
        Ok(old.into())
    }

    pub(crate) fn getpriority(&mut self) -> Called {
        Ok(20 - self.process.niceness)
    }

    pub(crate) fn setpriority(&mut self, niceness: i32) -> Called {
        let niceness = i64::from(niceness).clamp(-20, 19);
        if niceness < self.process.niceness && self.world.tree.user.uid != 0 {
            return Err(Errno(libc::EACCES).into());
        }
        self.process.niceness = niceness;
        Ok(0)
    }

    // ---- the machine ---------------------------------------------------------------------

    pub(crate) fn uname(&mut self, context: &mut SystemContext<'_>, buffer: u64) -> Called {
        // SAFETY: all-zero bytes are a valid `utsname`, and the host fills it.
        let name = unsafe {
            let mut name: libc::utsname = std::mem::zeroed();
            host(libc::uname(&mut name).into())?;
            name
        };
        context.memory.write(buffer, bytes_of(&name))?;
        Ok(0)
    }

    /// A machine at rest with 8 GiB, the same in every run.
    pub(crate) fn sysinfo(&mut self, context: &mut SystemContext<'_>, buffer: u64) -> Called {
        // SAFETY: all-zero bytes are a valid `sysinfo`.
        let mut info: libc::sysinfo = unsafe { std::mem::zeroed() };
        info.uptime = self.world.clock.uptime() / 1_000_000_000;
        (info.totalram, info.freeram) = (8 << 30, 4 << 30);
        (info.procs, info.mem_unit) = (1, 1);
        context.memory.write(buffer, bytes_of(&info))?;
        Ok(0)
    }

    pub(crate) fn sched_getaffinity(
        &mut self,
        context: &mut SystemContext<'_>,
        size: u64,
        mask: u64,
    ) -> Called {
        let mut bytes = [0u8; 128];
        // SAFETY: the mask has the length given.
        let length = host(unsafe {
            libc::syscall(libc::SYS_sched_getaffinity, 0, bytes.len(), bytes.as_mut_ptr())
        })?;
        if size < length as u64 || !size.is_multiple_of(8) {
            return Err(Errno(EINVAL).into());
        }
        context.memory.write(mask, &bytes[..length as usize])?;
        Ok(length)
    }

    pub(crate) fn getcpu(
        &mut self,
        context: &mut SystemContext<'_>,
        cpu: u64,
        node: u64,
    ) -> Called {
        for address in [cpu, node].into_iter().filter(|&address| address != 0) {
            context.memory.write_u32(address, 0)?;
        }
        Ok(0)
    }

    pub(crate) fn prlimit64(
        &mut self,
        context: &mut SystemContext<'_>,
        pid: i32,
        resource: u64,
        new: u64,
        old: u64,
    ) -> Called {
        let resource = resource as u32 as usize;
        if pid != 0 && pid != self.pid() {
            return Err(Errno(ESRCH).into());
        }
        if resource >= self.process.limits.len() {
            return Err(Errno(EINVAL).into());
        }
        let current = self.limit(resource)?;
        if new != 0 {
            let wanted =
                [context.memory.read_u64(new)?, context.memory.read_u64(new.wrapping_add(8))?];
            if wanted[0] > wanted[1] {
                return Err(Errno(EINVAL).into());
            }
            if wanted[1] > current[1] && self.world.tree.user.uid != 0 {
                return Err(Errno(EPERM).into());
            }
            self.set_limit(resource, wanted);
        }
        if old != 0 {
            context.memory.write_u64(old, current[0])?;
            context.memory.write_u64(old.wrapping_add(8), current[1])?;
        }
        Ok(0)
    }

    fn set_limit(&mut self, resource: usize, limit: [u64; 2]) {
        self.process.limits[resource] = Some(limit);
        if resource == libc::RLIMIT_NOFILE as usize {
            self.files.limit = limit[0].min(1 << 20) as usize;
        }
    }

    /// The limits that a recorded program had.
    pub(crate) fn take_limits(&mut self, limits: &[(u64, u64)]) {
        for (resource, &(soft, hard)) in limits.iter().enumerate().take(N_LIMITS) {
            self.set_limit(resource, [soft, hard]);
        }
        for (resource, name) in [(libc::RLIMIT_AS, "RLIMIT_AS"), (libc::RLIMIT_DATA, "RLIMIT_DATA")]
        {
            let limit = limits.get(resource as usize).map_or(libc::RLIM_INFINITY, |limit| limit.0);
            if limit != libc::RLIM_INFINITY {
                self.world
                    .note(format!("{name} is {limit}: memory does not run out at this limit"));
            }
        }
    }

    /// The size that files can have, where the program has been told.
    pub(crate) fn max_file_size(&self) -> u64 {
        let limit = self.process.limits[libc::RLIMIT_FSIZE as usize];
        limit.map_or(libc::RLIM_INFINITY, |limit| limit[0])
    }

    pub(crate) fn limit(&self, resource: usize) -> Result<[u64; 2], Errno> {
        if let Some(limit) = self.process.limits[resource] {
            return Ok(limit);
        }
        // SAFETY: a valid structure for the host to fill.
        unsafe {
            let mut limit: libc::rlimit = std::mem::zeroed();
            host(libc::getrlimit(resource as u32, &mut limit).into())?;
            Ok([limit.rlim_cur, limit.rlim_max])
        }
    }

    // ---- processes and threads -----------------------------------------------------------

    pub(crate) fn prctl(
        &mut self,
        context: &mut SystemContext<'_>,
        option: i32,
        argument: u64,
    ) -> Called {
        match option {
            libc::PR_SET_NAME => {
                self.process.set_name(context.memory.c_string(argument)?);
                Ok(0)
            }
            libc::PR_GET_NAME => {
                context.memory.write(argument, &self.process.name)?;
                Ok(0)
            }
            libc::PR_GET_DUMPABLE => Ok(self.process.dumpable),
            libc::PR_SET_DUMPABLE => {
                self.process.dumpable = argument as i64 & 1;
                Ok(0)
            }
            libc::PR_SET_PDEATHSIG
            | libc::PR_SET_NO_NEW_PRIVS
            | libc::PR_SET_CHILD_SUBREAPER
            | libc::PR_SET_KEEPCAPS
            | libc::PR_SET_TIMERSLACK
            | libc::PR_SET_PTRACER => Ok(0),
            libc::PR_GET_NO_NEW_PRIVS | libc::PR_GET_KEEPCAPS | libc::PR_GET_SECCOMP => Ok(0),
            libc::PR_CAPBSET_READ => Ok(i64::from(self.world.tree.user.uid == 0)),
            _ => Err(Errno(EINVAL).into()),
        }
    }

    pub(crate) fn capget(
        &mut self,
        context: &mut SystemContext<'_>,
        header: u64,
        data: u64,
    ) -> Called {
        context.memory.write_u32(header, 0x2008_0522)?;
        if data != 0 {
            let all = if self.world.tree.user.uid == 0 { u32::MAX } else { 0 };
            let words = [all, all, 0, all & 0x1ff, all & 0x1ff, 0];
            let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
            context.memory.write(data, &bytes)?;
        }
        Ok(0)
    }

    /// With one thread nobody else can wake or wait.
    pub(crate) fn futex(
        &mut self,
        context: &mut SystemContext<'_>,
        address: u64,
        operation: u64,
        value: u64,
        timeout: u64,
    ) -> Called {
        match operation & 0x7f {
            0 | 9 => {
                if context.memory.read_u32(address)? != value as u32 {
                    return Err(Errno(EAGAIN).into());
                }
                if timeout != 0 {
                    return Err(Errno(libc::ETIMEDOUT).into());
                }
                self.world.note("waiting for another thread, of which there is none");
                Err(Errno(EAGAIN).into())
            }
            1 | 3 | 4 | 5 | 10 => Ok(0),
            _ => Err(Errno(ENOSYS).into()),
        }
    }

    pub(crate) fn execve(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
    ) -> Called {
        if path != 0 {
            let name = context.memory.c_string(path)?;
            if let Some(error) = self.world.failure_to_execute(name) {
                return Err(error.into());
            }
            if self.world.executed.as_deref() == Some(name) {
                self.world.note("another program takes the place of this one: not followed");
                return Err(Early::Reply(Reply::Exit(0)));
            }
        }
        let node = self.target(context, directory, path, 0, Links::Follow)?;
        if !matches!(self.world.tree.node(node).kind, Kind::HostFile | Kind::File(_)) {
            return Err(Errno(libc::EACCES).into());
        }
        self.world.tree.check_access(node, libc::X_OK)?;
        self.world.note("process creation is not supported: execve");
        Err(Errno(ENOSYS).into())
    }
}

impl World {
    /// Why the native run could not execute a program, the next time.
    fn failure_to_execute(&mut self, name: &[u8]) -> Option<Errno> {
        if !self.not_executed.contains_key(name) {
            return None;
        }
        let errors = Rc::make_mut(&mut self.not_executed).get_mut(name)?;
        errors.pop_front().map(Errno)
    }
}
