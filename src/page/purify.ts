import createPurifier from 'dompurify';

const purifier = createPurifier(window);

/** How Markdown aligns cells of tables. The policy of the page forbids styles, but not this attribute. */
const ALIGNED = /(<t[dh]) style="text-align:(left|center|right)"/g;

/** Elements that load a URL. */
const MEDIA = 'img, audio, video, source, track';

purifier.addHook('afterSanitizeAttributes', element => {
  if (element instanceof HTMLAnchorElement) {
    element.target = '_blank';
    element.rel = 'noopener noreferrer';
  }
  const source = element.getAttribute('src');
  if (source !== null && element.matches(MEDIA) && !isOwn(source)) element.removeAttribute('src');
});

/**
 * Makes elements of the content of a news item: without scripts, styles, forms and frames, and with media of this origin only.
 * So nothing in it runs, imitates the page, or loads anything from elsewhere.
 */
export function safeContent(html: string): DocumentFragment {
  return purifier.sanitize(html.replace(ALIGNED, '$1 align=$2'), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog'],
    FORBID_ATTR: ['style', 'class', 'id', 'name', 'srcset', 'poster', 'background', 'autoplay', 'tabindex'],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

function isOwn(address: string): boolean {
  const base = document.baseURI;
  return URL.canParse(address, base) && new URL(address, base).origin === location.origin;
}
