import { type Column, contentFormats, durationUnits } from '../../contract/columns.ts';
import type { WrittenCatalog } from './written-catalog.ts';
import { columnLetter, xmlText } from './xml.ts';

/** The last row of a sheet. */
const LAST_ROW = 2 ** 20;
/** In characters, the most that Excel shows. */
const MAX_PROMPT = 255;

/** The XML that says for each column what may be written into it. A program asks before it takes anything else. */
export function validationXml({ columns }: WrittenCatalog, catalogs: readonly WrittenCatalog[]): string {
  const validations = columns.map((column, index) => {
    const { name, required, schema } = column;
    const prompt =
      `${required ? 'required; ' : ''}${schema.description}${schema.references ? ', or its name' : ''}`
        .replaceAll('`', '')
        .slice(0, MAX_PROMPT);
    const { attributes, formula } = ruleOf(column, catalogs);
    const place = `${columnLetter(index)}2:${columnLetter(index)}${LAST_ROW}`;
    return `<dataValidation ${attributes} errorStyle="warning" allowBlank="1" showInputMessage="1" promptTitle="${name}" prompt="${xmlText(prompt)}" sqref="${place}">${formula === undefined ? '' : `<formula1>${xmlText(formula)}</formula1>`}</dataValidation>`;
  });
  return `<dataValidations count="${validations.length}">${validations.join('')}</dataValidations>`;
}

interface Rule {
  attributes: string;
  formula?: string;
}

function ruleOf({ schema }: Column, catalogs: readonly WrittenCatalog[]): Rule {
  const { cellType, references, minimum = 0 } = schema;
  const target = catalogs.find(({ catalog }) => catalog === references);
  // Names are offered, and ids are taken too.
  if (target) return { attributes: 'type="list"', formula: namesOf(target) };
  switch (cellType) {
    case 'unit':
      return choice(durationUnits);
    case 'contentFormat':
      return choice(contentFormats);
    case 'flag':
      return choice(['TRUE', 'FALSE']);
    case 'id':
    case 'count':
    case 'reads':
      return atLeast('whole', minimum);
    case 'size':
    case 'price':
      return atLeast('decimal', 0);
    case 'time':
    case 'timeOrZero':
      return atLeast('date', 1);
    default:
      return { attributes: '' };
  }
}

function choice(values: readonly string[]): Rule {
  return { attributes: 'type="list" showErrorMessage="1"', formula: `"${values.join(',')}"` };
}

function atLeast(type: string, minimum: number): Rule {
  return {
    attributes: `type="${type}" operator="greaterThanOrEqual" showErrorMessage="1"`,
    formula: String(minimum),
  };
}

function namesOf({ catalog, columns }: WrittenCatalog): string {
  const letter = columnLetter(columns.findIndex(({ name }) => name === 'name'));
  return `${catalog}!$${letter}$2:$${letter}$${LAST_ROW}`;
}
