/** The result of `roster demo`, and how to look at it. */

import type { Refusal } from '../import/batches.ts';
import { someRefused } from '../import/report.ts';
import { exitCodes, type Result } from '../result.ts';
import { type MaybeLine, number } from '../shown.ts';
import type { Kind } from './people.ts';

type Refused = Pick<Refusal, 'code' | 'sentence'>;

export interface Made {
  seed: number;
  days: number;
  people: Record<Kind, number>;
  events: number;
  purchases: number;
  refusals: Refused[];
  requests: number;
  url: string;
  /** How a shell gets the key. */
  keyLine: string;
  /** The external id of the first person. */
  somebody: string;
}

const exportCurl = (url: string, name: string): string =>
  `curl ${url}/users/export/ids -H "Authorization: Bearer $ROSTER_API_KEY" -H 'Content-Type: application/json' \\
    -d '{${name}, "fields_to_export": ["external_id", "first_name", "email", "home_city", "time_zone", "custom_attributes"]}'`;

const textOf = (made: Made): string => {
  const { people, events, purchases, days, seed, url, keyLine, somebody } = made;
  const all = people.account + people.alias + people.email;
  return `${number(all)} people: ${number(people.account)} with an account, ${people.alias} known by an alias, ${people.email} by an email alone
${number(events)} events and ${number(purchases)} purchases over ${days} days (seed ${seed}: the same people every time)

Look at one of them:

  ${keyLine}
  ${exportCurl(url, `"external_ids": ["${somebody}"]`)}

Send something about them, and look again:

  curl ${url}/users/track -H "Authorization: Bearer $ROSTER_API_KEY" -H 'Content-Type: application/json' -H 'Prefer: wait=5' \\
    -d '{"attributes": [{"external_id": "${somebody}", "plan": "pro"}]}'
`;
};

const noteOf = ({ refusals }: Made): MaybeLine => {
  const [first] = refusals;
  return (
    first && `${number(refusals.length)} entries were refused. The first: ${first.code} ${first.sentence}`
  );
};

const jsonOf = (made: Made): unknown => {
  const { seed, days, people, events, purchases, requests, refusals, somebody } = made;
  return { seed, days, people, events, purchases, requests, refused: refusals.length, somebody };
};

export const demoResult = (made: Made): Result => ({
  json: jsonOf(made),
  text: textOf(made),
  notes: [noteOf(made)],
  exitCode: made.refusals.length > 0 ? someRefused : exitCodes.done,
});
