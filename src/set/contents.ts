import { hasImage, imageType, imageTypes } from '../contract/catalog-files.ts';
import type { Place, ProblemCode, Reporter } from '../contract/problems.ts';
import type { Finding, Rendered } from '../formats/markdown/render.ts';
import { placeIn } from '../formats/table.ts';
import { excerpt, printable } from '../messages.ts';
import { type ImageFiles, imageFault } from './directory.ts';
import type { RowEntry, ValidatedCatalog } from './validate-catalog.ts';

interface ContentImage {
  name: string;
  place: Place;
  /** How a message about the image begins. */
  subject: string;
}

/**
 * Converts contents in plain text or Markdown to the HTML that is served, and drops their format. Warns of what Markdown loses.
 * Returns the images of the images directory in them.
 */
export async function renderContents(
  { entries }: ValidatedCatalog<'news'>,
  allowsHtml: boolean,
  report: Reporter,
  onFile: (file: string, length: number) => void,
): Promise<ContentImage[]> {
  const images: ContentImage[] = [];
  for (const entry of entries) {
    const { content, content_format } = entry.row;
    entry.row.content_format = undefined;
    if (content === undefined) continue;
    if (content_format === 'text') entry.row.content = htmlOf(content);
    if (content_format !== 'markdown') continue;
    onFile(entry.table.locate(entry.raw).file, content.length);
    const rendered = await renderMarkdown(entry, content, allowsHtml, report);
    if (!rendered) continue;
    entry.row.content = rendered.html;
    for (const { line, what } of rendered.images) {
      const { place, subject } = inText(entry, line);
      images.push({ name: what, place, subject: `${subject} image` });
    }
  }
  return images;
}

async function renderMarkdown(
  entry: RowEntry<'news'>,
  content: string,
  allowsHtml: boolean,
  report: Reporter,
): Promise<Rendered | undefined> {
  // Loading the Markdown parser takes a while, and many sites do not need it.
  const { render, TooLong } = await import('../formats/markdown/render.ts');
  try {
    const rendered = render(content, allowsHtml);
    const warn = (code: ProblemCode, { line, what }: Finding, fate: string) => {
      const { place, subject } = inText(entry, line);
      report(place, code, `${subject} ${excerpt(what.trim())} ${fate}`);
    };
    // Of equal problems, the first one is shown.
    const byWeight = rendered.omittedHtml.sort((a, b) => Number(b.withText) - Number(a.withText));
    for (const finding of byWeight) {
      const fate = finding.withText ? 'which is left out with its text' : 'which is left out';
      warn('OMITTED_HTML', finding, `is HTML, ${fate}: write it as Markdown, or delete it`);
    }
    if (rendered.isEmpty) {
      const message =
        'content has neither text nor an image for visitors: write it as Markdown, without HTML';
      report(placeIn(entry.table, entry.raw, 'content'), 'MISSING_VALUE', message);
    }
    for (const finding of rendered.omittedLinks)
      warn('OMITTED_LINK', finding, 'is no address for a link: write one that begins with https://');
    for (const finding of rendered.foreign) warn('FOREIGN_SIGN', finding, finding.fate);
    return rendered;
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    const message =
      'content has more than 1000000 characters as HTML: shorten it, and write long addresses only once';
    report(placeIn(entry.table, entry.raw, 'content'), 'BAD_TEXT', message);
    return undefined;
  }
}

/** The place of a line (from 0) of a text, and how messages about it begin. In a cell, lines have no own place. */
function inText({ table, raw }: RowEntry<'news'>, line: number): Pick<ContentImage, 'place' | 'subject'> {
  const cell = placeIn(table, raw, 'content');
  if (table.format !== 'markdown') return { place: cell, subject: `content, line ${line + 1}:` };
  const locate = () => {
    const first = table.locate(raw, 'content');
    return { ...first, line: (first.line ?? 1) + line, column: 1 };
  };
  return { place: { ...cell, locate }, subject: 'content' };
}

/** Converts plain text to HTML: paragraphs at blank lines, with line breaks. */
function htmlOf(text: string): string {
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const paragraphs = escaped
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n\s*\n/);
  return paragraphs.map(lines => `<p>${lines.replaceAll('\n', '<br />\n')}</p>`).join('\n');
}

/** The maximum number of images in {@link NamedImages}, and of UTF-16 units of their names. */
const MAX_IMAGES = 1_000;
const MAX_NAME_LENGTH = 255;

/** The images that a set names, at most 1,000 of each kind: missing in the images directory, or found there. */
export type NamedImages = Record<'missing' | 'found', string[]>;

/**
 * Warns of images of news items and in contents that are not served, because of their type or because the images directory
 * lacks them, and of files there that are no images. Without `files`, all images count as present.
 */
export async function checkImages(
  { entries }: ValidatedCatalog<'news'>,
  inContents: readonly ContentImage[],
  files: ImageFiles | undefined,
  report: Reporter,
): Promise<NamedImages> {
  const named: NamedImages = { missing: [], found: [] };
  const faults = new Map<string, string | undefined>();
  const check = async ({ name, place, subject }: ContentImage) => {
    const image = `${subject} ${printable(name, 100)}`;
    if (!imageType(name)) {
      const message = `${image} is not served, because of its file type: use one of ${[...imageTypes.keys()].join(', ')}`;
      report(place, 'UNKNOWN_IMAGE_KIND', message);
    } else if (!files || hasImage(files.names, name)) {
      const isKnown = faults.has(name) || faults.size >= MAX_IMAGES;
      const fault = isKnown ? faults.get(name) : files && (await imageFault(name, files));
      if (!isKnown) named.found.push(name);
      faults.set(name, fault);
      if (fault) report(place, 'BAD_IMAGE', `${image} is ${fault}`);
    } else {
      const message = `${image} is not in the images directory: add the file, or correct the name`;
      report(place, 'NO_IMAGE', message);
      if (named.missing.length < MAX_IMAGES && name.length <= MAX_NAME_LENGTH) named.missing.push(name);
    }
  };
  for (const { table, raw, row } of entries)
    if (row.img) await check({ name: row.img, place: placeIn(table, raw, 'img'), subject: 'img' });
  for (const image of inContents) await check(image);
  return named;
}
