import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportableFields } from '@roster/contract';
import type { ExportedFieldName } from '@roster/profile';
import { entriesOfExportedUser, staysBehind } from '../import/exported-user.ts';
import { reasons } from './tally.ts';

const because = (name: string): string => {
  const reason = staysBehind[name];
  if (reason === undefined) throw new Error(`there is no reason why ${name} stays behind`);
  return reason;
};

const inOrderOfKeys = 'travels, in the order of their keys';

/** Fields of an exported user that do more or less than to travel. */
const told: Readonly<Record<string, string>> = {
  service_id: because('service_id'),
  user_aliases:
    'travels, in requests to `/users/alias/new`; a second one of a person without an external id, by a merge',
  created_at: because('created_at'),
  random_bucket: because('random_bucket'),
  custom_attributes: 'travels; from another system, an attribute with the name of a field stays behind',
  custom_events: 'travels as the events themselves',
  purchases: 'travels as the purchases themselves',
  total_revenue:
    'travels as the purchases themselves, counted with the rates of the workspace that takes them in',
  subscription_groups: 'travels, without `since`: it becomes the time of the import',
  apps: inOrderOfKeys,
  campaigns_received: inOrderOfKeys,
  canvases_received: inOrderOfKeys,
  cards_clicked: inOrderOfKeys,
  devices: inOrderOfKeys,
  push_tokens: inOrderOfKeys,
} satisfies Partial<Record<ExportedFieldName, string>>;

const trip = exportableFields.map((name) => [name, told[name] ?? 'travels'] as const);

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
    for (const [name, text] of trip) expect([name, rows.get(name)]).toEqual([name, text]);
  });

  it('lists what the import leaves out, with its reasons', () => {
    const listed = trip.filter(([, text]) => !text.startsWith('travels'));
    const summaries = ['custom_events', 'purchases', 'total_revenue'];
    const left = Object.entries(staysBehind).filter(([name]) => !summaries.includes(name));
    expect(listed.toSorted()).toEqual(left.toSorted());
  });

  it.each(trip.filter(([, text]) => text === 'travels'))(
    'calls %s travelling, and the import sends it',
    (name) => {
      const { entries, leftOut } = entriesOfExportedUser({ external_id: 'ada', [name]: [1, 2] });
      expect(leftOut).toEqual([]);
      expect(entries.flatMap((entry) => Object.keys(entry))).toContain(name);
    },
  );

  it('names the people who are left behind, and what is counted', () => {
    for (const [name, text] of Object.entries(reasons)) expect([name, rows.get(name)]).toEqual([name, text]);
    for (const counted of [
      'events that were rolled up',
      'events of push tokens',
      'push tokens that another person has too',
    ])
      expect(rows.has(counted)).toBe(true);
  });
});
