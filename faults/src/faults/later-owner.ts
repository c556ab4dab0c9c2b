// An entry by an email or phone is about its owner at the time of acceptance, in every order of workers and retries.
import { type Book, openBook, type Sendable, sendUntilAccepted } from '../harness/book.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { rowsOf } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';
import { eachOf } from '../harness/wait.ts';

const time = '2025-06-01T12:00:00Z';
const purchase = { product_id: 'tea', currency: 'USD', price: 1, time };

/** One entry of each kind; `_update_existing_only` stands in every second of them. */
const entries = [
  ['attributes', { plan: 'gold' }],
  ['events', { name: 'seen', time }],
  ['purchases', purchase],
] as const;

interface Pair {
  name: string;
  contact: { email: string } | { phone: string };
  /** The entry may not create a person. */
  existingOnly: boolean;
  /** The entry, and then a person who gets the contact. */
  requests: Sendable[];
}

const pairOf = (n: number): Pair => {
  const name = `pair-${n}`;
  const contact = n % 2 ? { email: `${name}@example.com` } : { phone: `+1500${5_550_000 + n}` };
  const [kind, entry] = entries[(n >> 1) % 3] ?? entries[0];
  const existingOnly = n % 12 >= 6;
  const requests = [
    { [kind]: [{ ...contact, ...entry, ...(existingOnly && { _update_existing_only: true }) }] },
    { attributes: [{ external_id: name, ...contact }] },
  ];
  return {
    name,
    contact,
    existingOnly,
    requests: requests.map((body, i) => ({ key: `${name}-${i}`, body })),
  };
};

/** The second is sent when the first was answered, and does not wait for it. */
const send = async ({ client }: System, book: Book<Sendable>, { requests }: Pair): Promise<void> => {
  for (const request of requests) await sendUntilAccepted(client, book, request);
};

/** The entries that went to people who got the contact later, and the number of entries that should have created a person and did not. */
const look = async ({ mongo }: System, pairs: readonly Pair[]) => {
  const profiles = mongo.collection<{ _id: string; custom: unknown[] }>('profiles');
  const later = await profiles.find({ external_id: /^pair-/ }, { projection: { custom: 1 } }).toArray();
  const ids = new Set(later.map(({ _id }) => _id));
  const rows = [...(await rowsOf(mongo, 'events')), ...(await rowsOf(mongo, 'purchases'))];
  const withRows = rows.filter(({ profile }) => ids.has(profile)).length;
  const withPlan = later.filter(({ custom }) => custom.length > 0).length;
  const own = await profiles.countDocuments({ external_id: { $exists: false } });
  const expected = pairs.filter(({ existingOnly }) => !existingOnly).length;
  return { stolen: withPlan + withRows, lacking: Math.abs(expected - own) };
};

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const pairs = Array.from({ length: trial.quick ? 240 : 3_600 }, (_, n) => pairOf(n));
  const system = await trial.system({ trackWorkers: 3, instead: { track } });
  const book = openBook<Sendable>();
  await eachOf(pairs, 16, (pair) => send(system, book, pair));
  const broken: string[] = [];
  if (!(await system.quiet(60_000))) broken.push('the queue was not empty after 60 s');
  const { stolen, lacking } = await look(system, pairs);
  if (stolen !== 0) broken.push(`${stolen} entries went to a person who got the contact later`);
  if (lacking !== 0) broken.push(`${lacking} people by a contact of their own too few or too many`);
  broken.push(...imbalance(await reconcile({ accepted: book.accepted.values(), ...system })));
  return { figures: { pairs: pairs.length, accepted: book.accepted.size, stolen, lacking }, broken };
};

export const laterOwner = faultOf(attempt, 'track-patient', 'track-patient-forgetful', {
  name: 'later-owner',
  title:
    'three workers, one turn in ten fails: an entry by an unknown email or phone never goes to a person who gets it later',
  without: 'the knowledge since when a person has a contact',
  breaks: /went to a person who got the contact later/,
});
