import { visit } from 'jsonc-parser';

/** The offset of a column's value in the source text of a row; 0, the start of the row, if it has no such column. */
export function valueOffset(rowText: string, column: string): number {
  let depth = 0;
  let isValueNext = false;
  let start = 0;
  const beginValue = (offset: number) => {
    if (isValueNext) start = offset;
    isValueNext = false;
  };
  const open = (offset: number) => {
    beginValue(offset);
    depth += 1;
  };
  const close = () => {
    depth -= 1;
  };
  visit(rowText, {
    onObjectBegin: open,
    onArrayBegin: open,
    onObjectEnd: close,
    onArrayEnd: close,
    onLiteralValue: (_value, offset) => beginValue(offset),
    onObjectProperty(name) {
      isValueNext = depth === 1 && name === column && start === 0;
    },
  });
  return start;
}
