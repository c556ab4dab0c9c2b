/** Every entry of a track request that is refused, list by list. */
import { parseExact } from '@roster/contract';
import { attributes } from './attributes.ts';
import { byMember } from './by-member.ts';
import { events } from './events.ts';
import { purchases } from './purchases.ts';
import type { EntryList, Refused } from './refused.ts';

/** As it comes out of a body: without the members that are `undefined`, and with every digit of a long number. */
const asSent = (row: Refused): Refused => ({
  ...row,
  entry: parseExact(JSON.stringify(row.entry)),
});

/** Some hold what no JSON text gives, or only an exact one: they stay as they are. */
const titled = (list: EntryList): Refused[] =>
  byMember[list].map(([entry, code, sentence], row) => ({
    title: `row ${row}, ${code}`,
    entry,
    code,
    ...(sentence !== undefined && { sentence }),
  }));

export const refusedEntries: Readonly<Record<EntryList, readonly Refused[]>> = {
  attributes: [...attributes.map(asSent), ...titled('attributes')],
  events: [...events.map(asSent), ...titled('events')],
  purchases: [...purchases.map(asSent), ...titled('purchases')],
};
