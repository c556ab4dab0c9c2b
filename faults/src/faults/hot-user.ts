// T21: everything happens to one person. The sums are exact, and the others wait no longer than when as much happens to many.
import type { Book } from '../harness/book.ts';
import { type Client, isAccepted, requestIdOf } from '../harness/client.ts';
import { compareDelays, type Delays, delaysOf } from '../harness/delays.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendStory } from '../harness/load.ts';
import type { Chapter } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep } from '../harness/wait.ts';

const requestsPerSecond = 100;
const entriesPerRequest = 20;
const othersPerSecond = 20;
const mostBytes = 64 * 1024;

/** The person of a request: always the same one, or, as is usual, another one each time. */
type Choice = (n: number) => { external_id: string };
const oneForAll: Choice = () => ({ external_id: 'hot' });
const oneEach: Choice = (n) => ({ external_id: `usual-${n}` });

const time = '2025-06-01T12:00:00Z';

const of = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Twenty entries about the same person. */
const chapterOf = (person: { external_id: string }, n: number): Chapter => ({
  key: `${person.external_id}-${n}`,
  body: {
    attributes: of(6, (i) => ({ ...person, visits: { inc: 1 + ((n + i) % 5) } })),
    events: of(10, (i) => ({ ...person, name: `tapped-${i}`, time, properties: { position: n } })),
    purchases: of(entriesPerRequest - 16, (i) => ({
      ...person,
      product_id: `product-${i}`,
      currency: 'USD',
      price: 1 + ((n + i) % 90),
      time,
    })),
  },
});

const otherOf = (n: number) => ({
  attributes: [{ external_id: `other-${n % 50}`, last_seen_in: `round-${n}` }],
});

const others = (client: Client, seconds: number): Promise<Delays> =>
  delaysOf({ client, perSecond: othersPerSecond, seconds, bodyOf: otherOf });

const send = (system: System, seconds: number, choose: Choice): Promise<Book<Chapter>> => {
  const chapters = of(requestsPerSecond * seconds, (n) => chapterOf(choose(n), n));
  return sendStory(system, chapters, { perSecond: requestsPerSecond, hands: 64 });
};

/** What is sent, and how long the others wait meanwhile, from half a second on. */
const sendBeside = async (system: System, seconds: number, choose: Choice) => {
  const sending = send(system, seconds, choose);
  await sleep(500);
  const delays = await others(system.client, seconds - 1);
  return { delays, book: await sending };
};

const bytesOfHot = async ({ mongo }: System): Promise<number> => {
  const sizes = mongo
    .collection('profiles')
    .aggregate<{ bytes: number }>([
      { $match: oneForAll(0) },
      { $project: { bytes: { $bsonSize: '$$ROOT' } } },
    ]);
  return (await sizes.next())?.bytes ?? Number.NaN;
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ workers: { track: 3 }, instead });
  await others(system.client, 1);
  const usual = await sendBeside(system, trial.quick ? 4 : 20, oneEach);
  const late = await unfinished(system, 60_000);
  const seconds = trial.quick ? 8 : 60;
  const heat = await sendBeside(system, seconds, oneForAll);
  const ended = await system.quiet(60_000);

  const compared = compareDelays(usual.delays, heat.delays);
  const sent = new Map([...usual.book.accepted, ...heat.book.accepted]);
  const besides = heat.delays.answers.filter(isAccepted).map(requestIdOf);
  const { comparison, balance, broken } = await judgeStory(system, sent, besides);
  const bytes = await bytesOfHot(system);
  broken.push(...late, ...compared.broken);
  const { accepted, again } = heat.book;
  if (again > 0) broken.push('not everything was accepted at once');
  if (!ended || balance.dead > 0)
    broken.push(`${balance.inFlight} in flight, ${balance.dead} dead at the end`);
  if (!(bytes <= mostBytes)) broken.push(`the profile has ${bytes} bytes`);
  const figures = { 'entries about one': accepted.size * entriesPerRequest, 'profile bytes': bytes };
  return { figures: { ...figures, ...comparison, ...compared.figures }, broken };
};

export const hotUser = faultOf(attempt, [{}, { track: 'track-plain-writes' }], {
  name: 'hot-user',
  alone: true,
  timing: /were applied within/,
  title:
    '2,000 entries a second about one person, three workers: exact sums, no longer delays for the others',
  without: 'read, change, write back, without a transaction',
  breaks: /off in the increments/,
});
