/** Every date that a merge chooses, in every format of the interface. */
import { isoTime } from '@roster/contract';
import { type ListItem, mergeProfiles, type Profile } from '@roster/profile';
import { mergeRequest, profileOf, useIdentity } from './testbed.ts';

const { store, apply, people } = useIdentity();

/** The same day of 2024 and of 2025: most of these a `Date` can't read, or reads in another zone. */
const formats: Record<string, (year: string, weekday: string) => string> = {
  'ISO 8601 with Z': (year) => `${year}-03-04T05:06:07.000Z`,
  'ISO 8601 with an offset': (year) => `${year}-03-04T05:06:07+0000`,
  'yyyy-MM-ddTHH:mm:ss:SSSZ': (year) => `${year}-03-04T05:06:07:080Z`,
  'yyyy-MM-ddTHH:mm:ss': (year) => `${year}-03-04T05:06:07`,
  'yyyy-MM-dd HH:mm:ss': (year) => `${year}-03-04 05:06:07`,
  'yyyy-MM-dd HH:mm:ss with an offset': (year) => `${year}-03-04 05:06:07 -0500`,
  'yyyy-MM-dd': (year) => `${year}-03-04`,
  'MM/dd/yyyy': (year) => `03/04/${year}`,
  'M-d-yyyy': (year) => `3-4-${year}`,
  'ddd MM dd HH:mm:ss.TZD YYYY': (year, weekday) => `${weekday} 03 04 05:06:07.+0000 ${year}`,
  'without separators': (year) => `${year}0304T050607Z`,
};
const early = (name: string): string => formats[name]?.('2024', 'Mon') ?? '';
const late = (name: string): string => formats[name]?.('2025', 'Tue') ?? '';

const at = 1;
const item = (k: string, v: ListItem['v']): ListItem => ({ k, v, at });

/** A person whose dates are all this text. */
const dated = (date: string): Partial<Profile> => ({
  fields: { date_of_first_session: { v: date, at }, date_of_last_session: { v: date, at } },
  lists: {
    apps: { items: [item('app', { name: 'app', first_used: date, last_used: date })] },
    campaigns_received: { items: [item('c', { name: 'c', last_received: date })] },
    canvases_received: {
      items: [
        item('w', {
          name: 'w',
          last_received_message: date,
          last_entered: date,
          last_entered_control_at: date,
          last_exited: date,
          steps_received: [{ name: 's', last_received: date }],
        }),
      ],
    },
  },
});

const datesOf = ({ fields, lists }: Profile) => ({
  date_of_first_session: fields.date_of_first_session?.v,
  date_of_last_session: fields.date_of_last_session?.v,
  apps: lists.apps?.items.map(({ v }) => v),
  campaigns_received: lists.campaigns_received?.items.map(({ v }) => v),
  canvases_received: lists.canvases_received?.items.map(({ v }) => v),
});

const expected = (first: string, last: string) => ({
  ...datesOf(profileOf({ more: dated(last) })),
  date_of_first_session: first,
  apps: [{ name: 'app', first_used: first, last_used: last }],
});

const names = Object.keys(formats);

it('the formats are all formats of the interface, of two days', () => {
  for (const name of names) {
    expect(isoTime(early(name))?.slice(0, 10)).toBe('2024-03-04');
    expect(isoTime(late(name))?.slice(0, 10)).toBe('2025-03-04');
  }
});

it.each(names)('%s is compared as a moment with every other, kept or merged away', (name) => {
  const merged = (kept: string, away: string) =>
    datesOf(mergeProfiles(profileOf({ more: dated(kept) }), profileOf({ more: dated(away) }), isoTime));
  const both = (mine: string, theirs: string) => [merged(mine, theirs), merged(theirs, mine)];
  for (const other of names) {
    expect(both(early(name), late(other))).toEqual(Array(2).fill(expected(early(name), late(other))));
    expect(both(late(name), early(other))).toEqual(Array(2).fill(expected(early(other), late(name))));
  }
  expect(both(early(name), 'never')).toEqual(Array(2).fill(expected(early(name), early(name))));
});

it('the service compares them so', async () => {
  const [first, last] = [early('MM/dd/yyyy'), late('yyyy-MM-dd')];
  await people({ external_id: 'kept', more: dated(last) }, { external_id: 'away', more: dated(first) });
  await apply([mergeRequest(['away', 'kept'])]);
  const kept = await store.profiles.findOne({ external_id: 'kept' });
  expect(kept && datesOf(kept)).toEqual(expected(first, last));
});
