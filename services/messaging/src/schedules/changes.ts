/** POST /messages/schedule/create, /update and /delete. */
import {
  type ChangedSchedule,
  type NewSchedule,
  Rejection,
  recipientsIn,
  type ScheduleDeletion,
} from '@roster/contract';
import type { ScheduleDocument } from '@roster/store';
import type { Change } from '../handler.ts';
import { expiryFrom } from '../sending/fire.ts';
import { idFrom } from '../stamp.ts';
import { assertAudience, dueFrom, includesIn } from './check.ts';
import { assertBlocks, timeOf, waitingSchedule } from './stored.ts';

/** Of one workspace. */
const mostWaiting = 20_000;

const success = { message: 'success' };

export const createSchedule: Change = async (request, { store, liquid, settingsOf }) => {
  const { id, ws, at, by } = request;
  const body = request.body as NewSchedule;
  await assertAudience(settingsOf, ws, body);
  const includes = await includesIn(liquid, body.messages);
  const schedule: ScheduleDocument = {
    _id: idFrom('schedule', id),
    ws,
    dispatch: idFrom('dispatch', id).replaceAll('-', ''),
    recipients: JSON.stringify(recipientsIn(body)),
    ...timeOf(body.schedule),
    messages: JSON.stringify(body.messages),
    state: 'waiting',
    due: dueFrom(body.schedule, request),
    created: at,
    changed: at,
    ...(by !== undefined && { by }),
  };
  return async (session) => {
    const { schedules } = store.messages;
    const waiting = { ws, due: { $exists: true } };
    if ((await schedules.countDocuments(waiting, { session, limit: mostWaiting })) >= mostWaiting)
      throw new Rejection('SCHEDULES_FULL');
    await assertBlocks(store, session, { ws, includes });
    await schedules.insertOne(schedule, { session });
    return { dispatch_id: schedule.dispatch, schedule_id: schedule._id, ...success };
  };
};

export const updateSchedule: Change = async (request, { store, liquid }) => {
  const { ws, at, by } = request;
  const { schedule_id: _id, schedule, messages } = request.body as ChangedSchedule;
  const includes = messages ? await includesIn(liquid, messages) : [];
  const time = schedule && { ...timeOf(schedule), due: dueFrom(schedule, request) };
  return async (session) => {
    await waitingSchedule(store, session, { ws, _id });
    await assertBlocks(store, session, { ws, includes });
    await store.messages.schedules.updateOne(
      { _id, state: 'waiting' },
      {
        $set: {
          changed: at,
          ...(by !== undefined && { by }),
          ...time,
          ...(messages && { messages: JSON.stringify(messages) }),
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
          expires: expiryFrom(now),
        },
        $unset: { due: 1 },
      },
      { session },
    );
    return success;
  };
};
