import { webPage } from '../file-type.ts';
import { WorkbookFault } from './fault.ts';

/** The first bytes of a ZIP archive, and of an OLE file, which holds old workbooks and those with a password. */
const ZIP = '504b';
const OLE = 'd0cf11e0';

/** @throws WorkbookFault for a file that is no archive, with what it is instead. */
export function refuseOtherKinds(content: Buffer): void {
  const start = content.toString('hex', 0, 4);
  if (start.startsWith(ZIP)) return;
  const page = webPage(content.toString('utf8', 0, 1000), 'workbook');
  if (page) throw new WorkbookFault(page, { code: 'WEB_PAGE' });
  throw new WorkbookFault(start === OLE ? oleFault(content) : otherFault(content));
}

function oleFault(content: Buffer): string {
  return content.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    ? 'the workbook is protected by a password: remove the password, and save it again'
    : 'this is a workbook of an old kind (.xls) with another name: open it, and save it as "Excel workbook (.xlsx)"';
}

function otherFault(content: Buffer): string {
  if (content.length === 0) return 'the file is empty: save the workbook again';
  return 'this is not a workbook: save it again as "Excel workbook (.xlsx)", or give the file the name that fits what it is';
}
