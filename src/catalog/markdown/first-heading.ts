import type { Token } from 'markdown-it';
import { markdown, plainText } from './parser.ts';

/** A heading, and its lines in the text: from the first one, from 0, to the one after the last. */
export interface Heading {
  title: string;
  lines: [number, number];
}

/** The first heading of a text that is not inside a quote or a list, and not empty. */
export function firstHeading(text: string): Heading | undefined {
  const tokens: Token[] = [];
  // Without the inline parser, which takes most of the time.
  markdown.block.parse(text.replace(/\r\n?/g, '\n'), markdown, {}, tokens);
  for (const [index, { type, level, map }] of tokens.entries()) {
    if (type !== 'heading_open' || level > 0 || !map) continue;
    const inline = markdown.parseInline(tokens[index + 1]?.content ?? '', {});
    const title = plainText(inline).replace(/\s+/g, ' ').trim();
    if (title !== '') return { title, lines: map };
  }
  return undefined;
}
