import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { chatText, eventOf } from '../../src/webhook/events.ts';
import { refused, statusOf } from '../support/webhook/sender.ts';

test('a chat gets the first problems, short enough, and no markup, link or name that a cell holds', () => {
  const messages = ['<!channel> & <a|b> @everyone @channel @here @Björn', ...Array.from('bcdefg')];
  const { lines = [] } =
    eventOf(statusOf({ version: '790948ef4deb' } as Snapshot, refused(...messages))) ?? {};
  assert.equal(lines.length, 6);
  const [, first] = chatText(lines).split('\n');
  assert.equal(
    first,
    'prices.csv: error BAD_ENCODING &lt;!channel&gt; &amp; &lt;a|b&gt; @\u200beveryone @\u200bchannel @\u200bhere @\u200bBjörn',
  );
  const long = chatText(['first', '&'.repeat(3_000), 'last']);
  assert.equal(long, 'first\n…');
});
