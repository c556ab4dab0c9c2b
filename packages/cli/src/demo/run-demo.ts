/** Sends the demo through the public interface, like any caller; its result, and how to look at it. */
import type { Refusal } from '../import/batches.ts';
import { createDelivery } from '../import/delivery.ts';
import { someRefused } from '../import/report.ts';
import type { Target } from '../import/target.ts';
import { refusalsOf } from '../import/totals.ts';
import type { Watched } from '../person.ts';
import { exitCodes, failed, type Result } from '../result.ts';
import { type MaybeLine, number } from '../shown.ts';
import { type DemoPlan, demoBatches, peopleOf } from './demo-batches.ts';
import { type Kind, personOf } from './people.ts';

const concurrency = 4;
const giveUpAfterMs = 60_000;
const applyWithinMs = 60_000;

type Refused = Pick<Refusal, 'code' | 'sentence'>;

interface Made {
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

const demoResult = (made: Made): Result => ({
  json: jsonOf(made),
  text: textOf(made),
  notes: [noteOf(made)],
  exitCode: made.refusals.length > 0 ? someRefused : exitCodes.done,
});

const nothingYet = (plan: DemoPlan, url: string, keyLine: string): Made => {
  const { seed, days } = plan;
  const people: Record<Kind, number> = { account: 0, alias: 0, email: 0 };
  for (const { kind } of peopleOf(plan)) people[kind]++;
  const somebody = String(personOf(seed, 0).identity.external_id);
  const counts = { events: 0, purchases: 0, requests: 0, refusals: [] };
  return { seed, days, people, ...counts, url, keyLine, somebody };
};

/** `keyLine`: how a shell gets the key. */
export const runDemo = async (
  plan: DemoPlan,
  target: Target,
  keyLine: string,
  watched: Watched,
): Promise<Result> => {
  const made = nothingYet(plan, target.url, keyLine);
  const delivery = createDelivery(watched, { target, concurrency, giveUpAfterMs });
  const isWhole = await delivery.send(demoBatches(plan), ({ batch, sent }) => {
    for (const { array } of batch.items) if (array !== 'attributes') made[array]++;
    made.refusals.push(...refusalsOf(batch, sent));
    return undefined;
  });
  if (!isWhole) throw failed('stopped. The same command, today, goes on and doubles nothing.');
  await delivery.untilApplied(applyWithinMs);
  return demoResult({ ...made, requests: delivery.totals().requests });
};
