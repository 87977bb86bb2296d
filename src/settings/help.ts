import { flagName } from './read.ts';
import { type Setting, settingGroups } from './settings.ts';

const WIDTH = 80;
/** The column in which descriptions of settings start. */
const DESCRIPTION = 28;

/** Every setting with its flag, under its heading. */
export function settingsHelp(): string {
  return Object.entries(settingGroups).map(groupHelp).join('\n');
}

function groupHelp([heading, group]: [string, Record<string, Setting>]): string {
  return `${heading}:\n${Object.entries(group).map(settingHelp).join('')}`;
}

function settingHelp([name, setting]: [string, Setting]): string {
  const flag = `  --${flagName(name)} ${setting.placeholder}`.trimEnd();
  const fallback = setting.placeholder && setting.default ? [`(default ${setting.default})`] : [];
  return helpEntry(flag, [...setting.description.split(' '), ...fallback], DESCRIPTION);
}

/** A term and its description, in lines of at most 80 characters. */
export function helpEntry(head: string, meaning: readonly string[], column: number): string {
  const [first = '', ...rest] = wrap(meaning, WIDTH - column);
  const isLong = head.length > column - 2;
  const lines = isLong ? [head, ' '.repeat(column) + first] : [head.padEnd(column) + first];
  return [...lines, ...rest.map(line => ' '.repeat(column) + line)].map(line => `${line}\n`).join('');
}

/** Joins words to lines of at most `width` characters; a longer word gets its own line. */
function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
