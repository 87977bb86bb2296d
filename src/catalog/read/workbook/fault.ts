import type { ProblemCode } from '../../problems/problems.ts';

/** Why a workbook cannot be read: a sentence for editors, and where if that is known. */
export class WorkbookFault extends Error {
  readonly code: ProblemCode;
  readonly cell: string | undefined;

  constructor(message: string, { code = 'BAD_WORKBOOK', cell }: { code?: ProblemCode; cell?: string } = {}) {
    super(message);
    this.code = code;
    this.cell = cell;
  }
}

/** The fault of a workbook whose parts contradict each other or cannot be read. */
export function damaged(reason: string, cell?: string): WorkbookFault {
  const message = `the workbook is damaged (${reason.replace(/\.$/, '')}): open it in your spreadsheet program, and save it again`;
  return new WorkbookFault(message, cell === undefined ? {} : { cell });
}
