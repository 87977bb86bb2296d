import { isatty, type WriteStream } from 'node:tty';
import { type Logger, pino } from 'pino';
import { escapeInvisible } from '../messages.ts';
import { formatLocal } from '../time-zone.ts';
import { commandName } from './command-name.ts';

/** The fields of a log line that people need. */
interface Entry {
  level: number;
  /** In milliseconds since 1970. */
  time: number;
  msg?: string;
  catalogDir?: string;
  /** Problems of the catalogs, a line each. */
  problems?: string[];
  /** More lines, which only a terminal shows. */
  details?: string[];
  err?: { message: string; stack?: string };
  req?: { method: string; url: string };
  res?: { statusCode: number };
}

const WARN = 40;
const words = new Map([
  [WARN, 'warning: '],
  [50, 'error: '],
  [60, 'fatal: '],
]);

/**
 * Turns a line of pino's JSON into text for a terminal: the local time, the message and its details, without colours and
 * with invisible characters escaped. Lists problems only in warnings and errors.
 */
export function formatForTerminal(line: string): string {
  const entry: Entry = JSON.parse(line);
  const { level, time, msg = '', catalogDir, problems = [], details = [], err, req, res } = entry;
  if (msg === '') return '';
  const clock = formatLocal(time / 1000 - new Date(time).getTimezoneOffset() * 60).slice(-8);
  const place = catalogDir === undefined ? '' : `${catalogDir}: `;
  const request = req ? `: ${req.method} ${req.url}` : '';
  const response = res ? `: ${res.statusCode}` : '';
  const isCounted = level < WARN && problems.length > 0;
  const advice = isCounted ? `; run '${commandName} check' to see them` : '';
  const more = [
    ...(isCounted ? [] : problems),
    ...details,
    ...(err ? (err.stack ?? err.message).split('\n') : []),
  ];
  const message = `${clock} ${words.get(level) ?? ''}${place}${msg}${request}${response}${advice}`;
  return [message, ...more.map(text => `  ${text}`)].map(text => `${escapeInvisible(text)}\n`).join('');
}

/** Whether people, not programs, read the log. */
export const isTerminal = isatty(1);

/**
 * The log on standard output: text on a terminal, lines of JSON elsewhere. Invisible characters are escaped in JSON, too,
 * so that no header and no file can control the terminal that shows the log. A thread of libuv's pool writes the lines,
 * or with `sync` the call itself.
 */
export function openLogger(level: string, sync = false): Logger {
  const jsonLine = (line: string) => `${escapeInvisible(line.trimEnd())}\n`;
  const streamWrite = isTerminal ? formatForTerminal : jsonLine;
  return pino({ level, hooks: { streamWrite } }, pino.destination({ dest: 1, sync }));
}

/** A line of a terminal that each text replaces. An empty text erases it. */
export function openProgressLine(stream: Pick<WriteStream, 'isTTY' | 'write'>): (text: string) => void {
  let width = 0;
  return text => {
    if (!stream.isTTY || text.length + width === 0) return;
    stream.write(`\r${text.padEnd(width)}${text === '' ? '\r' : ''}`);
    width = text.length;
  };
}
