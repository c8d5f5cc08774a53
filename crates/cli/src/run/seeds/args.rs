//! Matches the arguments of a seed with those of the run.

use fathom_report::shell_quote;

use crate::run::inputs::Arg;

/// Which of `words`, the arguments after the program's name, are symbolic in `pattern`, and how
/// many bytes each of these may have. It has more only where all words fit in no other way.
///
/// Where several readings are possible, the later symbolic arguments take as many words as they
/// can. An error says what differs where the best reading failed.
pub fn symbolic_words(pattern: &[Arg], words: &[Vec<u8>]) -> Result<Vec<Option<u32>>, String> {
    reading(pattern, words, Length::Fits).or_else(|_| reading(pattern, words, Length::Any))
}

/// How long the words of a symbolic argument may be.
#[derive(Clone, Copy, PartialEq)]
enum Length {
    Fits,
    Any,
}

fn reading(pattern: &[Arg], words: &[Vec<u8>], length: Length) -> Result<Vec<Option<u32>>, String> {
    // For each part of the pattern and number of words read after it: the number before it.
    let mut before: Vec<Vec<Option<usize>>> = Vec::with_capacity(pattern.len());
    let mut reached = vec![false; words.len() + 1];
    reached[0] = true;
    let mut wrong = Wrong { at: 0, text: String::new() };
    for arg in pattern {
        let mut from = vec![None; words.len() + 1];
        for start in (0..=words.len()).filter(|&start| reached[start]) {
            for end in ends(arg, words, start, length, &mut wrong) {
                from[end].get_or_insert(start);
            }
        }
        reached = from.iter().map(Option::is_some).collect();
        before.push(from);
    }
    if !reached[words.len()] {
        return Err(match reached.iter().rposition(|&is_reached| is_reached) {
            Some(end) if end > wrong.at || wrong.text.is_empty() => {
                format!("it has {} arguments, of which the run takes {end}", words.len())
            }
            _ => wrong.text,
        });
    }
    let mut symbolic = vec![None; words.len()];
    let mut end = words.len();
    for (arg, from) in pattern.iter().zip(&before).rev() {
        let start = from[end].expect("it was reached");
        symbolic[start..end].fill(match *arg {
            Arg::Concrete(_) => None,
            Arg::Symbolic(size) | Arg::Several(_, _, size) => Some(size),
        });
        end = start;
    }
    Ok(symbolic)
}

/// Why a reading failed, and at which word; of several, the one that came furthest.
struct Wrong {
    at: usize,
    text: String,
}

impl Wrong {
    fn say(&mut self, at: usize, text: impl FnOnce() -> String) {
        if at > self.at || self.text.is_empty() {
            *self = Wrong { at, text: text() };
        }
    }
}

/// Where `arg` may end if it begins at word `start`.
fn ends(
    arg: &Arg,
    words: &[Vec<u8>],
    start: usize,
    length: Length,
    wrong: &mut Wrong,
) -> Vec<usize> {
    let (min, max, size) = match *arg {
        Arg::Concrete(ref wanted) => {
            let fits = words.get(start) == Some(wanted);
            if !fits {
                wrong.say(start, || differs(words, start, &shell_quote(wanted)));
            }
            return if fits { vec![start + 1] } else { Vec::new() };
        }
        Arg::Symbolic(size) => (1, 1, size),
        Arg::Several(min, max, size) => (min as usize, max as usize, size),
    };
    let room = max.min(words.len() - start);
    let fitting = words[start..start + room].iter();
    let fits = |word: &&Vec<u8>| length == Length::Any || word.len() <= size as usize;
    let n_fitting = fitting.take_while(fits).count();
    if n_fitting < max {
        let what = format!("a symbolic argument of at most {size} bytes");
        let at = start + n_fitting;
        if at < words.len() || n_fitting < min {
            wrong.say(at, || differs(words, at, &what));
        }
    }
    (start + min..=start + n_fitting).collect()
}

fn differs(words: &[Vec<u8>], at: usize, wanted: &str) -> String {
    match words.get(at) {
        Some(word) => {
            let word = shell_quote(&word[..word.len().min(40)]);
            format!("argument {} is {word}, where the run has {wanted}", at + 1)
        }
        None => format!("it has {} arguments; the run has {wanted} after them", words.len()),
    }
}
