import type { Column } from '../../contract/columns.ts';
import type { Reporter } from '../../contract/problems.ts';
import { WINDOWS_1252 } from '../../formats/decode.ts';
import { cellOf, placeIn, type RawRow, type Table } from '../../formats/table.ts';
import { excerpt } from '../../messages.ts';
import { formatLocal, type TimeZone } from '../../time-zone.ts';
import { cellText, cellTypes, skippedTime } from './cells.ts';

/** Returns a function that warns of valid cells that an editor hardly means: damaged text, and times that clocks skip. */
export function openWarnings(
  columns: readonly Column[],
  table: Table,
  { zone, report }: { zone: TimeZone; report: Reporter },
): (row: Readonly<Record<string, unknown>>, raw: RawRow) => void {
  const codeOf = ({ schema }: Column) => cellTypes[schema.cellType ?? 'text'].code;
  const checked = columns.filter(column => /^BAD_(?:TEXT|FILE_NAME|TIME)$/.test(codeOf(column)));
  return (row, raw) => {
    for (const { name } of checked) {
      const value = row[name];
      if (typeof value === 'string') {
        const fault = damageIn(value) ?? leftoverIn(value, name, table.format);
        if (fault) report(placeIn(table, raw, name), 'DAMAGED_TEXT', `${name} ${fault}`);
      } else if (typeof value === 'number') {
        const cell = cellOf(raw, name);
        const skipped = cell && skippedTime(cellText(cell, table), value, zone);
        if (!skipped) continue;
        const message = `${name} ${formatLocal(skipped)} does not exist in ${zone.name}, because the clocks go forward: ${zone.format(value)} is served; write the time that you mean`;
        report(placeIn(table, raw, name), 'SKIPPED_TIME', message);
      }
    }
  };
}

/** An escaped reference, or an escaped end tag in a text without tags. */
const TWICE = /&amp;(?:#\d+|#x[\da-f]+|[a-z][a-z\d]{1,8});/i;
const ESCAPED = /&lt;\/(?:[abipu]|div|em|h[1-6]|li|ol|span|strong|t[dr]|table|ul)&gt;/i;

const PLAIN: readonly string[] = ['name', 'title'];

/** Says what another program has left in a text, and what to do. The caller puts the column before it. */
export function leftoverIn(text: string, column: string, format: Table['format']): string | undefined {
  // On a site that writes titles as HTML, `&amp;` is correct in a title.
  const [entity] =
    (PLAIN.includes(column) && /&(?!amp;)(?:#\d+|#x[\da-f]+|[a-z][a-z\d]{1,8});/i.exec(text)) || [];
  if (entity) return `contains ${entity}, but it is text and not HTML: write the character itself`;
  const isCode = format === 'markdown' || /<(?:code|pre)\b|`/i.test(text);
  const [escaped] = (!isCode && (TWICE.exec(text) ?? (!text.includes('<') && ESCAPED.exec(text)))) || [];
  if (escaped)
    return `is HTML that was escaped twice, such as ${escaped}, and visitors see its signs: write it as HTML again`;
  if (format !== 'csv') return undefined;
  if (/^(?:NULL|\\N|nan|NaN)$/.test(text.trim()))
    return `is "${text.trim()}", as programs write an empty cell: leave the cell empty, or type the text again`;
  if (/^(?:="[^"]*"|'[=+@-].*)$/.test(text))
    return 'is written as programs guard it from a spreadsheet: type the text alone';
  if (text.includes('_x000D_')) return 'contains _x000D_, as programs write the end of a line: delete it';
  // A Windows path or code may contain `\n`.
  const isMeant = !text.includes('\\n') || /[a-z]:\\|\\\\\w|<(?:code|pre)\b|`/i.test(text);
  return isMeant ? undefined : 'contains \\n in place of a line break: type the text again';
}

/** A character class of what continuation bytes of UTF-8 become in Latin-1 and windows-1252. */
function continuation(first = 0x80, last = 0xbf): string {
  const latin1 = Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
  const windows = latin1.map(character => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? '');
  return `[${[...latin1, ...windows].join('')}]`;
}

const ANY = continuation();

/**
 * UTF-8 that was read in a Western encoding, such as ß as ÃŸ. Leaves out scripts that nobody uses here, and pairs that people
 * write: ß… would be a letter of N’Ko, and ×½ one of Hebrew.
 */
const SEQUENCES = new RegExp(
  [
    `Â${continuation(0xa0)}`,
    `[ÃÄÅÎÏÐÑÙ]${ANY}`,
    `×${continuation(0x90, 0xaa)}`,
    `Ø${continuation(0xa1, 0xba)}`,
    `à${continuation(0xa0)}${ANY}`,
    // French has a no-break space between a letter and these signs.
    `[á-ï](?!\\xa0[–—…«»“”‘’€])${ANY}{2}`,
    `ð${continuation(0x90)}${ANY}{2}`,
  ].join('|'),
  'g',
);

/** What may remain of such a character, but proves nothing: it lacks a byte, or ends with the text. */
const FRAGMENTS = new RegExp(`[Â-ô]${ANY}{1,2}|Ã(?=\\s)|[Â-ô]$`, 'g');

const MAC_ANY = `[${new TextDecoder('macintosh').decode(Uint8Array.from({ length: 64 }, (_, index) => 0x80 + index))}\u2126]`;

/** The same in Mac Roman, such as ß as √ü. Leaves out what people write: a dash before a letter, and ≈£. */
const MAC_SEQUENCES = new RegExp(
  `[¬√ƒŒœ◊ÿŸ]${MAC_ANY}|≈(?![¢£¥])${MAC_ANY}|(?:[–—]${MAC_ANY}){2,}|(?:\uf8ffü|[‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ])${MAC_ANY}{2}`,
  'g',
);

/** No intact text has these. */
const MOJIBAKE = /\ufffd|锟斤拷|ï¿½|ï»¿|â€/;

/** A cheap first test: any damaged text has one of these, and most texts have none. */
const SUSPICIOUS = /[¬·Â-ôÿƒŒœŸ–—‚„‡‰√≈◊\uf8ff\ufffd锟]/;

const RETYPE = 'type it again, or restore it from a file that was saved as UTF-8';

/** Says what shows that an encoding has damaged a text, and what to do. The caller puts the column before it. */
export function damageIn(text: string): string | undefined {
  if (/^\s*\?[?\s]*$/.test(text)) return `has question marks in place of its characters: ${RETYPE}`;
  if (!SUSPICIOUS.test(text)) return undefined;
  const [sign] =
    MOJIBAKE.exec(text) ?? mojibakeIn(text, SEQUENCES, FRAGMENTS) ?? mojibakeIn(text, MAC_SEQUENCES) ?? [];
  return sign && `has wrong characters such as ${excerpt(sign)}: ${RETYPE}`;
}

/** Returns the first sequence if there are three times as many as other characters beyond ASCII. */
function mojibakeIn(text: string, all: RegExp, fragments = all): string[] | undefined {
  const sequences = text.match(all);
  const rest = text.replace(all, ' ').replace(fragments, '');
  const others = rest.match(/[^\0-\x7f]/g) ?? [];
  return sequences && sequences.length > 3 * others.length ? sequences : undefined;
}
