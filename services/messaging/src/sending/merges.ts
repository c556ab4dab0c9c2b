/** People who were merged while they waited are the kept person, once. */
import type { SendDocument, Store } from '@roster/store';
import { isListed, keptOf } from './listed.ts';
import type { Next } from './next.ts';
import type { Recipient } from './people.ts';
import { judgedRow, newRow } from './rows.ts';
import type { Again } from './write-begin.ts';

interface MergeTurn {
  now: Date;
  expires: Date;
  people: ReadonlyMap<string, Recipient>;
}

export interface Followed {
  /** Without those who are a person with a row of their own. */
  of: Next;
  /** Rows that lead to the kept person now. Of listed people the others stay, as duplicates: the counts add up to what was asked. */
  again: Again[];
  fresh: SendDocument[];
}

/** It may have come, or comes. */
const got: ReadonlySet<SendDocument['state'] | undefined> = new Set(['sending', 'sent', 'unknown']);

type MergeRow = Pick<SendDocument, 'profile' | 'state'>;

export const createFollowMerges = (store: Pick<Store, 'profiles' | 'messages'>) => {
  const rowsOf = async (
    delivery: string,
    ids: readonly string[],
  ): Promise<Map<string, MergeRow['state']>> => {
    if (ids.length === 0) return new Map();
    const _ids = ids.map((id) => `${delivery}/${id}`);
    const found = await store.messages.sends
      .find<MergeRow>({ _id: { $in: _ids } }, { projection: { profile: 1, state: 1 } })
      .toArray();
    return new Map(found.map(({ profile, state }) => [profile, state]));
  };

  return async (of: Next, turn: MergeTurn): Promise<Followed> => {
    const { delivery, page, waiting } = of;
    const { people, now } = turn;
    const ids = [...page.ids, ...waiting.map(({ profile }) => profile)];
    const absorbedOf = (id: string): string[] => people.get(id)?.profile.absorbed ?? [];
    const missing = ids.filter((id) => !people.has(id));
    const kept = await keptOf(store, delivery.ws, missing);
    const known = await rowsOf(delivery._id, [
      ...kept.values(),
      ...ids.flatMap(absorbedOf),
      ...(delivery.merged ? page.ids : []),
    ]);
    /** They got it already under a service id that they had before. */
    const hasIt = (id: string): boolean => absorbedOf(id).some((other) => got.has(known.get(other)));
    const left = page.ids.filter((id) => !known.has(id) && !hasIt(id));
    const taken = new Set([...known.keys(), ...left, ...waiting.map(({ profile }) => profile)]);
    const isFirst = (id: string): boolean => !taken.has(id) && Boolean(taken.add(id));

    const fresh = left.flatMap((id) => {
      const to = kept.get(id);
      return to !== undefined && isFirst(to) ? [{ ...newRow(delivery, to, turn), due: now }] : [];
    });
    const second = (before: SendDocument): Again =>
      isListed(of.recipients)
        ? { before, row: judgedRow(before, { skipped: 'duplicate' }, now) }
        : { before };
    const again = waiting.flatMap((before): Again[] => {
      if (hasIt(before.profile)) return [second(before)];
      const to = kept.get(before.profile);
      if (to === undefined) return [];
      const row = { ...before, _id: `${delivery._id}/${to}`, profile: to, at: now, due: now };
      return isFirst(to) ? [{ before, row }] : [second(before)];
    });
    const moved = new Set(again.map(({ before }) => before._id));
    return {
      of: {
        ...of,
        page: { ...page, ids: left },
        waiting: waiting.filter(({ _id }) => !moved.has(_id)),
      },
      again,
      fresh,
    };
  };
};
