//! Messages between the processes of one run, over a socket.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// To a worker: what to do. Its first message.
    Task,
    /// Either way: states to explore from now on.
    Routes,
    /// To a worker: others have nothing left to do.
    Give,
    /// To a worker: what others have found.
    Learn,
    /// To a worker: the run is over.
    Stop,
    /// From a worker: it has nothing left to do.
    Idle,
    /// From a worker: a bug, which is in its directory.
    Bug,
    /// From a worker: how far it is, and the code it has covered since.
    Progress,
    /// From a worker: the states it has left at the end.
    Left,
    /// From a worker: what it has counted. Its last message.
    Done,
    /// The other side is no more.
    Gone,
}

const KINDS: [Kind; 11] = [
    Kind::Task,
    Kind::Routes,
    Kind::Give,
    Kind::Learn,
    Kind::Stop,
    Kind::Idle,
    Kind::Bug,
    Kind::Progress,
    Kind::Left,
    Kind::Done,
    Kind::Gone,
];

#[derive(Debug)]
pub struct Message {
    pub kind: Kind,
    pub body: Vec<u8>,
}

impl Message {
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.body).ok()
    }
}

/// Sends one message. If nobody reads any more, that is noticed elsewhere.
pub fn send(to: &UnixStream, kind: Kind, body: &[u8]) {
    let mut bytes = vec![kind as u8];
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    let mut to = to;
    let _ = to.write_all(&bytes);
}

pub fn send_json(to: &UnixStream, kind: Kind, body: &impl Serialize) {
    send(to, kind, &serde_json::to_vec(body).expect("plain data"));
}

/// The next message; `Gone` after the last.
pub fn receive(mut from: &UnixStream) -> Message {
    let mut head = [0; 9];
    let gone = Message { kind: Kind::Gone, body: Vec::new() };
    if from.read_exact(&mut head).is_err() {
        return gone;
    }
    let len = u64::from_le_bytes(head[1..].try_into().expect("eight bytes"));
    let Some(&kind) = KINDS.get(usize::from(head[0])) else { return gone };
    let mut body = Vec::new();
    match from.take(len).read_to_end(&mut body) {
        Ok(read) if read as u64 == len => Message { kind, body },
        _ => gone,
    }
}

/// Passes all messages on to `inbox` as coming from `sender`, and raises `mail` each time.
pub fn listen(
    from: UnixStream,
    sender: usize,
    inbox: Sender<(usize, Message)>,
    mail: Arc<AtomicBool>,
    on_end: impl Fn() + Send + 'static,
) {
    std::thread::spawn(move || {
        loop {
            let message = receive(&from);
            let kind = message.kind;
            if matches!(kind, Kind::Stop | Kind::Gone) {
                on_end();
            }
            if inbox.send((sender, message)).is_err() {
                return;
            }
            mail.store(true, Ordering::Release);
            if kind == Kind::Gone {
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_in_order_and_the_end_is_told() {
        let (one, other) = UnixStream::pair().expect("two sockets");
        for &kind in &KINDS[..10] {
            send(&one, kind, &[kind as u8; 3]);
        }
        drop(one);
        for &kind in &KINDS[..10] {
            let message = receive(&other);
            assert_eq!((message.kind, message.body), (kind, vec![kind as u8; 3]));
        }
        assert_eq!(receive(&other).kind, Kind::Gone);
    }
}
