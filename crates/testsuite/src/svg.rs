//! Plots as SVG: bars in groups, lines over time, a heat map. Readable on light and dark pages.

use std::fmt::Write;

const WIDTH: f64 = 860.0;
const MARGIN: f64 = 56.0;
const LEGEND: f64 = 28.0;

/// Colours that the colour-blind tell apart; one background and one ink per scheme.
const STYLE: &str = "\
.page{fill:#ffffff}.ink{fill:#24292f}.grid{stroke:#d0d7de}.c0{fill:#d55e00;stroke:#d55e00}\
.c1{fill:#0072b2;stroke:#0072b2}.c2{fill:#009e73;stroke:#009e73}.c3{fill:#cc79a7;stroke:#cc79a7}\
.c4{fill:#e69f00;stroke:#e69f00}.c5{fill:#56b4e9;stroke:#56b4e9}.c6{fill:#7f7f7f;stroke:#7f7f7f}\
.c7{fill:#8c564b;stroke:#8c564b}.c8{fill:#9467bd;stroke:#9467bd}.c9{fill:#17becf;stroke:#17becf}\
.c10{fill:#bcbd22;stroke:#bcbd22}.c11{fill:#393b79;stroke:#393b79}\
.heat{fill:#0072b2}.line{stroke-width:2}text{font:12px sans-serif}\
@media(prefers-color-scheme:dark){.page{fill:#0d1117}.ink{fill:#e6edf3}.grid{stroke:#30363d}\
.c1{fill:#4aa3df;stroke:#4aa3df}.c11{fill:#9c9ede;stroke:#9c9ede}.heat{fill:#4aa3df}}";
const N_COLOURS: usize = 12;

struct Page {
    height: f64,
    body: String,
}

impl Page {
    fn new(title: &str, height: f64) -> Self {
        let mut page = Self { height, body: String::new() };
        page.text((MARGIN, 22.0), "start", title);
        page
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            self.body,
            r#"<text class="ink" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
        );
    }

    fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let _ = writeln!(
            self.body,
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"/>"#
        );
    }

    /// Names and their colours, in a row below the title.
    fn legend(&mut self, names: &[&str]) {
        let mut x = MARGIN;
        let mut y = 44.0;
        for (number, name) in names.iter().enumerate() {
            let width = 24.0 + 7.0 * name.len() as f64;
            if x + width > WIDTH {
                (x, y) = (MARGIN, y + 18.0);
            }
            self.rect(&format!("c{}", number % N_COLOURS), (x, y - 10.0), (12.0, 12.0));
            self.text((x + 16.0, y), "start", name);
            x += width;
        }
    }

    /// Horizontal lines at round numbers up to `top`, between two heights.
    fn scale(&mut self, top: f64, (upper, lower): (f64, f64), unit: &str) {
        let step = round_step(top / 5.0);
        let mut value = 0.0;
        while value <= top {
            let y = lower - (lower - upper) * value / top;
            let _ = writeln!(
                self.body,
                r#"<line class="grid" x1="{MARGIN}" x2="{WIDTH}" y1="{y:.1}" y2="{y:.1}"/>"#
            );
            self.text((MARGIN - 6.0, y + 4.0), "end", &format!("{}{unit}", short(value)));
            value += step;
        }
    }

    fn finish(self) -> String {
        let (width, height) = (WIDTH + 16.0, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\n<style>{STYLE}</style>\n\
             <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// One panel of bars per title, in each a group per name, in each a bar per series, in percent.
pub struct Bars<'a> {
    pub title: &'a str,
    pub series: &'a [&'a str],
    pub panels: Vec<Panel>,
}

pub struct Panel {
    pub title: String,
    pub groups: Vec<(String, Vec<f64>)>,
}

impl Bars<'_> {
    pub fn svg(&self) -> String {
        const PANEL: f64 = 210.0;
        let top = self.panels.iter().flat_map(|panel| &panel.groups).flat_map(|group| &group.1);
        let top = top.fold(1.0f64, |top, &value| top.max(value));
        let height = 40.0 + LEGEND + PANEL * self.panels.len() as f64;
        let mut page = Page::new(self.title, height);
        page.legend(self.series);
        for (number, panel) in self.panels.iter().enumerate() {
            let upper = 40.0 + LEGEND + PANEL * number as f64 + 16.0;
            let lower = upper + PANEL - 50.0;
            page.text((MARGIN, upper - 6.0), "start", &panel.title);
            page.scale(top, (upper, lower), " %");
            let slot = (WIDTH - MARGIN) / panel.groups.len().max(1) as f64;
            let width = slot * 0.8 / self.series.len().max(1) as f64;
            for (place, (name, values)) in panel.groups.iter().enumerate() {
                let left = MARGIN + slot * (place as f64 + 0.1);
                for (number, value) in values.iter().enumerate() {
                    let tall = (lower - upper) * value / top;
                    let at = (left + width * number as f64, lower - tall);
                    page.rect(&format!("c{}", number % N_COLOURS), at, (width * 0.92, tall));
                }
                page.text((left + slot * 0.4, lower + 16.0), "middle", name);
            }
        }
        page.finish()
    }
}

