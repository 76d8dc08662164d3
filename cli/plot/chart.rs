//! Panels of curves as an SVG.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

/// Width and height of a panel in pixels.
const PANEL: (u32, u32) = (640, 360);
/// Panels side by side.
const COLUMNS: usize = 2;
/// Height of the title.
const TITLE: u32 = 48;
/// Up to so many points of a curve are marked.
const MOST_MARKS: usize = 60;
/// Colours that people who are colour-blind can tell apart (Okabe and Ito 2008).
const COLOURS: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 86, 86),
];

/// Some curves over one axis.
pub(crate) struct Panel {
    /// What it shows.
    pub(crate) title: &'static str,
    /// The unit of the vertical axis.
    pub(crate) unit: String,
    /// The curves; those without a point are left out.
    pub(crate) series: Vec<Series>,
}

/// A curve.
pub(crate) struct Series {
    /// What it is called in the legend.
    pub(crate) name: String,
    /// From left to right.
    pub(crate) points: Vec<Point>,
}

/// A point of a curve.
pub(crate) struct Point {
    /// Where.
    pub(crate) x: f64,
    /// How much.
    pub(crate) y: f64,
    /// Where the truth lies, if that is known.
    pub(crate) interval: Option<Range<f64>>,
}

impl Point {
    /// A point without an interval.
    pub(crate) fn at(x: f64, y: f64) -> Self {
        Self { x, y, interval: None }
    }
}

/// An error of the drawing library; there is none to expect from a picture in memory.
type DrawError = Box<dyn Error + Send + Sync>;

/// Draws `panels`, which share the horizontal axis called `x`, under `title`.
pub(crate) fn draw(title: &str, x: &str, panels: &[Panel]) -> Result<String, DrawError> {
    let rows = panels.len().div_ceil(COLUMNS);
    let (width, height) = PANEL;
    let size = (width * COLUMNS as u32, height * rows as u32 + TITLE);
    let ends = panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points);
    let most = ends.map(|point| point.x).fold(1.0, f64::max);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        let body = root.titled(title, ("sans-serif", 22))?;
        for (panel, area) in panels.iter().zip(body.split_evenly((rows, COLUMNS))) {
            draw_panel(panel, x, 0.0..most * 1.02, &area)?;
        }
        root.present()?;
    }
    Ok(svg)
}

fn draw_panel<B: DrawingBackend>(
    panel: &Panel,
    x: &str,
    horizontal: Range<f64>,
    area: &DrawingArea<B, Shift>,
) -> Result<(), DrawError>
where
    B::ErrorType: 'static,
{
    let points = || panel.series.iter().flat_map(|series| &series.points);
    let mut chart = ChartBuilder::on(area)
        .caption(panel.title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(72)
        .build_cartesian_2d(horizontal, vertical(points()))?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_labels(8)
        .y_labels(6)
        .x_desc(x)
        .y_desc(&panel.unit)
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .x_label_formatter(&|x| whole(*x))
        .y_label_formatter(&|y| short(*y))
        .draw()?;
    for (series, &colour) in panel.series.iter().zip(COLOURS.iter().cycle()) {
        if series.points.is_empty() {
            continue;
        }
        let path = series.points.iter().map(|point| (point.x, point.y));
        chart
            .draw_series(LineSeries::new(path.clone(), colour.stroke_width(2)))?
            .label(&series.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        if series.points.len() <= MOST_MARKS {
            chart.draw_series(path.map(|point| Circle::new(point, 3, colour.filled())))?;
        }
        let bars = series.points.iter().filter_map(|point| {
            let Range { start, end } = point.interval.clone()?;
            Some(PathElement::new([(point.x, start), (point.x, end)], colour.mix(0.6)))
        });
        chart.draw_series(bars)?;
    }
    if panel.series.iter().filter(|series| !series.points.is_empty()).count() > 1 {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.2))
            .label_font(("sans-serif", 13))
            .draw()?;
    }
    Ok(())
}

/// The vertical axis of a panel: all points with their intervals, and room for the legend above.
fn vertical<'p>(points: impl Iterator<Item = &'p Point>) -> Range<f64> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for point in points {
        let ends = point.interval.clone().unwrap_or(point.y..point.y);
        low = low.min(ends.start).min(point.y);
        high = high.max(ends.end).max(point.y);
    }
    if low > high {
        return 0.0..1.0;
    }
    // Whatever is not far from 0 is shown from there on.
    if low > 0.0 && low < high / 2.0 {
        low = 0.0;
    }
    let room = (high - low).max(high.abs() * 0.05).max(1e-3);
    let below = if low == 0.0 { 0.0 } else { room * 0.1 };
    low - below..high + room * 0.4
}

/// A label of the horizontal axis, where only whole numbers mean something.
fn whole(x: f64) -> String {
    let is_whole = (x - x.round()).abs() < 1e-6;
    if is_whole { format!("{x:.0}") } else { String::new() }
}

/// A label of a vertical axis.
fn short(y: f64) -> String {
    match y.abs() {
        size if size >= 10_000.0 => format!("{:.0}k", y / 1000.0),
        size if size >= 100.0 => format!("{y:.0}"),
        size if size >= 10.0 => format!("{y:.1}"),
        _ => format!("{y:.2}"),
    }
}
