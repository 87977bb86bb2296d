import type { Report } from './problems.ts';
import type { SourceText } from './text.ts';

/** What the first bytes of files say that editors rename to .csv, in hexadecimal: xlsx and ods, then xls. */
const workbooks = ['504b0304', 'd0cf11e0'];

/** Whether the bytes are those of a spreadsheet's own format; it is reported. */
export function isWorkbook(file: string, bytes: Buffer, report: Report): boolean {
  if (!workbooks.includes(bytes.toString('hex', 0, 4))) return false;
  report(
    { file, line: 1, column: 1 },
    'WORKBOOK',
    'this is a workbook: export it as CSV UTF-8, not just rename it',
  );
  return true;
}

/** Whether the text is no catalog at all, or not one yet; the first sign of it is reported. */
export function isForeign({ text, place }: SourceText, report: Report): boolean {
  const page = /^\s*<(?:!doctype|html|head|body|\?xml)\b/i.exec(text);
  const nul = text.indexOf('\0');
  const conflict = /^<{7} .*$/m.exec(text);
  if (page) {
    report(place(page[0].indexOf('<')), 'WEB_PAGE', 'this is a web page: download the file itself');
  } else if (nul !== -1) {
    report(place(nul), 'NUL_BYTE', 'a NUL byte stands here: save the file as UTF-8');
  } else if (conflict && /^={7}$/m.test(text) && /^>{7} /m.test(text)) {
    const message =
      'a merge was left unfinished here: keep one of the two sides and delete the lines of <, = and >';
    report(place(conflict.index), 'MERGE_CONFLICT', message);
  } else {
    return false;
  }
  return true;
}
