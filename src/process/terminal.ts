import { isatty, type WriteStream } from 'node:tty';
import { type Logger, pino } from 'pino';
import { escapeInvisible } from '../messages.ts';
import { formatLocal } from '../time-zone.ts';
import { commandName } from './command-name.ts';

/** Whether the terminal can return to the beginning of a line. */
export const canErase = process.env.TERM !== 'dumb';
/** Where it does not know its width. */
const DEFAULT_COLUMNS = 80;

/** The fields of a log line that people need. */
interface Entry {
  level: number;
  /** In milliseconds since 1970. */
  time: number;
  msg?: string;
  /** Tells apart the services of one host. */
  catalogDir?: string;
  /** Problems of the catalogs, a line each. */
  problems?: string[];
  /** More lines, which only a terminal shows. */
  details?: string[];
  err?: { message: string; stack?: string };
  req?: { method: string; url: string };
  res?: { statusCode: number };
  /** The next line replaces this one. */
  isProgress?: true;
  /** Not an event with its time. */
  isSummary?: true;
}

const WARN = 40;
const words = new Map([
  [WARN, 'warning: '],
  [50, 'error: '],
  [60, 'fatal: '],
]);

/**
 * Turns pino's lines of JSON into text for a terminal: the time, the message and its details, broken at spaces, without
 * colours and with invisible characters escaped. Lists problems only in warnings and errors.
 */
export function openTerminalFormat(
  columns = () => process.stdout.columns || DEFAULT_COLUMNS,
  hasProgress = canErase,
): (line: string) => string {
  let width = 0;
  return line => {
    const entry: Entry = JSON.parse(line);
    const overwritten = width > 0 ? `\r${' '.repeat(width)}\r` : '';
    const lines = linesOf(entry).map(escapeInvisible);
    if (entry.isProgress && hasProgress) {
      // A line of the whole width could not be erased.
      const progress = (lines[0] ?? '').slice(0, columns() - 1);
      width = progress.length;
      return overwritten + progress;
    }
    width = 0;
    return overwritten + lines.flatMap(text => wrap(text, columns())).join('\n') + (lines[0] ? '\n' : '');
  };
}

function linesOf(entry: Entry): string[] {
  const { level, msg = '', catalogDir, problems = [], details = [], err, req, res } = entry;
  const place = catalogDir === undefined || entry.isProgress ? '' : `${catalogDir}: `;
  const time = entry.isSummary || entry.isProgress || msg === '' ? '' : `${clock(entry.time)} `;
  const request = req ? `: ${req.method} ${req.url}` : '';
  const response = res ? `: ${res.statusCode}` : '';
  const isCounted = level < WARN && problems.length > 0;
  const advice = isCounted ? `; run '${commandName} check' to see them` : '';
  return [
    `${time}${words.get(level) ?? ''}${place}${msg}${request}${response}${advice}`,
    ...(isCounted ? [] : problems).map(problem => `  ${problem}`),
    ...details.map(detail => `  ${detail}`),
    ...(err ? (err.stack ?? err.message).split('\n').map(text => `  ${text}`) : []),
  ];
}

/** Breaks a line at spaces; what follows is indented by two more. A longer word stays whole, to be copied. */
function wrap(line: string, width: number, indent = /^ */.exec(line)?.[0] ?? ''): string[] {
  const rest = `${indent}  `;
  const end = line.lastIndexOf(' ', width);
  const at = end > rest.length ? end : line.indexOf(' ', rest.length);
  if (line.length <= width || at < 0) return [line];
  return [line.slice(0, at), ...wrap(rest + line.slice(at + 1), width, indent)];
}

/** The time of day where the terminal is, `17:19:21`; after the date, unless that is today. Both in milliseconds since 1970. */
export function clock(time: number, now = time): string {
  const [text, today] = [localText(time), localText(now)];
  return text.slice(0, DATE_LENGTH) === today.slice(0, DATE_LENGTH) ? text.slice(DATE_LENGTH) : text;
}

const DATE_LENGTH = '2026-03-31 '.length;

function localText(time: number): string {
  return formatLocal(time / 1000 - new Date(time).getTimezoneOffset() * 60);
}

/** Whether people, not programs, read the log. */
export const isTerminal = isatty(1);

/**
 * The log on standard output: text on a terminal, lines of JSON elsewhere. Invisible characters are escaped in JSON, too,
 * so that no header and no file can control the terminal that shows the log. A thread of libuv's pool writes the lines,
 * or with `sync` the call itself.
 */
export function openLogger(level: string, sync = false): Logger {
  const streamWrite = isTerminal ? openTerminalFormat() : jsonLine;
  return pino({ level, hooks: { streamWrite } }, pino.destination({ dest: 1, sync }));
}

function jsonLine(line: string): string {
  return `${escapeInvisible(line.trimEnd())}\n`;
}

/** A line of a terminal that each text replaces. An empty text erases it. */
export function openProgressLine(stream: Pick<WriteStream, 'isTTY' | 'write'>): (text: string) => void {
  let width = 0;
  return text => {
    if (!stream.isTTY || !canErase) return;
    stream.write(`\r${text.padEnd(width)}${text === '' ? '\r' : ''}`);
    width = text.length;
  };
}
