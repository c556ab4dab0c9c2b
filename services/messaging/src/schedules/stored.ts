/** A schedule as it is stored and shown. */
import {
  localTimeIn,
  type Messages,
  parseExact,
  present,
  type Recipients,
  Rejection,
  type Schedule,
} from '@roster/contract';
import type { ScheduleDocument, Session, Store } from '@roster/store';
import { assertLinkable } from '../centers/linked.ts';
import { assertUsable, type Named } from '../content/includes.ts';
import { enterSpace } from '../content/space.ts';

type Which = Pick<ScheduleDocument, 'ws' | '_id'>;

type Time = Pick<ScheduleDocument, 'time' | 'in_local_time' | 'at_optimal_time'>;

/** Local times in one form. */
export const timeOf = ({ time, in_local_time, at_optimal_time }: Schedule): Time => ({
  time: in_local_time || at_optimal_time ? (localTimeIn(time) ?? time) : time,
  ...(in_local_time && { in_local_time }),
  ...(at_optimal_time && { at_optimal_time }),
});

export const scheduleIn = ({ time, in_local_time, at_optimal_time }: Time): Schedule => ({
  time,
  ...present({ in_local_time, at_optimal_time }),
});

/** Audiences and messages may hold long whole numbers: `stringifyExact` has written them. */
export const recipientsOf = ({ recipients }: Pick<ScheduleDocument, 'recipients'>): Recipients =>
  parseExact(recipients) as Recipients;

export const messagesOf = ({ messages }: Pick<ScheduleDocument, 'messages'>): Messages =>
  parseExact(messages) as Messages;

/** In the transaction of the change: what the messages name is there when the schedule is stored. */
export const assertNamed = async (store: Store, session: Session, ws: string, named: Named) => {
  const { includes, centers } = named;
  await assertLinkable(store, session, { ws, centers }, 'MESSAGE_CENTER_UNKNOWN');
  // A deletion of a block at the same moment enters it as well: one of the two is tried again.
  if (includes.length > 0) await enterSpace(store, session, ws);
  await assertUsable(store, session, { ws, includes }, 'MESSAGE_BLOCK_UNKNOWN');
};

/** Read in the transaction that changes it, which ends it when its time comes at the same moment. */
export const knownSchedule = async ({ messages }: Store, session: Session, { ws, _id }: Which) => {
  const found = await messages.schedules.findOne({ _id, ws }, { session });
  if (!found) throw new Rejection('SCHEDULE_UNKNOWN');
  return found;
};

export const overOf = ({ state }: Pick<ScheduleDocument, 'state'>): Rejection =>
  new Rejection('SCHEDULE_OVER', { message: `The schedule can no longer be changed: it is ${state}` });
