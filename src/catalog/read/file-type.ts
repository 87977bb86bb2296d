import { parse } from 'node:path';
import type { Reporter } from '../../contract/problems.ts';
import type { SourceText } from './decode.ts';
import { unicodeFormat } from './utf8.ts';

/** The first bytes of spreadsheet files, in hexadecimal: xlsx and ods, then xls. */
const spreadsheetSignatures = ['504b0304', 'd0cf11e0'];

/** Whether the bytes are those of a renamed workbook; if so, reports it. */
export function isSpreadsheet(file: string, bytes: Buffer, report: Reporter): boolean {
  if (!spreadsheetSignatures.includes(bytes.toString('hex', 0, 4))) return false;
  const { name } = parse(file);
  const message = `this is a workbook with another name: open it in your spreadsheet program, and save it as an Excel workbook with the name ${name}.xlsx`;
  report({ file, line: 1, column: 1 }, 'WORKBOOK', message);
  return true;
}

/** Whether the text may be CSV, JSON or Markdown; if it is obviously something else, reports the first sign of it. */
export function isPlainText({ file, text, locate }: SourceText, report: Reporter): boolean {
  const page = webPage(text, file.endsWith('.md') ? 'text' : 'table');
  const nul = text.indexOf('\0');
  const conflict = /^<{7} .*$/m.exec(text);
  if (page) {
    report(locate(text.indexOf('<')), 'WEB_PAGE', page);
  } else if (nul !== -1) {
    const message = `this is not a text file, or it is damaged from here: save it again as ${unicodeFormat(file)}`;
    report(locate(nul), 'NUL_BYTE', message);
  } else if (conflict && /^={7}$/m.test(text) && /^>{7} /m.test(text)) {
    const message =
      'the changes of two people stand here side by side: keep one of the two versions, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>';
    report(locate(conflict.index), 'MERGE_CONFLICT', message);
  } else {
    return true;
  }
  return false;
}

/** What to do if a text is a web page in place of what is expected; undefined if it is none. */
export function webPage(text: string, expected: 'table' | 'text' | 'workbook'): string | undefined {
  if (!/^\s*<(?:!doctype|html|head|body|\?xml)\b/i.test(text)) return undefined;
  return `this is a web page, such as a login or error page, and not a ${expected}: sign in, and download the file again`;
}
