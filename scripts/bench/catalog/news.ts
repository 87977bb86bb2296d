import { between, type Random } from './random.ts';
import { nameOf, phrase, sentence, spaceOf, type Text } from './words.ts';

/** Of UTF-8, on average. */
const CONTENT_BYTES = 1000;
const DAY_SECONDS = 86_400;
const FIRST_TIME = Date.UTC(2019, 0) / 1000;
const LAST_TIME = Date.UTC(2025, 0) / 1000;
const UPDATED_SHARE = 0.2;
const NEWS_TYPES = 10;

export function newsTypeRows(): object[] {
  return Array.from({ length: NEWS_TYPES }, (_, index) => ({ id: index + 1, name: `Topic ${index + 1}` }));
}

/** News items of about 1 kB. Only the item of an id contains `nameOf(text, id)`. */
export function* newsRows(count: number, text: Text, random: Random): Generator<object> {
  for (let id = 1; id <= count; id += 1) {
    const create_time = between(random, FIRST_TIME, LAST_TIME);
    const isUpdated = random() < UPDATED_SHARE;
    yield {
      id,
      type_id: between(random, 1, NEWS_TYPES),
      title: phrase(text, between(random, 4, 8), random),
      content: content(id, text, random),
      keywords: Array.from({ length: between(random, 2, 5) }, () => phrase(text, 1, random)).join(','),
      read: between(random, 0, 5000),
      create_time,
      update_time: isUpdated ? create_time + between(random, 1, 30 * DAY_SECONDS) : 0,
    };
  }
}

/** Paragraphs of HTML; the first one contains the name of the item. */
function content(id: number, text: Text, random: Random): string {
  const bytes = between(random, CONTENT_BYTES * 0.7, CONTENT_BYTES * 1.3);
  const space = spaceOf(text);
  let html = `<p>${phrase(text, 3, random)}${space}${nameOf(text, id)}${space}${sentence(text, random)}`;
  let length = Buffer.byteLength(html);
  while (length < bytes) {
    const next = `${random() < 0.2 ? '</p><p>' : ''}${sentence(text, random)}`;
    html += next;
    length += Buffer.byteLength(next);
  }
  return `${html}</p>`;
}