/// Lines of (seconds, value), each held until its next point.
pub struct Lines<'a> {
    pub title: &'a str,
    pub seconds: f64,
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl Lines<'_> {
    pub fn svg(&self) -> String {
        let (upper, lower) = (124.0, 424.0);
        let values = self.lines.iter().flat_map(|line| &line.1).map(|point| point.1);
        let top = values.fold(1.0f64, f64::max);
        let mut page = Page::new(self.title, 464.0);
        let names: Vec<&str> = self.lines.iter().map(|line| line.0.as_str()).collect();
        page.legend(&names);
        page.scale(top, (upper, lower), "");
        let x = |seconds: f64| {
            MARGIN + (WIDTH - MARGIN) * (seconds / self.seconds.max(1e-9)).clamp(0.0, 1.0)
        };
        for (number, (_, points)) in self.lines.iter().enumerate() {
            let mut path = String::new();
            let mut before = lower;
            for &(seconds, value) in points {
                let y = lower - (lower - upper) * value / top;
                let _ = match path.is_empty() {
                    true => write!(path, "M{:.1},{y:.1}", x(seconds)),
                    false => {
                        write!(path, "L{:.1},{before:.1}L{:.1},{y:.1}", x(seconds), x(seconds))
                    }
                };
                before = y;
            }
            let colour = number % N_COLOURS;
            let _ = writeln!(
                page.body,
                r#"<path class="c{colour} line" style="fill:none" d="{path}"/>"#
            );
        }
        for part in 0..=6 {
            let seconds = self.seconds * f64::from(part) / 6.0;
            page.text((x(seconds), lower + 18.0), "middle", &format!("{seconds:.0} s"));
        }
        page.finish()
    }
}

/// A square of numbers, the largest darkest.
pub struct HeatMap<'a> {
    pub title: &'a str,
    pub names: Vec<String>,
    pub values: Vec<Vec<u64>>,
}

impl HeatMap<'_> {
    pub fn svg(&self) -> String {
        let (left, upper, tall) = (190.0, 44.0, 26.0);
        let n = self.names.len().max(1);
        let wide = (WIDTH - left) / n as f64;
        let mut page = Page::new(self.title, upper + tall * n as f64 + 30.0);
        let all = || self.values.iter().flatten().copied();
        let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(1));
        for (row, (name, values)) in self.names.iter().zip(&self.values).enumerate() {
            let y = upper + tall * row as f64;
            page.text((left - 8.0, y + 17.0), "end", &format!("{} · {name}", row + 1));
            for (column, &value) in values.iter().enumerate() {
                let x = left + wide * column as f64;
                let strength = (value - least) as f64 / (most - least).max(1) as f64;
                let _ = writeln!(
                    page.body,
                    r#"<rect class="heat" x="{x:.1}" y="{y:.1}" width="{wide:.1}" height="{tall}" fill-opacity="{:.2}"/>"#,
                    0.05 + 0.6 * strength
                );
                page.text((x + wide / 2.0, y + 17.0), "middle", &value.to_string());
            }
        }
        for column in 0..self.names.len() {
            let x = left + wide * (column as f64 + 0.5);
            page.text((x, upper + tall * n as f64 + 18.0), "middle", &(column + 1).to_string());
        }
        page.finish()
    }
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1e-9).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| *step >= least).unwrap_or(10.0 * power)
}

fn short(value: f64) -> String {
    if value >= 10_000.0 { format!("{:.0}k", value / 1000.0) } else { format!("{value:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(round_step(0.7), 1.0);
        assert_eq!(round_step(13.0), 20.0);
        assert_eq!(round_step(4100.0), 5000.0);
    }

    #[test]
    fn text_is_escaped_and_the_document_closed() {
        let map = HeatMap { title: "a<b", names: vec!["x".into()], values: vec![vec![3]] };
        let svg = map.svg();
        assert!(svg.contains("a&lt;b") && svg.trim_end().ends_with("</svg>"));
    }
}
