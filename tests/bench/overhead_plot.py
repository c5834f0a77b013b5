"""Line plots as SVG, of a few series of points."""
import math

WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT, TOP = 480, 300, 58, 44, 14, 30
COLOURS = ["#1f6fb2", "#c2461f", "#3a8a3f", "#7a4fa3"]


def short(value):
    for limit, unit in ((2**20, "Mi"), (2**10, "Ki")):
        if value >= limit and value % limit == 0:
            return f"{value // limit:g}{unit}"
    return f"{value:g}"


def decimal(value):
    if value >= 1000:
        return f"10^{math.log10(value):g}" if math.log10(value) % 1 == 0 else f"{value:,.0f}"
    return f"{value:g}"


def steps(most):
    """A few round numbers from 0 to at least most."""
    size = 10 ** math.floor(math.log10(most))
    step = next(s * size for s in (0.1, 0.2, 0.5, 1, 2) if most / (s * size) <= 6)
    return [round(i * step, 10) for i in range(math.ceil(most / step - 1e-9) + 1)]


def plot(path, title, x_title, y_title, series, binary=False):
    """series: by name its points (x, y); x is drawn by its logarithm, y from 0."""
    xs = sorted({x for points in series.values() for x, _ in points})
    marks = steps(max([y for points in series.values() for _, y in points] + [1e-9]))
    low, high = math.log(xs[0]), math.log(xs[-1])

    def at(x, y):
        return (LEFT + (math.log(x) - low) / ((high - low) or 1) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - max(y, 0) / marks[-1] * (HEIGHT - BOTTOM - TOP))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
           'font-family="sans-serif" font-size="11">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="16" font-size="13">{title}</text>']
    for mark in marks:
        y = at(xs[0], mark)[1]
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:g}</text>')
    last = -1e9
    for x in xs:
        place = at(x, 0)
        if place[0] - last > 38:
            last = place[0]
            out.append(f'<text x="{place[0]:.1f}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">'
                       f'{short(x) if binary else decimal(x)}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{x_title}</text>')
    out.append(f'<text transform="translate(14 {(HEIGHT - BOTTOM + TOP) / 2:.0f}) rotate(-90)" text-anchor="middle">'
               f'{y_title}</text>')
    for i, (name, points) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        places = [at(x, y) for x, y in points]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.6" points="'
                   + " ".join(f"{x:.1f},{y:.1f}" for x, y in places) + '"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in places]
        if len(series) > 1:
            out.append(f'<text x="{WIDTH - RIGHT}" y="{TOP + 4 + 14 * i}" text-anchor="end" fill="{colour}">{name}</text>')
    path.write_text("\n".join(out + ["</svg>", ""]))
