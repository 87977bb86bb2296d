import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../src/commands/commands.ts';
import { helpText } from '../src/settings/help.ts';
import { settingGroups, settingNames } from '../src/settings/settings.ts';

test('no line of the help text is over 80 columns', () => {
  const lines = helpText().split('\n');
  assert.deepEqual(
    lines.filter(line => line.length > 80),
    [],
  );
});

test('the help text has every setting under a heading', () => {
  const names = Object.values(settingGroups).flatMap(group => Object.keys(group));
  assert.deepEqual(names, settingNames);
});

test('the help has every command with what it takes', () => {
  const lines = helpText().split('\n');
  for (const usage of Object.keys(commands).filter(name => name !== 'serve')) {
    const [call = '', ...options] = usage.split(' [--');
    const start = lines.findIndex(line => line.startsWith(`  vitrine ${call}  `));
    assert.ok(start > 0, call);
    const next = lines.findIndex((line, index) => index > start && line.startsWith('  vitrine '));
    for (const option of options) {
      const isListed = lines
        .slice(start, next)
        .some(line => line.startsWith(`    --${option.slice(0, -1)} `));
      assert.ok(isListed, `${call} --${option}`);
    }
  }
});
