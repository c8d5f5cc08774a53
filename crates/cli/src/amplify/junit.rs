//! Findings as JUnit XML, for servers that show test results.

use super::findings::Merged;
use super::subject::Subjects;

/// One test case for each bug, failed or, where it is known, skipped; and one for each program
/// without a bug, passed.
pub fn render(
    findings: &[Merged],
    is_new: impl Fn(&Merged) -> bool,
    subjects: &Subjects,
    seconds: f64,
) -> String {
    let clean: Vec<String> = subjects
        .programs()
        .into_iter()
        .filter(|program| !findings.iter().any(|found| found.program == *program))
        .collect();
    let n_tests = findings.len() + clean.len();
    let n_new = findings.iter().filter(|found| is_new(found)).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"fathom amplify\" \
         tests=\"{n_tests}\" failures=\"{n_new}\" errors=\"0\" skipped=\"{}\" time=\"{seconds:.1}\">\n",
        findings.len() - n_new
    );
    for found in findings {
        let site = &found.finding.site;
        let name = format!("{} at {}:{}", site.kind, site.file, site.line);
        let verdict = match is_new(found) {
            true => format!(
                "<failure type=\"{}\" message=\"{}\">{}</failure>",
                escape(&site.kind),
                escape(&found.finding.message),
                escape(&found.finding.explanation),
            ),
            false => "<skipped message=\"in the baseline\"/>".to_owned(),
        };
        text += &format!(
            "<testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\">\n{verdict}\n</testcase>\n",
            escape(&found.program),
            escape(&name),
            escape(&site.file),
            site.line,
        );
    }
    for program in clean {
        text += &format!("<testcase classname=\"{0}\" name=\"{0}\"/>\n", escape(&program));
    }
    text + "</testsuite>\n</testsuites>\n"
}

/// What XML cannot hold at all is left out.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(character),
            '\u{0}'..' ' | '\u{fffe}' | '\u{ffff}' => {}
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn markup_is_text() {
        assert_eq!(escape("a<b>&\"\u{1}c\n"), "a&lt;b&gt;&amp;&quot;c\n");
    }
}
