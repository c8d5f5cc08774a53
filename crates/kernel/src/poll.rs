//! Waiting for descriptors: `poll`, `select`, `epoll`.

use std::rc::Rc;

use fathom_engine::system::SystemContext;
use libc::{
    EBADF, EEXIST, EINTR, EINVAL, ENOENT, EPERM, POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT,
};

use crate::errno::{Called, Early, Errno};
use crate::fd::{FileDescription, OpenFile};
use crate::{Linux, World};

const MILLISECOND: i64 = 1_000_000;

/// One descriptor to wait for.
#[derive(Clone, Copy, Debug)]
struct Watch {
    fd: i32,
    events: i16,
    ready: i16,
}

/// An epoll instance: descriptor, events, data.
#[derive(Clone, Debug, Default)]
struct Epoll(Vec<(i32, u32, u64)>);

impl FileDescription for Epoll {
    fn copied(&self) -> Rc<dyn FileDescription> {
        Rc::new(self.clone())
    }

    fn stat(&self, world: &World) -> Result<libc::stat, Errno> {
        let mut stat = world.tree.stat(crate::overlay::ROOT)?;
        (stat.st_mode, stat.st_size, stat.st_blocks) = (0o600, 0, 0);
        Ok(stat)
    }

    fn watched(&mut self) -> Option<&mut Vec<(i32, u32, u64)>> {
        Some(&mut self.0)
    }
}

impl Linux {
    /// Fills in what is ready, waiting up to `timeout` nanoseconds, for ever if `None`.
    fn wait_ready(&mut self, watches: &mut [Watch], timeout: Option<i64>) -> Result<usize, Early> {
        let n_ready = self.look(watches);
        if n_ready > 0 {
            return Ok(n_ready);
        }
        if self.signals.is_due() {
            return Err(Errno(EINTR).into());
        }
        if timeout == Some(0) {
            return Ok(0);
        }
        let mut host = Vec::new();
        for watch in watches.iter() {
            let fd = self.files.get(watch.fd).ok().and_then(|file| file.description.host_fd());
            host.extend(fd.map(|fd| libc::pollfd { fd, events: watch.events, revents: 0 }));
        }
        if !host.is_empty() {
            let milliseconds = timeout.map_or(-1, |timeout| (timeout / MILLISECOND).min(1 << 30));
            // SAFETY: the array has the length given.
            let result =
                unsafe { libc::poll(host.as_mut_ptr(), host.len() as u64, milliseconds as i32) };
            crate::errno::host(result.into())?;
            let n_ready = self.look(watches);
            if n_ready > 0 {
                return Ok(n_ready);
            }
        }
        match timeout {
            Some(timeout) => {
                self.world.clock.sleep(timeout);
                Ok(0)
            }
            None => {
                if !self.world.clock.sleep_to_timer() {
                    self.world.note("waiting for descriptors that never become ready; EINTR");
                }
                Err(Errno(EINTR).into())
            }
        }
    }

    fn look(&mut self, watches: &mut [Watch]) -> usize {
        for watch in watches.iter_mut() {
            watch.ready = match self.files.get(watch.fd) {
                _ if watch.fd < 0 => 0,
                Ok(file) => {
                    file.description.ready(&self.world) & (watch.events | POLLERR | POLLHUP)
                }
                Err(_) => POLLNVAL,
            };
        }
        watches.iter().filter(|watch| watch.ready != 0).count()
    }

    pub(crate) fn poll(
        &mut self,
        context: &mut SystemContext<'_>,
        fds: u64,
        count: u64,
        timeout: Option<i64>,
    ) -> Called {
        if count > self.files.limit as u64 {
            return Err(Errno(EINVAL).into());
        }
        let mut watches = Vec::new();
        for index in 0..count {
            let fd = context.memory.read_u32(fds.wrapping_add(index * 8))? as i32;
            let events = context.memory.slice(fds.wrapping_add(index * 8 + 4), 2)?;
            let events = i16::from_le_bytes([events[0], events[1]]);
            watches.push(Watch { fd, events, ready: 0 });
        }
        let n_ready = self.wait_ready(&mut watches, timeout)?;
        for (index, watch) in watches.iter().enumerate() {
            context
                .memory
                .write(fds.wrapping_add(index as u64 * 8 + 6), &watch.ready.to_le_bytes())?;
        }
        Ok(n_ready as i64)
    }

    pub(crate) fn ppoll(
        &mut self,
        context: &mut SystemContext<'_>,
        fds: u64,
        count: u64,
        timeout: u64,
        mask: u64,
    ) -> Called {
        let timeout = read_timeout(context, timeout, 1)?;
        self.with_mask(context, mask, |linux, context| linux.poll(context, fds, count, timeout))
    }

    pub(crate) fn pselect6(&mut self, context: &mut SystemContext<'_>, args: [u64; 6]) -> Called {
        let mask = if args[5] == 0 { 0 } else { context.memory.read_u64(args[5])? };
        self.with_mask(context, mask, |linux, context| linux.select(context, args, 1))
    }

    pub(crate) fn epoll_pwait(
        &mut self,
        context: &mut SystemContext<'_>,
        [epoll, events, count, timeout, mask, _]: [u64; 6],
    ) -> Called {
        self.with_mask(context, mask, |linux, context| {
            linux.epoll_wait(context, epoll as i32, events, count as i32, timeout as i32)
        })
    }

