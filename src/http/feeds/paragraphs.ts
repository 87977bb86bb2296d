import { escapeText } from './xml.ts';

/** Plain text as HTML: blank lines divide paragraphs, and other line ends stay where they are. */
export function paragraphs(text: string): string {
  return text
    .trim()
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map(paragraph => `<p>${escapeText(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');
}
