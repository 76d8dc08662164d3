//! Standings as an SVG picture: a line for each player, its rating with the interval.

use std::fmt::Write;

use crate::{Standing, Standings};

const ROW: f64 = 24.0;
const TOP: f64 = 40.0;
const PLOT: f64 = 520.0;
/// Width of a character of the names.
const LETTER: f64 = 8.0;

impl Standings {
    /// The ratings with their 95% intervals as an SVG document, the strongest player on top.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let ends = self.players.iter().flat_map(|standing| [standing.low, standing.high]);
        let (least, most) =
            ends.fold((0.0_f64, 0.0_f64), |(least, most), end| (least.min(end), most.max(end)));
        let step = tick_step(most - least);
        let (first, last) = ((least / step).floor(), (most / step).ceil().max(1.0));
        let longest = self.players.iter().map(|s| s.player.chars().count()).max().unwrap_or(0);
        let left = 20.0 + LETTER * longest as f64;
        let x = |elo: f64| left + 10.0 + PLOT * (elo / step - first) / (last - first);
        let bottom = TOP + ROW * self.players.len() as f64;
        let (width, height) = (left + PLOT + 90.0, bottom + 40.0);
        let mut svg = String::new();
        let mut add = |text: std::fmt::Arguments<'_>| {
            svg.write_fmt(text).expect("strings take everything");
            svg.push('\n');
        };
        add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"13\">"
        ));
        add(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"));
        add(format_args!(
            "<text x=\"10\" y=\"20\">{}: Elo above {} with 95% intervals</text>",
            escaped(&self.game),
            escaped(&self.anchor)
        ));
        for tick in first as i64..=last as i64 {
            let (elo, at) = (tick as f64 * step, x(tick as f64 * step));
            let color = if tick == 0 { "#888" } else { "#ddd" };
            add(format_args!(
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{bottom}\" stroke=\"{color}\"/>"
            ));
            add(format_args!(
                "<text x=\"{at:.1}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#666\">{elo:+.0}</text>",
                bottom + 18.0
            ));
        }
        for (row, standing) in self.players.iter().enumerate() {
            let Standing { player, elo, low, high, score, .. } = standing;
            let y = TOP + ROW * (row as f64 + 0.5);
            let (low, high, elo) = (x(*low), x(*high), x(*elo));
            let name = escaped(player);
            add(format_args!("<text x=\"10\" y=\"{:.1}\">{name}</text>", y + 4.0));
            add(format_args!(
                "<line x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" \
                 stroke=\"#36c\" stroke-width=\"2\"/>"
            ));
            add(format_args!(
                "<circle cx=\"{elo:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#36c\"><title>{score}</title>\
                 </circle>"
            ));
            add(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#666\">{:+.0}</text>",
                left + PLOT + 25.0,
                y + 4.0,
                standing.elo
            ));
        }
        add(format_args!("</svg>"));
        svg
    }
}

/// A round distance between ticks that gives about six of them.
fn tick_step(range: f64) -> f64 {
    let raw = (range / 6.0).max(1.0);
    let power = 10_f64.powf(raw.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= raw);
    digit.unwrap_or(10.0) * power
}

/// Text as XML has it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::tests::standings;

    #[test]
    fn a_picture_has_a_point_for_each_player_within_its_frame() {
        let mut standings = standings();
        standings.enter("<net> & \"co\"", None);
        let svg = standings.to_svg();
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains("&lt;net&gt; &amp; &quot;co&quot;"), "{svg}");
        let width: f64 = number_behind(&svg, "width=\"");
        for part in svg.split("<circle ").skip(1) {
            let at = number_behind(part, "cx=\"");
            assert!(at > 0.0 && at < width, "{part}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(Standings::new(&games::Game::all()[0], "alone").to_svg().contains("alone"));
    }

    fn number_behind(text: &str, mark: &str) -> f64 {
        let rest = text.split_once(mark).unwrap().1;
        rest.split('"').next().unwrap().parse().unwrap()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!([0.0, 6.0, 100.0, 700.0, 2900.0].map(tick_step), [1.0, 1.0, 20.0, 200.0, 500.0]);
    }
}
