// T20: whoever waits for each answer finds the last value, whatever workers and retries did to the order.
import { type Book, openBook, type Sendable, sendUntilAccepted } from '../harness/book.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { attributeOfAll } from '../harness/stored.ts';
import type { System } from '../harness/system.ts';

const clients = Array.from({ length: 20 }, (_, i) => `client-${i}`);

/** Twenty sets by each client, one after the other; then all is applied, and everybody looks. */
const setsInRound = 20;

const setColours = async ({ client: caller }: System, book: Book<Sendable>, round: number): Promise<void> => {
  const setting = async (client: string) => {
    for (let i = 1; i <= setsInRound; i++) {
      const body = { attributes: [{ external_id: client, colour: `shade-${round}-${i}` }] };
      await sendUntilAccepted(caller, book, { key: `${client}-${round}-${i}`, body });
    }
  };
  await Promise.all(clients.map(setting));
};

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const rounds = trial.quick ? 5 : 25;
  const system = await trial.system({ trackWorkers: 3, instead: { track } });
  const book = openBook<Sendable>();
  const broken: string[] = [];
  let wrong = 0;
  for (let round = 1; round <= rounds; round++) {
    await setColours(system, book, round);
    if (!(await system.quiet(30_000))) broken.push(`round ${round}: the queue was not empty after 30 s`);
    const colours = await attributeOfAll(system.mongo, 'colour');
    const last = `shade-${round}-${setsInRound}`;
    const misled = clients.filter((client) => colours.get(client) !== last);
    const [first] = misled;
    wrong += misled.length;
    if (first)
      broken.push(`round ${round}: ${misled.length} find an older value, ${first}: ${colours.get(first)}`);
  }
  broken.push(...imbalance(await reconcile({ accepted: book.accepted.values(), ...system })));
  return {
    figures: { accepted: book.accepted.size, looks: rounds * clients.length, 'wrong values': wrong },
    broken,
  };
};

export const lastWins: Fault = {
  name: 'last-wins',
  title: 'three workers, one turn in ten fails and is tried again: the last accepted value stands',
  run: (trial) => attempt(trial, 'track-flaky'),
  control: { without: 'a fold that ignores stamps', run: (trial) => attempt(trial, 'track-flaky-unstamped') },
};
