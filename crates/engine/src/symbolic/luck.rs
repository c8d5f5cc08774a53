//! Where asking about pending states was in vain lately.

use std::collections::HashMap;

use fathom_ir::inst::Inst;

/// By the instruction that pending states are about to execute, and over all. Many that wait there
/// for the same reason are often all impossible; and some programs decide so early what comes of
/// their input that nearly all that waits is, or all that many constraints are about.
#[derive(Default)]
pub(crate) struct Luck {
    places: HashMap<*const Inst, Place>,
    overall: Place,
    /// Of large questions.
    large: Place,
}

/// How large the question is whether a pending state is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Small,
    Large,
    /// Nearly always impossible, and it takes long to tell.
    Huge,
}

/// So many constraints that tie bytes together make a question no larger than small, or than large.
const SMALL: usize = 32;
const LARGE: usize = 64;

impl Size {
    pub fn of(n_constraints: usize) -> Self {
        match n_constraints {
            n if n <= SMALL => Self::Small,
            n if n <= LARGE => Self::Large,
            _ => Self::Huge,
        }
    }
}

#[derive(Default)]
struct Place {
    /// Impossible states in a row, less half of them for each that was possible; up to a limit.
    vain: u32,
    /// States passed over since one was asked about.
    passed: u32,
}

/// At the worst of places one state in 2 to the power of this is asked about.
const WORST: u32 = 6;
/// A place says so much more about the states there than all places do together.
const OVERALL: u32 = 4;

impl Place {
    fn is_due(&mut self, doublings: u32) -> bool {
        let wait = (1 << doublings) - 1;
        let is_due = self.passed >= wait;
        self.passed = if is_due { 0 } else { self.passed + 1 };
        is_due
    }

    fn was_impossible(&mut self, worst: u32) {
        self.vain = worst.min(self.vain + 1);
    }
}

impl Luck {
    /// Whether a state there should be asked about now, and not only when others have been.
    pub fn is_due(&mut self, place: *const Inst, size: Size) -> bool {
        let (overall, large) = (self.overall.vain / OVERALL, self.large.vain);
        let (all, doublings) = match size != Size::Small && large > overall {
            true => (&mut self.large, large),
            false => (&mut self.overall, overall),
        };
        match self.places.get_mut(&place) {
            Some(place) if place.vain > doublings => place.is_due(place.vain),
            _ => all.is_due(doublings),
        }
    }

    /// A state there was possible. Its size is said if nobody knew before, and nobody had put it
    /// behind the rest: it is typical of others then.
    pub fn was_possible(&mut self, place: *const Inst, typical: Option<Size>) {
        if let Some(place) = self.places.get_mut(&place) {
            place.vain /= 2;
        }
        if let Some(size) = typical {
            self.overall.vain /= 2;
            if size != Size::Small {
                self.large.vain /= 2;
            }
        }
    }

    /// The same of one that was not.
    pub fn was_impossible(&mut self, place: *const Inst, typical: Option<Size>) {
        self.places.entry(place).or_default().was_impossible(WORST);
        if let Some(size) = typical {
            self.overall.was_impossible(WORST * OVERALL);
            if size != Size::Small {
                self.large.was_impossible(WORST);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fathom_ir::inst::Op;

    use super::*;

    /// How many of 64 states at `place` are asked about.
    fn n_due(luck: &mut Luck, place: *const Inst) -> usize {
        (0..64).filter(|_| luck.is_due(place, Size::Small)).count()
    }

    #[test]
    fn the_more_in_vain_the_longer_the_wait() {
        let place = std::ptr::null();
        let mut luck = Luck::default();
        let mut counts = vec![];
        for _ in 0..4 {
            counts.push(n_due(&mut luck, place));
            luck.was_impossible(place, Some(Size::Small));
        }
        assert_eq!(counts, [64, 32, 16, 8]);
        luck.was_possible(place, Some(Size::Small));
        assert_eq!(n_due(&mut luck, place), 16);
    }

    #[test]
    fn what_is_in_vain_everywhere_makes_all_wait() {
        let places = [Inst::new(Op::Halt); 9];
        let mut luck = Luck::default();
        for place in &places[..8] {
            luck.was_impossible(place, Some(Size::Small));
            luck.was_impossible(place, None);
        }
        assert_eq!(n_due(&mut luck, &places[8]), 16);
        luck.was_possible(&places[8], None);
        assert_eq!(n_due(&mut luck, &places[8]), 16);
        luck.was_possible(&places[8], Some(Size::Small));
        assert_eq!(n_due(&mut luck, &places[8]), 32);
    }

    #[test]
    fn large_questions_in_vain_make_large_ones_wait() {
        let places = [Inst::new(Op::Halt); 4];
        let mut luck = Luck::default();
        for place in &places[..3] {
            luck.was_impossible(place, Some(Size::of(LARGE)));
        }
        let mut n_due = |size| (0..64).filter(|_| luck.is_due(&places[3], size)).count();
        assert_eq!([n_due(Size::of(SMALL)), n_due(Size::of(LARGE))], [64, 8]);
    }
}
