import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportedFile } from '../../src/client.ts';
import { ConfigurationsQuery, ListQuery, NewsQuery, PriceQuery } from '../../src/contract/queries.ts';
import { exportedParameters } from '../../src/export/exported-file.ts';
import { tableRows } from '../support/manual.ts';

const cases: [address: string, file: string][] = [
  ['/api/products', '/api/products.json'],
  ['/api/products?page=1&limit=20', '/api/products.json'],
  ['/api/products?limit=100&page=2', '/api/products/limit=100/page=2.json'],
  ['/api/news?page=2&type_id=3', '/api/news/type_id=3/page=2.json'],
  ['/api/news?include=img%2Ctype_id&limit=100', '/api/news/include=img,type_id/limit=100.json'],
  ['/api/news?include=type_id,img', '/api/news/include=img,type_id.json'],
  ['/api/news?type_id=', '/api/news.json'],
  ['/api/recommend-config?product_id=1&include_durations=false', '/api/recommend-config/product_id=1.json'],
  ['/api/news/12', '/api/news/12.json'],
  ['https://example.com/shop/api/news?page=2', 'https://example.com/shop/api/news/page=2.json'],
  // There is no such file, and no list in place of what was asked for.
  ['/api/news?keyword=caf%C3%A9%2F..&page=2', '/api/news/page=2/keyword=caf%C3%A9%2F...json'],
];

test('the exported file of an address has its parameters as folders, in one order and without defaults', () => {
  for (const [address, file] of cases) assert.equal(exportedFile(address), file);
});

test('the parameters of exported files have the defaults of the queries', () => {
  const schemas = [PriceQuery, ConfigurationsQuery, NewsQuery, ListQuery];
  const known = Object.fromEntries(schemas.flatMap(({ properties }) => Object.entries(properties)));
  for (const [name, fallback] of Object.entries(exportedParameters))
    assert.equal(String(known[name]?.default ?? ''), fallback, name);
  const others = Object.keys(known).filter(name => !(name in exportedParameters));
  assert.deepEqual(others.sort(), ['ids', 'keyword', 'since', 'sort', 'until']);
});

test('the manual says which file has the answer to which question', () => {
  const rows = tableRows('src/http/README.md', '| question | file of the export |');
  const pairs = rows.map(row =>
    Array.from(row.replaceAll(/\{\w+\}/g, '7').matchAll(/`([^`]+)`/g), ([, code = '']) => code),
  );
  const api = pairs.filter(([question]) => question?.startsWith('/api/') && question !== '/api/index.json');
  assert.equal(api.length, 6);
  for (const [question = '', file] of api) assert.equal(exportedFile(question), file, question);
});
