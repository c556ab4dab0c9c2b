/** Sends the demo through the public interface, like any caller; its result, and how to look at it. */
import { createDelivery } from '../import/delivery.ts';
import { someRefused } from '../import/report.ts';
import type { Target } from '../import/target.ts';
import type { Totals } from '../import/totals.ts';
import type { Watched } from '../person.ts';
import { exitCodes, failed, type Result } from '../result.ts';
import { type MaybeLine, number } from '../shown.ts';
import { type DemoPlan, demoBatches, peopleOf } from './demo-batches.ts';
import { type Kind, personOf } from './people.ts';

const concurrency = 4;
const giveUpAfterMs = 60_000;
const applyWithinMs = 60_000;

interface Made {
  seed: number;
  days: number;
  people: Record<Kind, number>;
  events: number;
  purchases: number;
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

const noteOf = ({ refused, firstRefusals: [first] }: Totals): MaybeLine =>
  first && `${number(refused)} entries were refused. The first: ${first.code} ${first.sentence}`;

const kindsIn = (plan: DemoPlan): Record<Kind, number> => {
  const counts = { account: 0, alias: 0, email: 0 };
  for (const { kind } of peopleOf(plan)) counts[kind]++;
  return counts;
};

/** `keyLine`: how a shell gets the key. */
export const runDemo = async (
  plan: DemoPlan,
  target: Target,
  keyLine: string,
  watched: Watched,
): Promise<Result> => {
  const { seed, days } = plan;
  const counts = { events: 0, purchases: 0 };
  const delivery = createDelivery(watched, { target, concurrency, giveUpAfterMs });
  const isWhole = await delivery.send(demoBatches(plan), ({ items }) => {
    for (const { array } of items) if (array !== 'attributes') counts[array]++;
    return undefined;
  });
  if (!isWhole) throw failed('stopped. The same command, today, goes on and doubles nothing.');
  await delivery.untilApplied(applyWithinMs);
  const totals = delivery.totals();
  const { requests, refused } = totals;
  const somebody = String(personOf(seed, 0).identity.external_id);
  const made = { seed, days, people: kindsIn(plan), ...counts };
  return {
    json: { ...made, requests, refused, somebody },
    text: textOf({ ...made, url: target.url, keyLine, somebody }),
    notes: [noteOf(totals)],
    exitCode: refused > 0 ? someRefused : exitCodes.done,
  };
};
