import iconv from 'iconv-lite';
import type { Random } from '../../../scripts/bench/catalog/random.ts';
import { markdownFaults } from '../catalog/faults/markdown.ts';
import { notationFaults } from '../catalog/faults/notation.ts';
import { referenceFaults } from '../catalog/faults/references.ts';
import { setFaults } from '../catalog/faults/set.ts';
import { valueFaults } from '../catalog/faults/values.ts';
import { type Files, sample, shop, shopWith } from '../catalogs.ts';
import { type Case, namedCases, readCase, utf8 } from './cases.ts';
import { longCatalogs } from './long-cases.ts';
import { mutate, pick, words } from './mutate.ts';

const tokens = words(String.raw`
  \" \"\" ' , ; \t | \n \r \r\n \u0000 \u001a \u001b[2J \u0020 [ ] { } : [{ }, \"id\": \"img\":\" null true yes
  \\u0000 \\ud800 \\ sep=;\r\n __proto__ id price product_id create_time publish_time hidden rel_type unit month
  0,5 = 2024-02-30 2024-03-31T02:30:00 9999-12-31T23:59:59 <p> <a\u0020 <!-- & &amp; &#x110000; #REF!
  ---\n # * _ ~~ &#96; ![ ]( ]: > - 1. &lt; <script> [a]: javascript: !!binary & * title:\u0020 content_format:\u0020
  <!DOCTYPE\u0020html> <<<<<<<\u0020HEAD\n PK\u0003\u0004 \u00d0\u00cf\u0011\u00e0 \u00ff \u00fe\u00ff \u00ed\u00a0\u0080
`).concat(
  words(String.raw`\uFEFF \uFFFD \uFDFA \u0301\u0323 \u202E \u2028 \u0085 \u009B 香港 😀 İ ß`).map(utf8),
);

/** The file of a case that names the `CSV_ENCODING` it is read with. */
export const ENCODING = 'CSV_ENCODING';

const seeds = [
  shop,
  filesOf(readCase(sample.catalogDir)),
  ...[...notationFaults, ...valueFaults, ...setFaults, ...markdownFaults, ...referenceFaults].map(
    ([files]) => files,
  ),
  ...[...namedCases('catalogs'), ...longCatalogs].map(([, item]) => filesOf(item)),
]
  .map(caseOf)
  .filter(
    item => Object.keys(item).length > 0 && Object.values(item).every(({ length }) => length < 100_000),
  );
const whole = caseOf(shop);
const material = { others: seeds.flatMap(item => Object.values(item)), tokens, maxLength: 2 ** 21 };

/** The whole set of a case: its files over those of the shop. */
export function setOf(item: Case): Case {
  return caseOf(shopWith(filesOf(item)));
}

/** A set of which one file is mutated. */
export function drawSet(random: Random): Case {
  // Half of the sets begin without a fault.
  const item = random() < 0.5 ? whole : pick(seeds, random);
  const file = pick(Object.keys(item), random);
  const text = mutate(item[file] ?? '', random, material);
  const name = random() < 0.03 ? renamed(file) : file;
  const { [file]: _, ...others } = item;
  const drawn = { ...others, [name]: random() < 0.1 ? reencoded(text, random) : text };
  return random() < 0.1
    ? { ...drawn, [ENCODING]: pick(['windows-1252', 'gb18030', 'shift_jis'], random) }
    : drawn;
}

function renamed(file: string): string {
  return file.endsWith('.csv') ? file.replace('.csv', '.json') : file.replace('.json', '.csv');
}

function reencoded(text: string, random: Random): string {
  const encoding = pick(['utf16le', 'utf16be', 'gb18030', 'windows-1252', 'utf8'], random);
  const decoded = Buffer.from(text, 'latin1').toString();
  return iconv.encode(decoded, encoding, { addBOM: random() < 0.8 }).toString('latin1');
}

/** Rows as the JSON that `writeFiles` makes of them, and all else as bytes; a file to be left out is not there. */
function caseOf(files: Files): Case {
  return Object.fromEntries(
    Object.entries(files).flatMap(([name, content]) => {
      if (content === null) return [];
      if (Buffer.isBuffer(content)) return [[name, content.toString('latin1')]];
      return [[name, utf8(typeof content === 'string' ? content : JSON.stringify(content, null, 2))]];
    }),
  );
}

function filesOf(item: Case): Files {
  return Object.fromEntries(Object.entries(item).map(([name, text]) => [name, Buffer.from(text, 'latin1')]));
}
