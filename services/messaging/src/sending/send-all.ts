/** Sends what leaves in a turn, some at once, and writes what became of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { changeTo, type Lines } from '@roster/batch';
import { withoutTokens } from '@roster/profile';
import { classify, type Store, TransactionTooLong } from '@roster/store';
import { inParallel } from './in-parallel.ts';
import type { Leaving } from './leaving.ts';
import type { Rooms } from './rooms.ts';
import { type Hand, hasLeft, notSent, type Outgoing, type Sent, sendOne } from './send-one.ts';
import { createWriteResults } from './write-results.ts';

/** Results are written soon after they come: what a process that dies has not written is unknown for ever. */
const everyMs = 200;
const mostAtOnce = 500;

/** While MongoDB is away. After that the rows are given up as unknown, and what was sent is not known. */
const patienceMs = 10 * 60_000;
const pauseMs = 1000;

const createResults = (store: Store, oneByOne: Lines) => {
  const write = createWriteResults(store);

  const halves = async (results: readonly Sent[], until: number): Promise<void> => {
    const middle = Math.ceil(results.length / 2);
    await writePatiently(results.slice(0, middle), until);
    await writePatiently(results.slice(middle), until);
  };

  const writePatiently = async (
    results: readonly Sent[],
    until = performance.now() + patienceMs,
  ): Promise<void> => {
    for (;;)
      try {
        await write(results);
        return;
      } catch (error) {
        if (error instanceof TransactionTooLong && results.length > 1) return halves(results, until);
        if (classify(error) !== 'passing' || performance.now() > until) throw error;
        await sleep(pauseMs);
      }
  };

  return (lane: string) => {
    let waiting: Sent[] = [];
    let last: Promise<void> = Promise.resolve();

    const flush = (): Promise<void> => {
      const some = waiting;
      waiting = [];
      if (some.length > 0) last = last.then(() => oneByOne(lane, () => writePatiently(some)));
      return last;
    };
    // What fails is told at the end.
    const timer = setInterval(() => void flush().catch(() => {}), everyMs);

    return {
      add(result: Sent): void {
        waiting.push(result);
        // As above.
        if (waiting.length >= mostAtOnce) void flush().catch(() => {});
      },
      end(): Promise<void> {
        clearInterval(timer);
        return flush();
      },
    };
  };
};

const withTokens = { 'lists.push_tokens': 1, 'lists.devices': 1, device_keys: 1, token_keys: 1 } as const;

/** A token that came since the provider knew of its end, or else since the push began, is of a device that is there again. */
const stampsIn = ({ row, gone = [] }: Sent): Map<string, number> =>
  new Map(
    gone
      .filter(({ isSure }) => !isSure || isSure())
      .map(({ token, since }) => [token, (since ?? row.at.getTime()) * 1000]),
  );

/** Removes push tokens that their provider calls dead. What can't be removed now is found dead by the next push. */
const createForget =
  ({ profiles, transact }: Pick<Store, 'profiles' | 'transact'>) =>
  (sent: Sent): Promise<void> =>
    transact(async (session) => {
      const stamps = stampsIn(sent);
      if (stamps.size === 0) return;
      const _id = sent.row.profile;
      const found = await profiles.findOne({ _id }, { session, projection: withTokens });
      if (!found?.lists?.push_tokens) return;
      const { lists, device_keys, token_keys } = withoutTokens(found, stamps);
      if (lists.push_tokens?.items.length === found.lists.push_tokens.items.length) return;
      const change = changeTo({ 'lists.push_tokens': lists.push_tokens, device_keys, token_keys });
      await profiles.updateOne({ _id }, change, { session });
    });

interface SendAllOptions {
  store: Store;
  hand: Hand;
  onSent(sent: Sent): void;
  /** Not all have left in their time: the others are given back. */
  onLate(): void;
}

/** To so many at once. */
const atOnce = 100;

/** Profiles that lose tokens. */
const forgottenAtOnce = 10;

export const createSendAll = (
  { store, hand, onSent, onLate }: SendAllOptions,
  oneByOne: Lines,
  { shrink }: Pick<Rooms, 'shrink'>,
) => {
  const forget = createForget(store);
  const openResults = createResults(store, oneByOne);

  return async (lane: string, { leave, stay, until }: Leaving): Promise<void> => {
    const results = openResults(lane);
    const dead: Sent[] = [];
    const add = (sent: Sent): void => {
      onSent(sent);
      if (sent.gone) dead.push(sent);
      results.add(sent);
    };
    const keep = (all: Iterable<Outgoing>): void => {
      for (const one of all) add(notSent(one, new Date()));
    };
    keep(stay);
    let left = leave.length;
    const line = leave.values();
    const late = setTimeout(() => {
      const all = [...line];
      left -= all.length;
      keep(all);
    }, until - performance.now());
    await inParallel(line, atOnce, async (one) => {
      const sent = await sendOne(one, hand, until);
      if (!hasLeft(sent)) left -= 1;
      add(sent);
    });
    clearTimeout(late);
    if (left < leave.length) {
      shrink(lane, left, leave.length);
      onLate();
    }
    await results.end();
    await inParallel(dead, forgottenAtOnce, forget);
  };
};
