"""Pictures as SVG, by the standard library alone: curves, maps of colours and maps of regions, in panels side by side.

A picture follows the reader's light or dark scheme; curves keep colours that people with any colour vision tell apart
(Okabe and Ito 2008), and dashes besides. The same numbers give the same bytes.
"""
import math
from html import escape

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "ink", "#8a8a8a"]
DASHES = ["", "7 4", "2 3", "9 3 2 3", "12 5", "4 2 1 2", "", "14 4 3 4"]
STYLE = """<style>
text{font:13px Helvetica,Arial,sans-serif;fill:#222}
.paper{fill:#fff}.frame{fill:none;stroke:#555}.grid{stroke:#e4e4e4;stroke-width:.7}.tick{stroke:#555}
.curve{fill:none;stroke-width:2;stroke-linejoin:round}.ink{stroke:#222}.dot{stroke-width:1.5}.inkdot{fill:#222;stroke:#222}
.small{font-size:11.5px}.head{font-weight:bold}
@media (prefers-color-scheme:dark){text{fill:#ddd}.paper{fill:#16191d}.frame,.tick{stroke:#aaa}.grid{stroke:#33383f}
.ink{stroke:#ddd}.inkdot{fill:#ddd;stroke:#ddd}.cell{fill:#111}}
</style>"""
WIDTH, HEIGHT = 430, 300  # of a panel
LEFT, RIGHT, TOP, BELOW, LINE = 68, 16, 30, 48, 19


def _number(value):
    text = f"{value:.1f}"
    text = text[:-2] if text.endswith(".0") else text
    return "0" if text == "-0" else text


def _label(value):
    if value == 0:
        return "0"
    if abs(value) >= 1e5 or abs(value) < 1e-3:
        mantissa, exponent = f"{value:.3e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa}e{int(exponent)}"
    return f"{value:.6g}"


class Axis:
    """One direction: data to pixels, and where the ticks are."""

    def __init__(self, label, values, log=False, limits=None, ticks=None):
        self.label, self.log, self.given = label, log, ticks
        usable = [v for v in values if math.isfinite(v) and (v > 0 or not log)]
        self.low, self.high = limits or (min(usable), max(usable))
        if not limits and not log:
            room = 0.04 * (self.high - self.low) or 1
            self.low, self.high = self.low - (room if self.low else 0), self.high + room
        if not limits and log:
            self.low, self.high = self.low / 1.15, self.high * 1.15
        if self.high == self.low:
            self.high = self.low * 2 if log else self.low + 1

    def share(self, value):
        if self.log:
            if value <= 0:
                return -math.inf
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self):
        if self.given:
            return [t if isinstance(t, tuple) else (t, _label(t)) for t in self.given]
        if not self.log:
            step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
            for factor in (1, 2, 2.5, 5, 10):
                if (self.high - self.low) / (step * factor) <= 7:
                    step *= factor
                    break
            first = math.ceil(self.low / step - 1e-9)
            return [(k * step, _label(round(k * step, 12))) for k in range(first, math.floor(self.high / step + 1e-9) + 1)]
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        if last - first < 2:
            found = [m * 10.0 ** e for e in range(first - 1, last + 1) for m in (1, 2, 3, 5)]
            found = [t for t in found if self.low * (1 - 1e-9) <= t <= self.high * (1 + 1e-9)]
            return [(t, _label(float(f"{t:.3g}"))) for t in found]
        step = max(1, math.ceil((last - first) / 7))
        return [(10.0 ** e, _label(float(f"1e{e}"))) for e in range(first, last + 1, step)]


class Panel:
    """One pair of axes. Curves are (title, [(x, y), ...]); a y of None or nan interrupts the line."""

    def __init__(self, x, y, title="", logx=False, logy=False, xlim=None, ylim=None, xticks=None, yticks=None):
        self.x, self.y, self.title = x, y, title
        self.logx, self.logy, self.xlim, self.ylim, self.xticks, self.yticks = logx, logy, xlim, ylim, xticks, yticks
        self.curves, self.points, self.cells, self.levels, self.notes, self.areas = [], [], None, [], [], []

    def curve(self, title, points, **style):
        """style: colour (index), dash (index), dots (True: marks at the points, False: none), line (False: marks alone)"""
        self.curves.append((title, [(a, b) for a, b in points], style))
        return self

    def level(self, title, y, **style):
        self.levels.append((title, y, style))
        return self

    def note(self, x, y, text, **style):
        """A few words at a point of the data; anchor start, middle or end."""
        self.notes.append((x, y, text, style))
        return self

    def area(self, points, colour, opacity=0.25):
        """A filled polygon of the data."""
        self.areas.append((points, colour, opacity))
        return self

    def map(self, xs, ys, values, scale, names=None):
        """Cells of colour: values[j][i] at xs[i], ys[j]; scale is (low, high) around 0, or a list of colours of categories."""
        self.cells = (xs, ys, values, scale, names)
        return self


