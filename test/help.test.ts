import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../src/commands/commands.ts';
import { commandHelp, helpText } from '../src/commands/help.ts';
import { settingGroups, settingNames } from '../src/settings/settings.ts';

const names = Object.keys(commands);

test('no line of a help text is over 80 columns', () => {
  const lines = [helpText(), ...names.map(name => commandHelp([name]))].join('').split('\n');
  assert.deepEqual(
    lines.filter(line => line.length > 80),
    [],
  );
});

test('the help text has every setting under a heading', () => {
  const grouped = Object.values(settingGroups).flatMap(group => Object.keys(group));
  assert.deepEqual(grouped, settingNames);
});
