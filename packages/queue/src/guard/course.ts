/** The next step after a failed batch: a rule without a clock or a database. */
import { mostTogether } from './evidence.ts';

/** Whether a retry can help: a conflict or a lost connection passes, a type error never does, a duplicate key or a timeout may come again. */
export type FailureClass = 'passing' | 'permanent' | 'unknown' | 'duplicate' | 'too long';

/**
 * About twenty seconds: each attempt has retried for five. After a lost race the next try reads the other transaction's document. A plan that
 * always repeats an insert fails again.
 */
const mostDuplicates = 4;

/** Too long with many, with few, and alone; or three times alone. */
const mostTooLong = 3;

/** For a reason that may be in the request. */
const mostAlone = 3;

/** How often a request failed before: together with others, and alone. */
export interface Failed {
  tooLong: number;
  duplicates: number;
  alone: number;
}

export const none: Failed = { tooLong: 0, duplicates: 0, alone: 0 };

const mayPass = (kind: FailureClass, { duplicates }: Failed): boolean =>
  kind === 'passing' || kind === 'too long' || (kind === 'duplicate' && duplicates < mostDuplicates);

/** What comes after a failure: another try, a smaller batch, another try of the request alone, or a dead letter. */
export const courseAfter = (
  kind: FailureClass,
  requests: number,
  { failed, patient, isWell }: { failed: Failed; patient: boolean; isWell: boolean },
): 'again' | 'few' | 'halves' | 'alone' | 'dead' => {
  if (kind === 'too long' && isWell) {
    if (requests > 1) return 'few';
    if (failed.tooLong >= mostTooLong) return 'dead';
  }
  if (patient && mayPass(kind, failed)) return 'again';
  if (requests > 1) return 'halves';
  return kind === 'permanent' || !patient || failed.alone + 1 >= mostAlone ? 'dead' : 'alone';
};

/** Halving takes too many attempts to find a request that takes too long. */
export const partSize = (course: 'few' | 'halves', requests: number): number => {
  if (course === 'halves') return Math.ceil(requests / 2);
  return requests > mostTogether ? mostTogether : 1;
};
