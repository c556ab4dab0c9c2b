/** The parts of a batch (packages/batch) that belong to identity: bodies, rule and writes. */
import {
  type Apply,
  type BatchApplyOptions as BatchOptions,
  createApply as createBatch,
  type Work,
} from '@roster/batch';
import { type AcceptedRequest, isoTime } from '@roster/contract';
import {
  type IdentityKnown,
  type IdentityNeeds,
  type IdentityPlan,
  type IdentityRequest,
  planIdentity,
  usualProfileBytes,
} from '@roster/profile';
import { defaultOutcomeDays, type Store, settingsOfAll } from '@roster/store';
import { load, loadMore } from './load.ts';
import { identityRequest } from './operations.ts';
import { writePlan } from './write.ts';

export type { Applied, Apply, Entries } from '@roster/batch';

export interface IdentityApplyOptions extends BatchOptions {
  /** A stamp later than all stamps before it. */
  takeStamp(): Promise<number>;
  /** People were deleted: their rows can be removed. */
  onDeleted?(): void;
}

interface KnownAtMoment extends IdentityKnown {
  /** Taken together with the snapshot: everything visible in it was stamped before. */
  now: number;
}

type ReadyIdentity = Extract<IdentityPlan, { ready: true }>;
type IdentityWork = Work<IdentityRequest, KnownAtMoment, IdentityNeeds, ReadyIdentity>;

/** The settings of the workspaces of a batch. */
const settingsFor = async (store: Store, batch: readonly AcceptedRequest[]) => {
  const days = await settingsOfAll(batch, store.outcomeDaysOf);
  const profileBytes = await settingsOfAll(batch, store.profileBytesOf);
  const proof = await settingsOfAll(batch, store.keepsProofOf);
  return {
    daysOf: (ws: string): number => days.get(ws) ?? defaultOutcomeDays,
    mostBytesOf: (ws: string): number => profileBytes.get(ws) ?? usualProfileBytes,
    keepsProof: (ws: string): boolean => proof.get(ws) === true,
  };
};

const workOn =
  ({ store, takeStamp, onDeleted }: IdentityApplyOptions) =>
  async (batch: readonly AcceptedRequest[]): Promise<IdentityWork> => {
    const { daysOf, mostBytesOf, keepsProof } = await settingsFor(store, batch);
    return {
      daysOf,
      read: identityRequest,
      async load(session, requests, budget) {
        const known = await load(store, session, requests, budget);
        return { ...known, now: await takeStamp() };
      },
      async loadMore(session, known, needs, requests, budget) {
        return { ...(await loadMore(store, session, known, needs, requests, budget)), now: known.now };
      },
      plan: (requests, known) =>
        planIdentity({ requests, known, now: known.now, time: isoTime, mostBytesOf }),
      resultsOf: ({ outcomes }) => outcomes,
      write: (session, ready) => writePlan(store, session, { ...ready, daysOf, keepsProof }),
      committed: ({ sweeps }) => {
        if (sweeps.length > 0) onDeleted?.();
      },
    };
  };

export const createApply = (options: IdentityApplyOptions): Apply => createBatch(options, workOn(options));
