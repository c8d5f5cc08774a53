//! Sockets: there is no network, only pairs connected to each other (see [`crate::pipe`]).

use fathom_engine::system::SystemContext;
use libc::{EAFNOSUPPORT, ENOTSOCK};

use crate::Linux;
use crate::errno::{Called, Errno};

impl Linux {
    pub(crate) fn socket(&mut self, domain: i32) -> Called {
        self.world.note(format!("there is no network: socket of family {domain} was refused"));
        // What a kernel built without the family says: the C library then does without, where it
        // looks for a name service, and takes other errors for failures.
        Err(Errno(EAFNOSUPPORT).into())
    }

    /// `sendto` and `recvfrom` on a connected pair.
    pub(crate) fn transfer(
        &mut self,
        context: &mut SystemContext<'_>,
        [fd, buffer, length, ..]: [u64; 6],
        sends: bool,
    ) -> Called {
        self.check_socket(fd as i32)?;
        match sends {
            true => self.write(context, fd as i32, buffer, length),
            false => self.read(context, fd as i32, buffer, length),
        }
    }

    /// Every other call on a socket.
    pub(crate) fn check_socket(&mut self, fd: i32) -> Called {
        let stat = self.files.get(fd)?.description.stat(&self.world)?;
        if stat.st_mode & libc::S_IFMT != libc::S_IFSOCK {
            return Err(Errno(ENOTSOCK).into());
        }
        Ok(0)
    }
}
