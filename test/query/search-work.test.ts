import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn } from '../../src/answer/in-turn.ts';
import { search } from '../../src/query/search.ts';
import { scan, searchIn, stepsOf, tableOf } from '../support/search.ts';
import { countWork } from '../support/work.ts';

test('a term of many texts has none scanned, and a rare one few', async () => {
  const set = Array.from({ length: 5_000 }, (_, row) => ({
    title: `Notice ${row}`,
    keywords: row % 2 === 0 ? 'server' : 'domain',
    content: `公告 ${row}: 香港节点 ${row % 50 === 7 ? '维护' : '正常'}, nothing else to be told ${row * 7919}`,
  }));
  const find = searchIn(set);
  const cases: [keyword: string, most: number][] = [
    ['notice 4321', 20],
    ['absent', 0],
    ['nothing 4321', 20],
    ['notice absentee nothing told', 20],
    // It is in few texts, so that the index has only its parts.
    ['维护', 100],
    ['维', 0],
    // All of these are in many texts.
    ['server', 0],
    ['正常', 0],
    ['正 常', 20],
    ['server serv erver server', 20],
    ['notice 正常 server nothing', 20],
    ['e t n o i c r s 1 2', 100],
    ['no ti ic ce', 20],
  ];
  for (const [keyword, most] of cases) {
    const { verified, result } = await countWork(() => find(keyword));
    assert.deepEqual(result, scan(set, keyword), keyword);
    assert.ok(verified <= most, `${keyword}: ${verified} texts`);
  }
});

test('a search of many texts yields, and all searches together take one step per turn of the event loop', async () => {
  const set = Array.from({ length: 5_000 }, () => ({
    title: 'Common words',
    keywords: '',
    content: 'x'.repeat(2_000),
  }));
  const table = tableOf(set);
  // The index has no n-gram of this length, only parts of it, which are in all texts.
  const keyword = 'x'.repeat(40);
  const begin = () => search(table, keyword, [...set.keys()], () => true);
  const { result, count } = stepsOf(begin());
  assert.equal(result.length, 5_000);
  assert.ok(count >= 4, `${count} steps`);

  let rounds = 0;
  let isOver = false;
  const goRound = () => {
    rounds += 1;
    if (!isOver) setImmediate(goRound);
  };
  goRound();
  const searches = [inTurn(begin()), inTurn(begin()), inTurn(begin())];
  for (const found of await Promise.all(searches)) assert.deepEqual(found, result);
  isOver = true;
  assert.ok(rounds >= 3 * (count - 1), `${rounds} rounds`);
});
