import type { ProblemCode, Reporter } from '../../../contract/problems.ts';

/** Why a workbook cannot be read: a sentence for editors, and where if that is known. */
export class WorkbookFault extends Error {
  readonly code: ProblemCode;
  readonly cell: string | undefined;
  sheet: string | undefined;

  constructor(
    message: string,
    { code = 'BAD_WORKBOOK', cell }: { code?: ProblemCode; cell?: string | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.cell = cell;
  }
}

/** Reports why a workbook cannot be read; `sheet` is the one that is read. @throws any other error. */
export function reportFault(error: unknown, file: string, sheet: string | undefined, report: Reporter): void {
  if (!(error instanceof WorkbookFault)) throw error;
  const { code, message, cell } = error;
  const name = error.sheet ?? sheet;
  const place = { ...(name !== undefined && { sheet: name }), ...(cell !== undefined && { cell }) };
  report({ file, ...place }, code, message);
}

/** The fault of a workbook whose parts contradict each other or cannot be read. */
export function damaged(reason: string, cell?: string): WorkbookFault {
  const message = `the workbook is damaged (${reason.replace(/\.$/, '')}): open it in your spreadsheet program, and save it again`;
  return new WorkbookFault(message, { cell });
}