def _diverging(share):
    """Blue below, white in the middle, orange above; share in -1..1."""
    share = max(-1.0, min(1.0, share))
    end = (0, 114, 178) if share < 0 else (213, 94, 0)
    weight = abs(share) ** 0.75
    return "#" + "".join(f"{round(255 + (e - 255) * weight):02x}" for e in end)


def _edges(values, log):
    of = [math.log(v) for v in values] if log else list(values)
    middle = [(a + b) / 2 for a, b in zip(of, of[1:])]
    out = [of[0] - (middle[0] - of[0])] + middle + [of[-1] + (of[-1] - middle[-1])]
    return [math.exp(v) for v in out] if log else out


def _stroke(colour):
    return 'class="curve ink"' if COLOURS[colour % len(COLOURS)] == "ink" else f'class="curve" stroke="{COLOURS[colour % len(COLOURS)]}"'


def _fill(colour):
    return 'class="dot inkdot"' if COLOURS[colour % len(COLOURS)] == "ink" else f'class="dot" fill="{COLOURS[colour % len(COLOURS)]}" stroke="{COLOURS[colour % len(COLOURS)]}"'


def _axes(panel):
    xs = [p[0] for _, points, _ in panel.curves for p in points] + [p[0] for points, _, _ in panel.areas for p in points]
    ys = [p[1] for _, points, _ in panel.curves for p in points if p[1] is not None] + [y for _, y, _ in panel.levels]
    ys += [p[1] for points, _, _ in panel.areas for p in points]
    xlim, ylim = panel.xlim, panel.ylim
    if panel.cells:
        edges = _edges(panel.cells[0], panel.logx), _edges(panel.cells[1], panel.logy)
        xlim, ylim = xlim or (edges[0][0], edges[0][-1]), ylim or (edges[1][0], edges[1][-1])
    return (Axis(panel.x, xs or panel.cells[0], panel.logx, xlim, panel.xticks),
            Axis(panel.y, ys or panel.cells[1], panel.logy, ylim, panel.yticks))


def _pieces(points, place):
    """Runs of points that can be joined, in pixels; what lies far outside is cut at a panel's height beyond the frame."""
    run = []
    for x, y in points:
        if y is None or not math.isfinite(y) or not math.isfinite(x):
            if run:
                yield run
            run = []
        else:
            run.append(place(x, y))
    if run:
        yield run


def _panel(panel, left, top, width, clip, out):
    x, y = _axes(panel)
    wide, high = width - LEFT - RIGHT, HEIGHT - TOP - BELOW
    x0, y0 = left + LEFT, top + TOP

    def place(a, b):
        return x0 + x.share(a) * wide, y0 + high - max(-1.0, min(2.0, y.share(b))) * high

    out.append(f'<clipPath id="c{clip}"><rect x="{x0}" y="{y0}" width="{wide}" height="{high}"/></clipPath>')
    if panel.title:
        out.append(f'<text class="head" x="{_number(x0)}" y="{top + TOP - 10}">{escape(panel.title)}</text>')
    if panel.cells:
        xs, ys, values, scale, _ = panel.cells
        ex, ey = _edges(xs, panel.logx), _edges(ys, panel.logy)
        out.append(f'<g clip-path="url(#c{clip})">')
        for j, row in enumerate(values):
            for i, value in enumerate(row):
                if value is None:
                    continue
                a, b = place(ex[i], ey[j + 1])
                c, d = place(ex[i + 1], ey[j])
                a, c, b, d = min(a, c), max(a, c), min(b, d), max(b, d)
                colour = scale[value] if isinstance(scale, list) else _diverging(value / (scale[1] if value > 0 else -scale[0]))
                out.append(f'<rect x="{_number(a)}" y="{_number(b)}" width="{_number(c - a + .4)}" height="{_number(d - b + .4)}" fill="{colour}"/>')
        out.append("</g>")
    for value, label in x.ticks():
        px = x0 + x.share(value) * wide
        if not panel.cells:
            out.append(f'<line class="grid" x1="{_number(px)}" x2="{_number(px)}" y1="{y0}" y2="{y0 + high}"/>')
        out.append(f'<line class="tick" x1="{_number(px)}" x2="{_number(px)}" y1="{y0 + high}" y2="{y0 + high + 5}"/>')
        out.append(f'<text class="small" text-anchor="middle" x="{_number(px)}" y="{y0 + high + 18}">{label}</text>')
    for value, label in y.ticks():
        py = y0 + high - y.share(value) * high
        if not panel.cells:
            out.append(f'<line class="grid" x1="{x0}" x2="{x0 + wide}" y1="{_number(py)}" y2="{_number(py)}"/>')
        out.append(f'<line class="tick" x1="{x0 - 5}" x2="{x0}" y1="{_number(py)}" y2="{_number(py)}"/>')
        out.append(f'<text class="small" text-anchor="end" x="{x0 - 8}" y="{_number(py + 4)}">{label}</text>')
    out.append(f'<rect class="frame" x="{x0}" y="{y0}" width="{wide}" height="{high}"/>')
    out.append(f'<text text-anchor="middle" x="{_number(x0 + wide / 2)}" y="{y0 + high + 37}">{escape(panel.x)}</text>')
    middle = y0 + high / 2
    out.append(f'<text text-anchor="middle" x="{left + 14}" y="{_number(middle)}" transform="rotate(-90 {left + 14} {_number(middle)})">{escape(panel.y)}</text>')
    out.append(f'<g clip-path="url(#c{clip})">')
    for points, colour, opacity in panel.areas:
        path = " ".join(",".join(map(_number, place(*p))) for p in points)
        out.append(f'<polygon points="{path}" fill="{COLOURS[colour % len(COLOURS)]}" fill-opacity="{opacity}"/>')
    for n, (_, level, style) in enumerate(panel.levels):
        colour = style.get("colour", len(panel.curves) + n)
        _, py = place(x.low, level)
        out.append(f'<line {_stroke(colour)} stroke-dasharray="{DASHES[style.get("dash", 2)]}" x1="{x0}" x2="{x0 + wide}" y1="{_number(py)}" y2="{_number(py)}"/>')
    for n, (_, points, style) in enumerate(panel.curves):
        colour, dash = style.get("colour", n), DASHES[style.get("dash", style.get("colour", n)) % len(DASHES)]
        if style.get("line", True):
            for run in _pieces(points, place):
                path = " ".join(f"{_number(a)},{_number(b)}" for a, b in run)
                out.append(f'<polyline {_stroke(colour)}{f" stroke-dasharray={chr(34)}{dash}{chr(34)}" if dash else ""} points="{path}"/>')
        if style.get("dots", False):
            for run in _pieces(points, place):
                out += [f'<circle {_fill(colour)} cx="{_number(a)}" cy="{_number(b)}" r="3"/>' for a, b in run]
    out.append("</g>")
    for a, b, text, style in panel.notes:
        px, py = place(a, b)
        out.append(f'<text class="small" text-anchor="{style.get("anchor", "start")}" x="{_number(px + style.get("dx", 0))}" y="{_number(py + style.get("dy", 0))}">{escape(text)}</text>')


