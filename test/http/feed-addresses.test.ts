import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shop } from '../support/catalogs.ts';
import { feeds, newsOf, newsUrl } from '../support/http/feeds.ts';
import { startService } from '../support/service.ts';

const publicUrl = 'https://shown.test/my/shop';

test('with PUBLIC_URL, each feed has its own URL, including its query', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl, publicUrl, basePath: '/shop' });
  for (const [path, , read] of feeds) {
    for (const query of ['', '?type_id=1']) {
      const { own } = read((await dispatch(`/shop${path}${query}`)).body);
      assert.equal(own, `${publicUrl}${path}${query}`);
    }
  }
});

test('with PUBLIC_URL, each item has its image, whatever its name, if that image is served', async t => {
  const images = ['launch.png', '50% off? "香港" #1.JPG', '', 'plan.pdf', 'a&b.svg'];
  const { dispatch } = await startService(t, newsOf(...images.map(img => ({ img }))), { newsUrl, publicUrl });
  const addresses = images.map(img =>
    /png|jpg|svg/i.test(img) ? `${publicUrl}/images/${encodeURIComponent(img)}` : undefined,
  );
  for (const [path, , read] of feeds) {
    const { items } = read((await dispatch(path)).body);
    assert.deepEqual(
      items.map(({ image }) => image),
      addresses,
      path,
    );
  }
  for (const path of ['/feeds/news.atom', '/feeds/news.rss']) {
    const { body } = await dispatch(path);
    for (const type of ['image/png', 'image/jpeg', 'image/svg+xml'])
      assert.ok(body.includes(`"${type}"`), type);
  }
});

test('without PUBLIC_URL, no feed contains a URL of the service', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl });
  for (const [path, , read] of feeds) {
    const { own, items } = read((await dispatch(path)).body);
    assert.deepEqual([own, items[3]?.image], [path.endsWith('atom') ? 'news.atom' : undefined, undefined]);
  }
});

test('FEED_TITLE is the title of each feed, before the name of a type, and may have any characters', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl, feedTitle: 'Fresh & <new> \u0001香港' });
  for (const [path, , read] of feeds) {
    assert.equal(read((await dispatch(path)).body).title, 'Fresh & <new> 香港');
    const { title } = read((await dispatch(`${path}?type_id=1`)).body);
    assert.equal(title, 'Fresh & <new> 香港: Announcements');
  }
});
