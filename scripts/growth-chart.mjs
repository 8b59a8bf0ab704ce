// The growth of time and memory with the number of targets, as an SVG without script or font.

const WIDTH = 640;
const HEIGHT = 300;
const EDGE = { left: 60, right: 60, top: 34, bottom: 62 };
const TIME = '#0b57c2';
const CPU = '#13703a';
const MEMORY = '#a14a00';

/** The next of 1, 2, 5, 10, 20, 50, … that is not below a number. */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((step) => step * power).find((each) => each >= value);
}

function text(x, y, words, more = '') {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${words}</text>`;
}

/** @param figures `count`, `seconds` and, where the system tells them, `cpu` and `megabytes`; the largest count comes last */
export function growthChart(figures, note) {
  const right = WIDTH - EDGE.right;
  const bottom = HEIGHT - EDGE.bottom;
  const most = figures.at(-1).count;
  const x = (count) => EDGE.left + (count / most) * (right - EDGE.left);
  const line = (valueOf, unit, colour, side, top) => {
    const known = figures.filter((figure) => valueOf(figure) !== undefined);
    if (known.length === 0) return [];
    const y = (value) => bottom - (value / top) * (bottom - EDGE.top);
    const points = known.map((figure) => `${x(figure.count).toFixed(1)},${y(valueOf(figure)).toFixed(1)}`);
    const marks = (side === undefined ? [] : [0, 0.5, 1]).map((part) =>
      text(
        side === 'end' ? EDGE.left - 8 : right + 8,
        y(top * part) + 4,
        `${top * part} ${unit}`,
        `text-anchor="${side}" fill="${colour}"`,
      ),
    );
    const dots = points.map(
      (point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="${colour}"/>`,
    );
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...dots,
      ...marks,
    ];
  };
  const topOf = (...names) => roundUp(Math.max(0, ...figures.flatMap((each) => names.map((name) => each[name] ?? 0))));
  const times = topOf('seconds', 'cpu');
  const words = figures.map(({ count, seconds, megabytes }) => {
    return `${count} targets: ${seconds.toFixed(0)} s${megabytes === undefined ? '' : `, ${megabytes.toFixed(0)} MB`}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title" font-family="sans-serif" font-size="12">
<title id="title">Time and memory of a fleet. ${words.join('; ')}.</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<path d="M${EDGE.left} ${EDGE.top}V${bottom}H${right}V${EDGE.top}" fill="none" stroke="#767676"/>
${[
  text(EDGE.left, 18, 'time (s)', `fill="${TIME}" font-weight="bold"`),
  text(EDGE.left + 70, 18, 'CPU time (s)', `fill="${CPU}" font-weight="bold"`),
  text(right, 18, 'memory (MB)', `text-anchor="end" fill="${MEMORY}" font-weight="bold"`),
  ...line(({ seconds }) => seconds, 's', TIME, 'end', times),
  ...line(({ cpu }) => cpu, 's', CPU, undefined, times),
  ...line(({ megabytes }) => megabytes, 'MB', MEMORY, 'start', topOf('megabytes')),
  ...figures.map(({ count }) => text(x(count), bottom + 18, count, 'text-anchor="middle" fill="#333"')),
  text((EDGE.left + right) / 2, bottom + 36, 'targets', 'text-anchor="middle" fill="#333"'),
  text((EDGE.left + right) / 2, bottom + 54, note, 'text-anchor="middle" fill="#555" font-size="11"'),
].join('\n')}
</svg>
`;
}
