/** Sends what leaves in a turn, some at once, and writes what became of it. */
import type { Lines } from '@roster/batch';
import type { Store } from '@roster/store';
import { createForget } from './forget.ts';
import { inParallel } from './in-parallel.ts';
import type { Leaves, Leaving } from './leaving.ts';
import { createResults } from './results.ts';
import type { Rooms } from './rooms.ts';
import { type Hand, hasLeft, notSent, type Sent, sendOne } from './send-one.ts';
import type { Result } from './write-results.ts';

interface SendAllOptions {
  store: Store;
  hand: Hand;
  onSent(sent: Sent): void;
}

/** To so many at once. */
const atOnce = 100;

/** Profiles that lose tokens. */
const forgottenAtOnce = 10;

export const createSendAll = (
  { store, hand, onSent }: SendAllOptions,
  oneByOne: Lines,
  { shrink }: Pick<Rooms, 'shrink'>,
) => {
  const forget = createForget(store);
  const openResults = createResults(store, oneByOne);

  return async (lane: string, { leave, stay, until }: Leaving): Promise<void> => {
    const results = openResults(lane);
    const dead: Sent[] = [];
    const add = (sent: Sent, { delivery }: Leaves): void => {
      onSent(sent);
      if (sent.gone) dead.push(sent);
      results.add({ ...sent, delivery } satisfies Result);
    };
    const keep = (all: Iterable<Leaves>): void => {
      for (const one of all) add(notSent(one.outgoing, new Date()), one);
    };
    keep(stay);
    let left = leave.length;
    const line = leave.values();
    const late = setTimeout(() => {
      const all = [...line];
      left -= all.length;
      keep(all);
      shrink(lane, left);
    }, until - performance.now());
    await inParallel(line, atOnce, async (one) => {
      const sent = await sendOne(one.outgoing, hand, until);
      if (!hasLeft(sent)) shrink(lane, --left);
      add(sent, one);
    });
    clearTimeout(late);
    await results.end();
    await inParallel(dead, forgottenAtOnce, forget);
  };
};
