"""Small pictures for notebooks: SVG that needs nothing else."""
import html


def line(values, width=320, height=90, colour="#4477aa"):
    """A curve of values at equal distances."""
    top = max(values) or 1
    path = " ".join(f"{width * i / (len(values) - 1):.1f},{height - 3 - (height - 6) * value / top:.1f}" for i, value in enumerate(values))
    return (f"<svg width='{width}' height='{height}' role='img'><polyline points='{path}' fill='none' stroke='{colour}' "
            "stroke-width='1.5'/></svg>")


def bar(share, width=160, colour="#4477aa"):
    """A part of a whole, from 0 to 1."""
    part = width * min(1.0, max(0.0, share))
    return (f"<svg width='{width}' height='12' role='img' aria-label='{share:.0%}'><rect width='{width}' height='12' fill='#dddddd'/>"
            f"<rect width='{part:.1f}' height='12' fill='{colour}'/></svg>")


def interval(low, value, high, least, most, width=220):
    """A value and its interval on a scale from least to most, with 0 marked."""
    span = (most - least) or 1

    def at(x):
        return width * (x - least) / span

    zero = f"<line x1='{at(0):.1f}' x2='{at(0):.1f}' y1='0' y2='14' stroke='#bbbbbb'/>" if least <= 0 <= most else ""
    return (f"<svg width='{width}' height='14' role='img' aria-label='{low:.3g} to {high:.3g}'>{zero}"
            f"<line x1='{at(low):.1f}' x2='{at(high):.1f}' y1='7' y2='7' stroke='#4477aa' stroke-width='2'/>"
            f"<circle cx='{at(value):.1f}' cy='7' r='3' fill='#ee6677'/></svg>")


def table(head, rows):
    """Rows of HTML below a head of words."""
    top = "".join(f"<th>{html.escape(word)}</th>" for word in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"