def _legend(panels):
    """(title, mark) of each curve once: colours of one title are the same in all panels."""
    seen = []
    for panel in panels:
        for n, (title, _, style) in enumerate(panel.curves):
            colour = style.get("colour", n)
            if title and title not in [t for t, _ in seen]:
                if style.get("line", True):
                    dash = DASHES[style.get("dash", colour) % len(DASHES)]
                    seen.append((title, f'<line {_stroke(colour)} stroke-dasharray="{dash}" x1="{{x}}" x2="{{end}}" y1="{{y}}" y2="{{y}}"/>'))
                else:
                    seen.append((title, f'<circle {_fill(colour)} cx="{{mid}}" cy="{{y}}" r="3"/>'))
        for n, (title, _, style) in enumerate(panel.levels):
            colour = style.get("colour", len(panel.curves) + n)
            if title and title not in [t for t, _ in seen]:
                seen.append((title, f'<line {_stroke(colour)} stroke-dasharray="{DASHES[style.get("dash", 2)]}" x1="{{x}}" x2="{{end}}" y1="{{y}}" y2="{{y}}"/>'))
        if panel.cells and panel.cells[4]:
            scale, names = panel.cells[3], panel.cells[4]
            if isinstance(scale, list):
                pairs = list(zip(names, scale))
            else:
                pairs = [(names[0], _diverging(-1)), (names[1], _diverging(0)), (names[2], _diverging(1))]
            for name, colour in pairs:
                if name not in [t for t, _ in seen]:
                    seen.append((name, f'<rect class="frame" style="fill:{colour}" x="{{x}}" y="{{above}}" width="26" height="11"/>'))
    return seen


def draw(*panels, columns=None):
    """The SVG of panels side by side, the legend below them."""
    columns = columns or min(len(panels), 2)
    rows = -(-len(panels) // columns)
    legend = _legend(panels)
    each = WIDTH if columns > 1 else 560
    width = each * columns
    longest = max((len(t) for t, _ in legend), default=1) * 7 + 48
    per_line = max(1, min(len(legend) or 1, (width - 40) // longest))
    lines = -(-len(legend) // per_line)
    height = HEIGHT * rows + (12 + LINE * lines if legend else 0)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">', STYLE,
           f'<rect class="paper" width="{width}" height="{height}"/>']
    for n, panel in enumerate(panels):
        _panel(panel, n % columns * each, n // columns * HEIGHT, each, n, out)
    for n, (title, mark) in enumerate(legend):
        x, y = 24 + n % per_line * longest, HEIGHT * rows + 10 + n // per_line * LINE
        out.append(mark.format(x=x, end=x + 26, mid=x + 13, y=y, above=y - 6))
        out.append(f'<text x="{x + 33}" y="{y + 4}">{escape(title)}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
