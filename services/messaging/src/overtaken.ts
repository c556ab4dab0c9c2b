/** Whether a change comes so late that it would undo a later one. */
import type { AcceptedRequest } from '@roster/contract';

/** Changes that were accepted within so short a time may be made in any order: their callers wait for them at the same time. */
const raceMs = 5_000;

/** `changed`: the stamp of the last change that was made. */
export const isOvertaken = ({ at }: Pick<AcceptedRequest, 'at'>, changed: number): boolean =>
  changed > at && Date.now() - at / 1000 > raceMs;
