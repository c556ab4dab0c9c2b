/** Many updates in one request. */
import { stringifyExact } from '../../formats/exact-json.ts';
import { createTally } from '../../formats/tally.ts';
import { example, type JsonObject, operation } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { isJsonObject, listAt } from '../../types.ts';
import { MOST_ENTRIES, trackAnswer, trackEntries, trackRow } from './track.ts';

const MOST_OF_ONE_USER = 100;

/** One person may not fill a whole request: it would be one long turn for one profile. */
function hasFewOfEach(body: JsonObject): Rejection | undefined {
  const tally = createTally();
  for (const entry of trackEntries.flatMap(({ array }) => listAt(body, array))) {
    const key = isJsonObject(entry) ? keyOf(entry) : undefined;
    if (key === undefined) continue;
    tally.add(key, 1);
    if (tally.of(key) > MOST_OF_ONE_USER) return new Rejection('TOO_MANY_ENTRIES_OF_ONE_USER');
  }
  return undefined;
}

/** By the identifier as it was sent: one person under two identifiers is not looked for here. */
function keyOf({ external_id, user_alias, service_id, email, phone }: JsonObject): string | undefined {
  if (external_id != null) return `external_id ${external_id}`;
  if (isJsonObject(user_alias))
    return `user_alias ${stringifyExact([user_alias.alias_label, user_alias.alias_name])}`;
  if (service_id != null) return `service_id ${service_id}`;
  if (email != null) return `email ${email}`;
  return phone == null ? undefined : `phone ${phone}`;
}

export const usersTrackBulk = operation({
  ...trackRow,
  id: 'users.track.bulk',
  path: '/users/track/bulk',
  summary: 'Record many events, purchases and attributes',
  description:
    'Like `/users/track`, with up to 1,000 entries in the three arrays together, whatever limit the workspace sets. At most 100 of them may name the same person by the same identifier. For imports.',
  answer: 'receipt',
  bodyLimit: 2 * 1024 * 1024,
  limit: { pool: 'users.track.bulk', requests: 50, seconds: 1 },
  mostEntries: () => MOST_ENTRIES,
  rules: [hasFewOfEach],
  responses: { 201: trackAnswer },
  rejections: ['NO_VALID_DATA', 'TOO_MANY_ENTRIES', 'TOO_MANY_ENTRIES_OF_ONE_USER'],
  examples: [
    example('Two people', {
      body: {
        attributes: [
          { external_id: 'ada', first_name: 'Ada' },
          { external_id: 'bob', first_name: 'Bob' },
        ],
      },
      201: { attributes_processed: 2 },
    }),
  ],
});
