/** @import { NewsCard } from '../../contract/overview.ts' */
import { copyOf, part, setText, textElement } from './dom.js';
import { formatDay } from './format.js';

/**
 * A news item as an article, without its read count.
 *
 * @param {NewsCard} item
 * @param {string} [category]
 */
export function articleOf({ title, paragraphs, keywords, img, create_time_formatted }, category = '') {
  const copy = copyOf('item');
  setText(part(copy, 'h3'), title);
  setText(part(copy, 'time'), formatDay(create_time_formatted));
  part(copy, 'time', HTMLTimeElement).dateTime = create_time_formatted;
  setText(part(copy, '.type'), category);
  if (img) showImage(part(copy, 'img', HTMLImageElement), img);
  const [lead = '', ...more] = paragraphs;
  setText(part(copy, '.lead'), lead);
  const details = part(copy, 'details');
  details.hidden = more.length === 0;
  setText(part(details, '.unseen'), `: ${title}`);
  for (const text of more) details.append(textElement('p', text));
  part(copy, '.keywords').hidden = keywords === '';
  setText(part(copy, '.keywords'), keywords);
  return part(copy, 'article');
}

/** Shows the image of a news item, and hides it again if it fails to load. @param {HTMLImageElement} image @param {string} name */
function showImage(image, name) {
  image.hidden = false;
  image.addEventListener('error', () => {
    image.hidden = true;
  });
  image.src = `images/${encodeURIComponent(name)}`;
}
