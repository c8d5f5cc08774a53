//! Copies of an array's first elements that share what is the same in all of them.

use std::rc::Rc;

use crate::pages::Pages;

const CHUNK: usize = 32;

/// The first elements of an array as they were when it was taken. States that parted lately have
/// most of their stacks in common.
#[derive(Clone)]
pub(crate) struct Snapshot<T> {
    chunks: Vec<Rc<[T; CHUNK]>>,
}

impl<T> Default for Snapshot<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Snapshot<T> {
    /// At least the first `count` elements, sharing with `earlier` what has not changed since.
    pub fn take(pages: &Pages<T>, count: usize, earlier: &Self) -> Self {
        let n_chunks = count.div_ceil(CHUNK);
        let (chunks, _) = pages.first(n_chunks * CHUNK).as_chunks::<CHUNK>();
        let shared = chunks.iter().enumerate().map(|(at, chunk)| match earlier.chunks.get(at) {
            Some(same) if **same == *chunk => same.clone(),
            _ => Rc::new(*chunk),
        });
        Self { chunks: shared.collect() }
    }

    /// Makes the array's first elements what they were.
    pub fn restore(&self, pages: &mut Pages<T>) {
        for (at, chunk) in self.chunks.iter().enumerate() {
            pages.copy_from(at * CHUNK, &**chunk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_not_changed_is_shared_and_what_has_is_not() {
        let mut pages: Pages<u64> = Pages::reserve(1 << 10).expect("room");
        pages.fill(0..200, 7);
        let first = Snapshot::take(&pages, 100, &Snapshot::default());
        pages[40] = 8;
        let second = Snapshot::take(&pages, 70, &first);
        assert!(Rc::ptr_eq(&first.chunks[0], &second.chunks[0]));
        assert!(!Rc::ptr_eq(&first.chunks[1], &second.chunks[1]));
        first.restore(&mut pages);
        assert_eq!([pages[1], pages[40]], [7, 7]);
        second.restore(&mut pages);
        assert_eq!([pages[1], pages[40], pages[99]], [7, 8, 7]);
    }
}