    /// `select` and `pselect6`: the timeout's fraction counts `unit` nanoseconds.
    pub(crate) fn select(
        &mut self,
        context: &mut SystemContext<'_>,
        [count, reads, writes, excepts, timeout, _]: [u64; 6],
        unit: i64,
    ) -> Called {
        let count = count as i32;
        if count < 0 {
            return Err(Errno(EINVAL).into());
        }
        let count = (count as usize).min(1024);
        let timeout = read_timeout(context, timeout, unit)?;
        let bytes = count.div_ceil(64) as u64 * 8;
        let mut watches = Vec::new();
        for (set, events) in [(reads, POLLIN), (writes, POLLOUT)] {
            if set == 0 {
                continue;
            }
            let bits = context.memory.slice(set, bytes)?.to_vec();
            for fd in (0..count).filter(|fd| bits[fd / 8] >> (fd % 8) & 1 != 0) {
                watches.push(Watch { fd: fd as i32, events, ready: 0 });
            }
        }
        for watch in &watches {
            self.files.get(watch.fd).map_err(|_| Errno(EBADF))?;
        }
        self.wait_ready(&mut watches, timeout)?;
        let mut n_ready = 0;
        for (set, events) in [(reads, POLLIN), (writes, POLLOUT), (excepts, 0)] {
            if set == 0 {
                continue;
            }
            let mut bits = vec![0u8; bytes as usize];
            let is_ready = |watch: &&Watch| watch.events == events && watch.ready != 0;
            for watch in watches.iter().filter(is_ready) {
                bits[watch.fd as usize / 8] |= 1 << (watch.fd % 8);
                n_ready += 1;
            }
            context.memory.write(set, &bits)?;
        }
        Ok(n_ready)
    }

    pub(crate) fn epoll_create(&mut self, flags: i32) -> Called {
        let file = OpenFile::new(Box::new(Epoll::default()), libc::O_RDWR);
        Ok(self.files.open(file, flags & libc::O_CLOEXEC != 0)?.into())
    }

    pub(crate) fn epoll_ctl(
        &mut self,
        context: &mut SystemContext<'_>,
        epoll: i32,
        operation: i32,
        fd: i32,
        event: u64,
    ) -> Called {
        let node = self.files.get(fd)?.description.node();
        if node.is_some() && operation == libc::EPOLL_CTL_ADD {
            return Err(Errno(EPERM).into());
        }
        let (events, data) = match operation {
            libc::EPOLL_CTL_DEL => (0, 0),
            _ => (context.memory.read_u32(event)?, context.memory.read_u64(event.wrapping_add(4))?),
        };
        let watched = self.files.get(epoll)?.description.watched().ok_or(Errno(EINVAL))?;
        let found = watched.iter().position(|entry| entry.0 == fd);
        match (operation, found) {
            (libc::EPOLL_CTL_ADD, None) => watched.push((fd, events, data)),
            (libc::EPOLL_CTL_ADD, Some(_)) => return Err(Errno(EEXIST).into()),
            (libc::EPOLL_CTL_MOD, Some(index)) => watched[index] = (fd, events, data),
            (libc::EPOLL_CTL_DEL, Some(index)) => drop(watched.remove(index)),
            (libc::EPOLL_CTL_MOD | libc::EPOLL_CTL_DEL, None) => return Err(Errno(ENOENT).into()),
            _ => return Err(Errno(EINVAL).into()),
        }
        Ok(0)
    }

    pub(crate) fn epoll_wait(
        &mut self,
        context: &mut SystemContext<'_>,
        epoll: i32,
        events: u64,
        count: i32,
        timeout: i32,
    ) -> Called {
        if count <= 0 {
            return Err(Errno(EINVAL).into());
        }
        let watched = self.files.get(epoll)?.description.watched().ok_or(Errno(EINVAL))?.clone();
        let watch =
            |&(fd, events, _): &(i32, u32, u64)| Watch { fd, events: events as i16, ready: 0 };
        let mut watches: Vec<Watch> = watched.iter().map(watch).collect();
        self.wait_ready(&mut watches, milliseconds(timeout))?;
        let ready = watches.iter().zip(&watched).filter(|(watch, _)| watch.ready > 0);
        let mut n_ready = 0;
        for (watch, &(_, _, data)) in ready.take(count as usize) {
            let at = events.wrapping_add(n_ready * 12);
            context.memory.write_u32(at, watch.ready as u32)?;
            context.memory.write_u64(at.wrapping_add(4), data)?;
            n_ready += 1;
        }
        Ok(n_ready as i64)
    }
}

/// A timeout in milliseconds as nanoseconds; negative means for ever.
pub(crate) fn milliseconds(timeout: i32) -> Option<i64> {
    (timeout >= 0).then(|| i64::from(timeout) * MILLISECOND)
}

fn read_timeout(
    context: &SystemContext<'_>,
    address: u64,
    unit: i64,
) -> Result<Option<i64>, Early> {
    if address == 0 {
        return Ok(None);
    }
    let seconds = context.memory.read_u64(address)? as i64;
    let fraction = context.memory.read_u64(address.wrapping_add(8))? as i64;
    if seconds < 0 || fraction < 0 {
        return Err(Errno(EINVAL).into());
    }
    Ok(Some(seconds.saturating_mul(1_000_000_000).saturating_add(fraction.saturating_mul(unit))))
}
