//! Where asking about pending states was in vain lately.

use std::collections::HashMap;

use fathom_ir::inst::Inst;

/// By the instruction that pending states are about to execute. Many that wait there for the same
/// reason are often all impossible.
#[derive(Default)]
pub(crate) struct Luck {
    places: HashMap<*const Inst, Place>,
}

#[derive(Default)]
struct Place {
    /// Impossible states in a row, less half of them for each that was possible.
    vain: u32,
    /// States passed over since one was asked about.
    passed: u32,
}

/// At the worst of places one state in 2 to the power of this is asked about.
const WORST: u32 = 6;

impl Luck {
    /// Whether a state there should be asked about now, and not only when others have been.
    pub fn is_due(&mut self, place: *const Inst) -> bool {
        let Some(place) = self.places.get_mut(&place) else { return true };
        let wait = (1 << place.vain.min(WORST)) - 1;
        let is_due = place.passed >= wait;
        place.passed = if is_due { 0 } else { place.passed + 1 };
        is_due
    }

    pub fn was_possible(&mut self, place: *const Inst) {
        if let Some(place) = self.places.get_mut(&place) {
            place.vain /= 2;
        }
    }

    pub fn was_impossible(&mut self, place: *const Inst) {
        self.places.entry(place).or_default().vain += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_in_vain_the_longer_the_wait() {
        let place = std::ptr::null();
        let mut luck = Luck::default();
        let due = |luck: &mut Luck| (0..64).filter(|_| luck.is_due(place)).count();
        let mut counts = vec![];
        for _ in 0..8 {
            counts.push(due(&mut luck));
            luck.was_impossible(place);
        }
        assert_eq!(counts, [64, 32, 16, 8, 4, 2, 1, 1]);
        luck.was_possible(place);
        assert_eq!(due(&mut luck), 4);
    }
}
