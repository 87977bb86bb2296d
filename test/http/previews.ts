import { shopWith } from '../support/catalogs.ts';
import type { TestRequest } from '../support/service.ts';
import { addresses } from './addresses.ts';

/** Three moments of the set below: with an item before, within and after the time in which it is shown. */
export const instants = [1_700_001_000, 1_700_002_000, 1_700_003_000] as const;
const [, PUBLISH, UNPUBLISH] = instants;

const row = { create_time: 1_700_000_001, type_id: 1, keywords: 'a,b' };
const later = { ...row, img: 'later.png' };
const offer = { ...row, type_id: 2, img: 'offer.png', publish_time: PUBLISH - 1 };
/** A shop in which other news items and images are shown at each of the instants. */
export const files = {
  ...shopWith({
    'news.json': [
      { ...row, id: 1, title: 'Lasting', content: 'text', read: 9, img: 'lasting.png' },
      { ...later, id: 2, title: 'Later', content: '<p>soon</p>', read: 3, publish_time: PUBLISH },
      { ...offer, id: 3, title: 'Offer', content: 'text', read: 30, unpublish_time: UNPUBLISH },
      { ...row, id: 4, title: 'Over', content: 'text', unpublish_time: PUBLISH, read: 1, img: 'lasting.png' },
    ],
  }),
  'lasting.png': Buffer.from('lasting'),
  'later.png': Buffer.from('later'),
  'offer.png': Buffer.from('offer'),
};

const images = ['lasting', 'later', 'offer'].map(name => ({ url: `/images/${name}.png` }));
/** Requests for everything that has a preview, except details, which differ in their read count. */
export const requests: TestRequest[] = [
  ...[...addresses, ...images]
    .filter(({ url }) => /^\/(api|feeds|images|overview\/)/.test(url) && !/news\/\d$/.test(url))
    .flatMap(({ url }) => [{ url }, { url, method: 'HEAD' }]),
  { url: '/images/later.png', headers: { range: 'bytes=1-2' } },
  { url: '/images/lasting.png', headers: { 'if-none-match': '*' } },
  { url: '/api/news', headers: { 'if-none-match': '*' } },
  ...['/api/news', '/api/news/1', '/overview', '/images/later.png', '/api/nothing'].flatMap(url =>
    ['POST', 'OPTIONS', 'PROPFIND', 'DELETE'].map(method => ({ url, method })),
  ),
  { url: '/api/news', method: 'POST', headers: { 'content-type': 'application/json' }, payload: '{bad' },
];

/** Requests that would disclose that there is a history. */
export const historyProbes: TestRequest[] = [
  ...[
    ...['/history', '/history?page=1', '/history/', '/history/unpin', '/check', '/check/'],
    ...['/history/790948ef4deb/pin', '/history//pin', '/history/1/publish', '/history/1', '/historyx'],
    ...['/%68istory', '/%68istory/unpin', '/history%2Funpin', '/HISTORY', '/history/%zz', '/history#x'],
    ...['http://a/history', 'HTTPS://a:80/%68istory/unpin?x'],
  ].flatMap(url => ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND'].map(method => ({ url, method }))),
  ...['/history', '/history/unpin', '/history/1/pin'].map(url => ({
    method: 'OPTIONS',
    url,
    headers: { origin: 'https://a.test', 'access-control-request-method': 'POST' },
  })),
];
