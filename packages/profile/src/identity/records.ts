/** Lists that grow with the entries of a batch of identity requests. */
import type { ConsentChange } from '../consent-history.ts';
import type { LeftBehind } from '../merge/left-behind.ts';
import type { Stamp } from '../profile.ts';

/**
 * Rows to remove because they belong to no person any more.
 *
 * @public The declarations of world.ts name it.
 */
export interface Sweep {
  ws: string;
  /** Service ids under which events and purchases were stored. */
  profiles: string[];
  /** Identity keys that only this person had. */
  keys: string[];
  /** Identity keys of the emails and phones that the person had before. */
  former: string[];
  /** Later statements about these contacts belong to other people. */
  at: Stamp;
  /** Requests up to this stamp are about this person; without it, all requests up to now. */
  until?: Stamp;
  /** All changes of their consent; empty when nothing has to be proved. */
  history: readonly ConsentChange[];
}

/** Lists that grow with the entries of a batch. */
export const createRecords = () => {
  const sweeps: Sweep[] = [];
  const lost: LeftBehind[] = [];

  return {
    sweeps,

    sweep(sweep: Sweep): void {
      sweeps.push(sweep);
    },

    /** Values that an entry leaves behind. */
    leave(all: readonly LeftBehind[]): void {
      for (const one of all) lost.push(one);
    },

    /** Values that were left behind since the last call. */
    takeLost: (): LeftBehind[] => lost.splice(0),
  };
};
