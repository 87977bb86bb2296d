import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn } from '../../src/http/response/in-turn.ts';
import { search } from '../../src/query/search.ts';
import { scan, searchIn, stepsOf, tableOf } from '../support/search.ts';
import { countWork } from '../support/work.ts';

test('a rare term has few texts scanned, and no text is scanned twice for a term', async () => {
  const set = Array.from({ length: 5_000 }, (_, row) => ({
    title: `Notice ${row}`,
    keywords: row % 2 === 0 ? 'server' : 'domain',
    content: `公告 ${row}: 香港节点 ${row % 50 === 7 ? '维护' : '正常'}, nothing else to be told ${row * 7919}`,
  }));
  const find = searchIn(set);
  const cases: [keyword: string, most: number][] = [
    ['notice 4321', 20],
    ['absent', 20],
    ['维护', 100],
    ['维', 100],
    ['nothing 4321', 40],
    ['server', 5_000],
    ['server serv erver server', 5_000],
    ['notice 正常 server nothing', 25_000],
    ['notice absentee nothing told', 20],
    // These are trigrams themselves.
    ['é', 0],
    ['e t n o i c r s 1 2', 100],
    ['no ti ic ce', 20],
    ['正 常', 20],
    ['not ice', 20],
  ];
  for (const [keyword, most] of cases) {
    const { verified, result } = await countWork(() => find(keyword));
    assert.deepEqual(result, scan(set, keyword), keyword);
    assert.ok(verified <= most, `${keyword}: ${verified} texts`);
  }
});

test('a search of many texts yields, and all searches together take one step per turn of the event loop', async () => {
  const set = Array.from({ length: 5_000 }, (_, row) => ({
    title: 'Common words',
    keywords: '',
    content: `${'x'.repeat(2_000)} and others${row % 2 === 0 ? '' : ' which are longer'}`,
  }));
  const table = tableOf(set);
  const begin = () => search(table, 'common others longer', [...set.keys()], () => true);
  const { result, count } = stepsOf(begin());
  assert.equal(result.length, 2_500);
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
