//! Markup in which text of others stays text.

use std::fmt::{Display, Write};

use serde_json::Value;

/// A piece of a page. Only templates of ours are markup; every value is escaped, whoever wrote it.
#[derive(Default)]
pub struct Html(String);

impl Html {
    /// Appends `template` with each `{}` replaced by the next of `values`.
    pub fn put(&mut self, template: &'static str, values: &[&dyn Display]) -> &mut Self {
        let mut values = values.iter();
        let mut pieces = template.split("{}");
        self.0 += pieces.next().unwrap_or_default();
        for piece in pieces {
            let value = values.next().expect("a value for each place in the template");
            write!(Escaped(&mut self.0), "{value}").expect("strings take everything");
            self.0 += piece;
        }
        assert!(values.next().is_none(), "a place in the template for each value");
        self
    }

    /// Appends text of ours as it is: a style sheet, a script.
    pub fn put_whole(&mut self, text: &'static str) -> &mut Self {
        self.0 += text;
        self
    }

    /// Appends markup made elsewhere.
    pub fn add(&mut self, other: &Html) -> &mut Self {
        self.0 += &other.0;
        self
    }

    /// Appends data for the script of the page, which finds it by `id`.
    pub fn put_data(&mut self, id: &'static str, data: &Value) -> &mut Self {
        self.put("<script type=\"application/json\" id=\"{}\">", &[&id]);
        for c in data.to_string().chars() {
            match c {
                '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    write!(self.0, "\\u{:04x}", u32::from(c)).expect("strings take everything");
                }
                c if turns(c) => {
                    write!(self.0, "\\\\u{{{:x}}}", u32::from(c)).expect("strings take everything");
                }
                _ => self.0.push(c),
            }
        }
        self.put("</script>\n", &[])
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

/// Writes text so that neither a parser of HTML nor a reader takes it for something else.
struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for c in text.chars() {
            match c {
                '&' => *self.0 += "&amp;",
                '<' => *self.0 += "&lt;",
                '>' => *self.0 += "&gt;",
                '"' => *self.0 += "&quot;",
                '\'' => *self.0 += "&#39;",
                '\n' | '\t' => self.0.push(c),
                '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => write!(self.0, "\\x{:02x}", u32::from(c))?,
                c if turns(c) => write!(self.0, "\\u{{{:x}}}", u32::from(c))?,
                _ => self.0.push(c),
            }
        }
        Ok(())
    }
}

/// Whether a character turns the direction of what follows, so that text reads as other text.
fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `n` and what it counts, in the singular where there is one.
pub fn count(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// A share in percent.
pub fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "–".to_owned(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_text_and_templates_are_markup() {
        let mut html = Html::default();
        html.put("<b title=\"{}\">{}</b>", &[&"\"'><i>", &"</b>&\u{202e}\x1b[0m"]);
        assert_eq!(
            html.into_string(),
            "<b title=\"&quot;&#39;&gt;&lt;i&gt;\">&lt;/b&gt;&amp;\\u{202e}\\x1b[0m</b>"
        );
    }

    #[test]
    fn data_cannot_end_its_element() {
        let mut html = Html::default();
        html.put_data("d", &serde_json::json!(["</script><!--\u{2028}\u{202e}"]));
        assert_eq!(
            html.into_string(),
            "<script type=\"application/json\" id=\"d\">\
             [\"\\u003c/script\\u003e\\u003c!--\\u2028\\\\u{202e}\"]</script>\n"
        );
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(count(1, "path", "paths"), "1 path");
        assert_eq!((percent(1, 8), percent(0, 0)), ("12.5 %".into(), "–".into()));
    }
}
