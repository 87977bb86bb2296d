import { escapeInvisible } from '../messages.ts';

/** The fields of a log line that people need. */
interface Entry {
  level: number;
  msg?: string;
  /** Tells apart the services of one host. */
  catalogDir?: string;
  /** Problems of the catalogs, a line each. */
  problems?: string[];
  err?: { message: string; stack?: string };
  req?: { method: string; url: string };
  res?: { statusCode: number };
  /** The next line replaces this one. */
  isProgress?: true;
}

const WARN = 40;
const words = new Map([
  [WARN, 'warning: '],
  [50, 'error: '],
  [60, 'fatal: '],
]);

/**
 * Turns pino's lines of JSON into text for a terminal: the message and its details, without colours and with invisible
 * characters escaped. Lists problems only in warnings and errors.
 */
export function openTerminalFormat(): (line: string) => string {
  let width = 0;
  return line => {
    const entry: Entry = JSON.parse(line);
    const overwritten = width > 0 ? `\r${' '.repeat(width)}\r` : '';
    const [first = '', ...rest] = linesOf(entry).map(escapeInvisible);
    width = entry.isProgress ? first.length : 0;
    return overwritten + (entry.isProgress ? first : `${[first, ...rest].join('\n')}\n`);
  };
}

function linesOf({ level, msg = '', catalogDir, problems = [], err, req, res }: Entry): string[] {
  const place = catalogDir === undefined ? '' : `${catalogDir}: `;
  const request = req ? `: ${req.method} ${req.url}` : '';
  const response = res ? `: ${res.statusCode}` : '';
  const isCounted = level < WARN && problems.length > 0;
  const advice = isCounted ? "; run 'vitrine check' to see them" : '';
  return [
    `${words.get(level) ?? ''}${place}${msg}${request}${response}${advice}`,
    ...(isCounted ? [] : problems).map(problem => `  ${problem}`),
    ...(err ? (err.stack ?? err.message).split('\n').map(text => `  ${text}`) : []),
  ];
}
