/** POST /messages/schedule/create, /update and /delete. */
import {
  type ChangedSchedule,
  type NewSchedule,
  Rejection,
  recipientsIn,
  type ScheduleDeletion,
} from '@roster/contract';
import type { ScheduleDocument, Session, Store } from '@roster/store';
import type { Change } from '../handler.ts';
import { isOvertaken } from '../overtaken.ts';
import { expiryAfter } from '../sending/end.ts';
import { idFrom } from '../stamp.ts';
import { assertAudience, assertVariations, dueFrom, includesIn } from './check.ts';
import { assertBlocks, recipientsOf, timeOf, waitingSchedule } from './stored.ts';

/** Of one workspace. */
const mostWaiting = { schedules: 20_000, bytes: 256 * 1024 * 1024 };

const success = { message: 'success' };

/** From the index alone. Two requests at the same moment may go a little beyond it. */
const assertRoom = async (
  { messages }: Pick<Store, 'messages'>,
  session: Session,
  ws: string,
): Promise<void> => {
  const [waiting] = await messages.schedules
    .aggregate<{ n: number; bytes: number }>(
      [
        // A range of dates is counted in the index alone; for `$exists` each schedule would be read.
        { $match: { ws, due: { $gt: new Date(0) } } },
        { $group: { _id: null, n: { $sum: 1 }, bytes: { $sum: '$size' } } },
      ],
      { session, hint: 'by_workspace' },
    )
    .toArray();
  if (!waiting) return;
  if (waiting.n >= mostWaiting.schedules || waiting.bytes >= mostWaiting.bytes)
    throw new Rejection('SCHEDULES_FULL');
};

const sizeOf = (messages: string, recipients: string): number => messages.length + recipients.length;

export const createSchedule: Change = async (request, { store, liquid, settingsOf }) => {
  const { id, ws, at, by } = request;
  const body = request.body as NewSchedule;
  await assertAudience(settingsOf, ws, body);
  assertVariations(body, body.messages);
  const includes = await includesIn(liquid, body.messages);
  const [recipients, messages] = [JSON.stringify(recipientsIn(body)), JSON.stringify(body.messages)];
  const schedule: ScheduleDocument = {
    _id: idFrom('schedule', id),
    ws,
    dispatch: idFrom('dispatch', id).replaceAll('-', ''),
    recipients,
    ...(body.broadcast && { broadcast: true }),
    ...timeOf(body.schedule),
    messages,
    size: sizeOf(messages, recipients),
    state: 'waiting',
    due: dueFrom(body.schedule, request),
    created: at,
    changed: at,
    ...(by !== undefined && { by }),
  };
  return async (session) => {
    await assertRoom(store, session, ws);
    await assertBlocks(store, session, { ws, includes });
    await store.messages.schedules.insertOne(schedule, { session });
    return { dispatch_id: schedule.dispatch, schedule_id: schedule._id, ...success };
  };
};

export const updateSchedule: Change = async (request, { store, liquid }) => {
  const { ws, at, by } = request;
  const { schedule_id: _id, schedule, messages } = request.body as ChangedSchedule;
  const includes = messages ? await includesIn(liquid, messages) : [];
  const time = schedule && { ...timeOf(schedule), due: dueFrom(schedule, request) };
  return async (session) => {
    const before = await waitingSchedule(store, session, { ws, _id });
    if (isOvertaken(request, before.changed)) throw new Rejection('SCHEDULE_OVERTAKEN');
    if (messages) assertVariations(recipientsOf(before), messages);
    await assertBlocks(store, session, { ws, includes });
    const written = messages && JSON.stringify(messages);
    await store.messages.schedules.updateOne(
      { _id, state: 'waiting' },
      {
        $set: {
          changed: Math.max(before.changed, at),
          ...(by !== undefined && { by }),
          ...time,
          ...(written && { messages: written, size: sizeOf(written, before.recipients) }),
        },
        // What is left out goes back to its default.
        ...(time && {
          $unset: {
            ...(!time.in_local_time && { in_local_time: 1 as const }),
            ...(!time.at_optimal_time && { at_optimal_time: 1 as const }),
          },
        }),
      },
      { session },
    );
    return success;
  };
};

export const deleteSchedule: Change = async (request, { store }) => {
  const { ws, at, by } = request;
  const { schedule_id: _id } = request.body as ScheduleDeletion;
  return async (session) => {
    await waitingSchedule(store, session, { ws, _id });
    const now = new Date();
    await store.messages.schedules.updateOne(
      { _id, state: 'waiting' },
      {
        $set: {
          state: 'cancelled',
          changed: at,
          ...(by !== undefined && { by }),
          ended: now,
          expires: expiryAfter(now),
        },
        $unset: { due: 1 },
      },
      { session },
    );
    return success;
  };
};
