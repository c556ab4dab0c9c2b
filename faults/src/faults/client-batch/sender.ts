// The caller: a process of its own, which is stopped, and which must stay small. Its events go through a batch; some answers never reach it.
import { type EntryOutcome, Roster } from '@roster/client';
import { heldBytes } from '@roster/testkit';
import { createDice } from '../../harness/dice.ts';
import type { Order, Outcome, Report } from './child.ts';

const people = 5_000;
const mostWaiting = 20_000;
const lookEveryMs = 250;

const tell = (report: Report): void => void process.send?.(report);

/** The service has answered, and the caller never hears of it. */
const losing = ({ seed, oneIn }: Order, lost: { answers: number }) => {
  const dice = createDice(seed);
  return async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (dice.below(oneIn) > 0) return response;
    lost.answers++;
    await response.body?.cancel();
    throw new TypeError('the answer was lost');
  };
};

/** A letter for each: an object for each event would be what is measured. */
const letterOf = ({ state }: EntryOutcome): Outcome => (state === 'accepted' ? 'a' : 'o');

const work = async (order: Order): Promise<void> => {
  const { url, key, total, maxEntries } = order;
  const lost = { answers: 0 };
  const roster = new Roster({ url, key, timeout: 5, retryFor: 240, fetch: losing(order, lost) });
  const outcomes = Buffer.alloc(total, 'w');
  const idle = heldBytes();
  let [settled, most] = [0, 0];
  const look = setInterval(() => {
    most = Math.max(most, heldBytes() - idle);
    tell({ settled });
  }, lookEveryMs);
  const batch = roster.batch({ maxWaiting: mostWaiting, maxEntries });
  const time = new Date().toISOString();
  for (let n = 0; n < total; n++) {
    await batch.room();
    const event = { external_id: `p${n % people}`, name: `e${n}`, time, properties: { n } };
    void batch.event(event).then((outcome) => {
      outcomes.write(letterOf(outcome), n);
      settled++;
    });
  }
  await batch.flush();
  await batch.close();
  clearInterval(look);
  tell({ outcomes: outcomes.toString('latin1'), answersLost: lost.answers, mostHeld: most });
};

process.once('message', (order: Order) => void work(order));
process.once('disconnect', () => process.exit());
