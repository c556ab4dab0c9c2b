/** Sends what leaves in a turn, some at once, and writes what became of it. */
import { changeTo, type Lines } from '@roster/batch';
import { withoutTokens } from '@roster/profile';
import type { Store } from '@roster/store';
import { inParallel } from './in-parallel.ts';
import type { Leaving } from './leaving.ts';
import { createResults } from './results.ts';
import type { Rooms } from './rooms.ts';
import { type Hand, hasLeft, notSent, type Outgoing, type Sent, sendOne } from './send-one.ts';

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
      const now = new Date();
      for (const one of all) add(notSent(one, now));
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
