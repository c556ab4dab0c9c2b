/** POST /messages/schedule/create, /update and /delete, and POST /messages/send. */
import { changeTo } from '@roster/batch';
import {
  type AcceptedRequest,
  type BodyFor,
  type NewSchedule,
  type NewSending,
  type Recipients,
  Rejection,
  recipientsIn,
  stringifyExact,
} from '@roster/contract';
import { idFrom, listedIn, type ScheduleDocument, type Session, type Store } from '@roster/store';
import type { Named } from '../content/includes.ts';
import type { ContentChange, Tools } from '../handler.ts';
import { isOvertaken } from '../stamp.ts';
import { assertAudience, assertCard, assertEmail, assertVariations, dueFrom, namedIn } from './check.ts';
import { assertNamed, knownSchedule, messagesOf, overOf, recipientsOf, timeOf } from './stored.ts';

/** Of one workspace. */
const mostWaiting = { schedules: 20_000, bytes: 256 * 1024 * 1024 };

const success = { message: 'success' };

/** From the index alone. Two requests at the same moment may go a little beyond it. */
const assertRoom = async ({ messages }: Pick<Store, 'messages'>, session: Session, ws: string) => {
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

interface Plan {
  recipients: Recipients;
  /** By channel. */
  messages: object;
  named: Named;
  time: Pick<ScheduleDocument, 'time' | 'in_local_time' | 'at_optimal_time'>;
  due: Date;
}

const scheduleOf = (
  { id, ws, at, by }: AcceptedRequest,
  { due, time, ...plan }: Plan,
  { tombstones: { digestOf } }: Store,
): ScheduleDocument => {
  const [recipients, messages] = [stringifyExact(plan.recipients), stringifyExact(plan.messages)];
  const listed = listedIn(ws, plan.recipients).map(digestOf);
  return {
    _id: idFrom('schedule', id),
    ws,
    dispatch: idFrom('dispatch', id).replaceAll('-', ''),
    recipients,
    ...(listed.length > 0 && { listed }),
    ...(plan.recipients.broadcast && { broadcast: true }),
    ...time,
    messages,
    ...(plan.named.includes.length > 0 && { includes: [...plan.named.includes] }),
    size: sizeOf(messages, recipients),
    state: 'waiting',
    due,
    created: at,
    changed: at,
    ...(by !== undefined && { by }),
  };
};

/** Stores a schedule that the request asks for, if the workspace has room for it. */
export const storeSchedule =
  (request: AcceptedRequest, plan: Plan, store: Store) =>
  async (session: Session): Promise<ScheduleDocument> => {
    const { ws } = request;
    const schedule = scheduleOf(request, plan, store);
    await assertRoom(store, session, ws);
    await assertNamed(store, session, ws, plan.named);
    await store.models.schedules.insertOne(schedule, { session });
    return schedule;
  };

/** A schedule whose time is that of the request. */
export const atOnce = ({ at }: AcceptedRequest): Pick<Plan, 'time' | 'due'> => {
  const due = new Date(Math.floor(at / 1000));
  return { time: { time: due.toISOString() }, due };
};

const checked = async (request: AcceptedRequest, tools: Tools, when: Pick<Plan, 'time' | 'due'>) => {
  const { messages, ...body } = request.body as NewSending;
  const { store } = tools;
  await assertAudience(tools, request.ws, body);
  assertVariations(body, messages);
  assertCard(messages, when.due);
  const named = await namedIn(tools, request.ws, messages, ['messages']);
  await assertEmail(tools, request.ws, messages);
  const plan = { recipients: recipientsIn(body), messages, named, ...when };
  return { store: storeSchedule(request, plan, store), told: named.told };
};

export const createSchedule: ContentChange = async (request, tools) => {
  const { schedule } = request.body as NewSchedule;
  const when = { time: timeOf(schedule), due: dueFrom(schedule, request) };
  const { store, told } = await checked(request, tools, when);
  return async (session) => {
    const { _id, dispatch } = await store(session);
    return { dispatch_id: dispatch, schedule_id: _id, ...success, ...told };
  };
};

export const sendMessages: ContentChange = async (request, tools) => {
  const { store, told } = await checked(request, tools, atOnce(request));
  return async (session) => ({ dispatch_id: (await store(session)).dispatch, ...success, ...told });
};

/** What is left out goes back to its default. */
const untimed = { in_local_time: undefined, at_optimal_time: undefined };

export const updateSchedule: ContentChange = async (request, tools) => {
  const { store } = tools;
  const { ws, at, by } = request;
  const { schedule_id: _id, schedule, messages } = request.body as BodyFor<'messages.schedule.update'>;
  const named = messages && (await namedIn(tools, ws, messages, ['messages']));
  if (messages) await assertEmail(tools, ws, messages);
  const time = schedule && { ...timeOf(schedule), due: dueFrom(schedule, request) };
  return async (session) => {
    const before = await knownSchedule(store, session, { ws, _id });
    if (before.state !== 'waiting') throw overOf(before);
    if (isOvertaken(request, before.changed)) throw new Rejection('SCHEDULE_OVERTAKEN');
    if (messages) assertVariations(recipientsOf(before), messages);
    const due = time?.due ?? before.due;
    if (due) assertCard(messages ?? messagesOf(before), due);
    if (named) await assertNamed(store, session, ws, named);
    const written = messages && stringifyExact(messages);
    const includes = named && named.includes.length > 0 ? named.includes : undefined;
    await store.models.schedules.updateOne(
      { _id, state: 'waiting' },
      changeTo(
        { ...(time && { ...untimed, ...time }), ...(messages && { includes }) },
        {
          changed: Math.max(before.changed, at),
          by,
          ...(written && { messages: written, size: sizeOf(written, before.recipients) }),
        },
      ),
      { session },
    );
    return { ...success, ...named?.told };
  };
};

export const deleteSchedule: ContentChange = async (request, { store }) => {
  const { ws, at, by } = request;
  const { schedule_id: _id } = request.body as BodyFor<'messages.schedule.delete'>;
  return async (session) => {
    const found = await knownSchedule(store, session, { ws, _id });
    const stopping = { now: new Date(), changed: at, ...(by !== undefined && { by }) };
    if (!(await store.stopSchedule(session, found, stopping))) throw overOf(found);
    return success;
  };
};
