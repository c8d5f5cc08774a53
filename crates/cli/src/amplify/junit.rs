//! Findings as JUnit XML, for servers that show test results.

use super::findings::Merged;
use super::subject::Subjects;

/// One test case for each bug, failed, and one for each program without a bug, passed.
pub fn render(findings: &[Merged], subjects: &Subjects, seconds: f64) -> String {
    let clean: Vec<String> = subjects
        .programs()
        .into_iter()
        .filter(|program| !findings.iter().any(|found| found.program == *program))
        .collect();
    let n_tests = findings.len() + clean.len();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"fathom amplify\" \
         tests=\"{n_tests}\" failures=\"{}\" errors=\"0\" time=\"{seconds:.1}\">\n",
        findings.len()
    );
    for found in findings {
        let site = &found.finding.site;
        let name = format!("{} at {}:{}", site.kind, site.file, site.line);
        text += &format!(
            "<testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\">\n<failure type=\"{}\" message=\"{}\">{}</failure>\n</testcase>\n",
            escape(&found.program),
            escape(&name),
            escape(&site.file),
            site.line,
            escape(&site.kind),
            escape(&found.finding.message),
            escape(&found.finding.explanation),
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
            character if character < ' ' => {}
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
