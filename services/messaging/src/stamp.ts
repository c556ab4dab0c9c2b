/** Stamps and times of requests. */

import { type AcceptedRequest, parseTime } from '@roster/contract';
import { stampToDate } from '@roster/queue';

/** As answers show it. */
export const timeOf = (stamp: number): string => stampToDate(stamp).toISOString();

/** In a query a `+` that is not escaped is a space. */
const withZone = (sent: string): string => sent.replace(/ (\d\d:?\d\d)$/, '+$1');

/** In milliseconds; `undefined` when it is no time. */
export const queryTime = (sent: string): number | undefined => parseTime(sent) ?? parseTime(withZone(sent));

/** Changes that were accepted within so short a time may be made in any order: their callers wait for them at the same time. */
const raceMs = 5_000;

/** Whether a change comes so late that it would undo a later one. `changed`: the stamp of the last change that was made. */
export const isOvertaken = ({ at }: Pick<AcceptedRequest, 'at'>, changed: number): boolean =>
  changed > at && Date.now() - at / 1000 > raceMs;
