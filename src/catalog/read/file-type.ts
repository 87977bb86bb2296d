import type { Reporter } from '../problems/problems.ts';
import type { SourceText } from './decode.ts';

/** The first bytes of spreadsheet files, in hexadecimal: xlsx and ods, then xls. */
const spreadsheetSignatures = ['504b0304', 'd0cf11e0'];

/** Whether the bytes are those of a renamed spreadsheet; if so, reports it. */
export function isSpreadsheet(file: string, bytes: Buffer, report: Reporter): boolean {
  if (!spreadsheetSignatures.includes(bytes.toString('hex', 0, 4))) return false;
  const message =
    'this is a spreadsheet with another name: open it in your spreadsheet program and save it as "CSV UTF-8"';
  report({ file, line: 1, column: 1 }, 'WORKBOOK', message);
  return true;
}

/** Whether the text may be CSV or JSON; if it is obviously something else, reports the first sign of it. */
export function isPlainText({ text, locate }: SourceText, report: Reporter): boolean {
  const page = /^\s*<(?:!doctype|html|head|body|\?xml)\b/i.exec(text);
  const nul = text.indexOf('\0');
  const conflict = /^<{7} .*$/m.exec(text);
  if (page) {
    const message = 'this is a web page, not a catalog: download the file itself';
    report(locate(page[0].indexOf('<')), 'WEB_PAGE', message);
  } else if (nul !== -1) {
    report(locate(nul), 'NUL_BYTE', 'this is not plain text (NUL character): save the file as UTF-8');
  } else if (conflict && /^={7}$/m.test(text) && /^>{7} /m.test(text)) {
    const message =
      'unfinished merge: keep one of the two versions, and delete the lines that start with <<<<<<<, ======= and >>>>>>>';
    report(locate(conflict.index), 'MERGE_CONFLICT', message);
  } else {
    return true;
  }
  return false;
}
