import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localTime, openTimeZone } from '../src/time-zone.ts';

test('converts and formats local times, also across clock changes, by the rule of Temporal', () => {
  const cases: [zone: string, text: string, instant: string, written?: string][] = [
    ['UTC', '2024-02-29', '2024-02-29T00:00:00Z', '2024-02-29 00:00:00'],
    ['UTC', '1970-01-01T00:00:01', '1970-01-01T00:00:01Z', '1970-01-01 00:00:01'],
    ['Asia/Shanghai', '2024-01-05 10:00:00', '2024-01-05T02:00:00Z'],
    ['Asia/Kathmandu', '2024-01-05 10:00:00', '2024-01-05T04:15:00Z'],
    ['America/New_York', '2024-07-04 12:00:00', '2024-07-04T16:00:00Z'],
    ['America/St_Johns', '2024-01-01 00:00:00', '2024-01-01T03:30:00Z'],
    ['Pacific/Apia', '2011-12-31 00:00:00', '2011-12-30T10:00:00Z'],
    ['Europe/Berlin', '2026-03-29 01:59:59', '2026-03-29T00:59:59Z'],
    ['Europe/Berlin', '2026-03-29 03:00:00', '2026-03-29T01:00:00Z'],
    // Skipped by the clocks: the offset before the change applies.
    ['Europe/Berlin', '2026-03-29 02:30:00', '2026-03-29T01:30:00Z', '2026-03-29 03:30:00'],
    // Repeated: the first of the two.
    ['Europe/Berlin', '2026-10-25 02:30:00', '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '2026-10-25 03:00:00', '2026-10-25T02:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:45:00', '2026-04-04T14:45:00Z'],
    ['Australia/Lord_Howe', '2026-04-05 02:00:00', '2026-04-04T15:30:00Z'],
  ];
  for (const [zoneName, text, instant, written = text] of cases) {
    const zone = openTimeZone(zoneName);
    const seconds = Date.parse(instant) / 1000;
    assert.equal(zone.toInstant(localTime(text.split(/\D/)) ?? 0), seconds, `${text} in ${zoneName}`);
    assert.equal(zone.format(seconds), written, `${instant} in ${zoneName}`);
  }
});
