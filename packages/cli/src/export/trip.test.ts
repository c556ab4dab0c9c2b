import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportableFields } from '@roster/contract';
import { entriesOfExportedUser, staysBehind } from '../import/exported-user.ts';
import { reasons } from './tally.ts';
import { trip } from './trip.ts';

const page = readFileSync(join(__dirname, '../../../../docs/round-trip.md'), 'utf8');

/** Rows of the tables of the page: `| \`name\` | what becomes of it |`. */
const rows = new Map(
  [...page.matchAll(/^\| `(?<name>[^`]+)` \| (?<text>.+?) \|$/gm)].map(({ groups }) => [
    groups?.name,
    groups?.text,
  ]),
);

describe('docs/round-trip.md', () => {
  it('says of every field that can be exported what becomes of it', () => {
    expect(Object.keys(trip).toSorted()).toEqual(exportableFields.toSorted());
    for (const [name, text] of Object.entries(trip)) expect([name, rows.get(name)]).toEqual([name, text]);
  });

  it('lists what the import leaves out, with its reasons', () => {
    const listed = Object.entries(trip).filter(([, text]) => !text.startsWith('travels'));
    const summaries = ['custom_events', 'purchases', 'total_revenue'];
    const left = Object.entries(staysBehind).filter(([name]) => !summaries.includes(name));
    expect(listed.toSorted()).toEqual(left.toSorted());
  });

  it.each(Object.keys(trip).filter((name) => trip[name as keyof typeof trip] === 'travels'))(
    'calls %s travelling, and the import sends it',
    (name) => {
      const { entries, leftOut } = entriesOfExportedUser({ external_id: 'ada', [name]: [1, 2] });
      expect(leftOut).toEqual([]);
      expect(entries.flatMap((entry) => Object.keys(entry))).toContain(name);
    },
  );

  it('names those who are left behind, and what is counted', () => {
    for (const [name, text] of Object.entries(reasons)) expect([name, rows.get(name)]).toEqual([name, text]);
    for (const counted of [
      'events that were rolled up',
      'events of push tokens',
      'push tokens that somebody else has too',
    ])
      expect(rows.has(counted)).toBe(true);
  });
});
