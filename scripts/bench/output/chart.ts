import { cases } from '../cases.ts';
import type { RequestResult } from '../parts/requests.ts';
import { figure } from '../statistics.ts';

const COLUMNS = 2;
const COLUMN_WIDTH = 400;
const NAME_WIDTH = 80;
const BAR_WIDTH = 250;
const LINE_HEIGHT = 15;
const TITLE_HEIGHT = 24;
const HEADER_HEIGHT = 44;

const STYLE = `
  text { font: 11px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .small { fill: #656d76 }
  rect { fill: #8c959f }
  .vitrine { fill: #0969da }
  line { stroke: #d0d7de }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .small { fill: #8d96a0 }
    rect { fill: #6e7681 }
    .vitrine { fill: #4493f8 }
    line { stroke: #30363d }
  }`;

/** An SVG of the CPU time per request: a bar for each server in each case, on a logarithmic scale. */
export function chart(results: RequestResult[], size: number): string {
  const shown = results.filter(result => result.size === size);
  const groups = cases
    .map(({ name, title }) => ({ title, bars: shown.filter(result => result.case === name) }))
    .filter(({ bars }) => bars.length > 0);
  const scale = scaleOf(shown.map(({ cpuMicroseconds }) => cpuMicroseconds.median));
  const groupHeight = TITLE_HEIGHT + Math.max(...groups.map(({ bars }) => bars.length)) * LINE_HEIGHT + 6;
  const drawn = groups.map(({ title, bars }, index) => {
    const x = (index % COLUMNS) * COLUMN_WIDTH;
    const y = HEADER_HEIGHT + Math.floor(index / COLUMNS) * groupHeight;
    return `<g transform="translate(${x} ${y})">${group(title, bars, scale)}</g>`;
  });
  const width = COLUMNS * COLUMN_WIDTH;
  const height = HEADER_HEIGHT + Math.ceil(groups.length / COLUMNS) * groupHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>${STYLE}
</style>
${text(8, 16, `CPU microseconds per request, ${figure(size)} news items and prices`, 'title')}
${text(8, 31, `medians, less is better; each grey line is ten times the one before, from ${figure(scale.decades[0])}`, 'small')}
${drawn.join('\n')}
</svg>
`;
}

type Scale = ReturnType<typeof scaleOf>;

/** From the power of ten below all values to the one above them. */
function scaleOf(values: number[]) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  return {
    decades: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
    /** The distance from the left, in pixels. */
    place: (value: number) => NAME_WIDTH + (BAR_WIDTH * (Math.log10(value) - low)) / (high - low),
  };
}

function group(title: string, bars: RequestResult[], { decades, place }: Scale): string {
  const bottom = TITLE_HEIGHT + bars.length * LINE_HEIGHT;
  const grid = decades.map(value => {
    const x = place(value).toFixed(1);
    return `<line x1="${x}" x2="${x}" y1="${TITLE_HEIGHT - 4}" y2="${bottom}"/>`;
  });
  const rows = bars.map(({ server, cpuMicroseconds: { median } }, index) => {
    const y = TITLE_HEIGHT + index * LINE_HEIGHT;
    const width = (place(median) - NAME_WIDTH).toFixed(1);
    const bar = `<rect class="${server.replace(':', '-')}" x="${NAME_WIDTH}" y="${y}" width="${width}" height="10"/>`;
    return text(8, y + 9, server) + bar + text(place(median) + 5, y + 9, figure(median));
  });
  return [text(8, TITLE_HEIGHT - 9, title, 'title'), ...grid, ...rows].join('');
}

function text(x: number, y: number, content: string, kind = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y}"${kind && ` class="${kind}"`}>${content}</text>`;
}
