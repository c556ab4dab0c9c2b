/** Schedules that are due become deliveries, one for each channel: once, whoever else looks at them at the same moment. */
import { present, stringifyExact } from '@roster/contract';
import { type DeliveryDocument, expiryAfter, type ScheduleDocument, type Session } from '@roster/store';
import type { Tools } from '../handler.ts';
import { messagesOf } from '../schedules/stored.ts';

/** So many at once, and of large ones fewer. */
const most = { schedules: 500, bytes: 4 * 1024 * 1024 };

const noCounts = { waiting: 0, sending: 0, sent: 0, refused: 0, skipped: 0, unknown: 0 };

const deliveriesOf = (schedule: ScheduleDocument, now: Date): DeliveryDocument[] => {
  const { _id, ws, recipients, time, in_local_time, at_optimal_time, created, dispatch, due } = schedule;
  return Object.entries(messagesOf(schedule)).map(([name, message]) => {
    const channel = name as DeliveryDocument['channel'];
    return {
      _id: `${dispatch}/${channel}`,
      ws,
      lane: `${ws}/${channel}`,
      recipients,
      time,
      ...present({ in_local_time, at_optimal_time }),
      created,
      dispatch,
      schedule: _id,
      channel,
      message: stringifyExact(message),
      due: now,
      read: false,
      counts: { ...noCounts },
      began: now,
      planned: due ?? now,
    };
  });
};

export const createFire = ({ store, settingsOf }: Pick<Tools, 'store' | 'settingsOf'>) => {
  const { schedules, deliveries } = store.messages;

  const dueNow = async (now: Date, session: Session): Promise<ScheduleDocument[]> => {
    const cursor = schedules.find(
      { due: { $lte: now }, state: 'waiting' },
      { session, sort: { due: 1 }, limit: most.schedules },
    );
    const found: ScheduleDocument[] = [];
    let bytes = 0;
    for await (const schedule of cursor) {
      found.push(schedule);
      bytes += schedule.size;
      if (bytes >= most.bytes) break;
    }
    return found;
  };

  const isLate = async ({ ws, due }: ScheduleDocument, now: Date): Promise<boolean> => {
    const { messaging } = await settingsOf(ws);
    return due !== undefined && now.getTime() - due.getTime() > messaging.late_minutes * 60_000;
  };

  const miss = (ids: string[], now: Date, session: Session) =>
    schedules.updateMany(
      { _id: { $in: ids }, state: 'waiting' },
      { $set: { state: 'missed', ended: now, expires: expiryAfter(now) }, $unset: { due: 1 } },
      { session },
    );

  const begin = async (found: ScheduleDocument[], now: Date, session: Session): Promise<void> => {
    const fired = found.map((schedule) => ({ id: schedule._id, all: deliveriesOf(schedule, now) }));
    // Those that have as many deliveries are written in one step.
    for (const open of new Set(fired.map(({ all }) => all.length))) {
      const ids = fired.filter(({ all }) => all.length === open).map(({ id }) => id);
      await schedules.updateMany(
        { _id: { $in: ids }, state: 'waiting' },
        { $set: { state: 'sending', open }, $unset: { due: 1 } },
        { session },
      );
    }
    const all = fired.flatMap((one) => one.all);
    await deliveries.insertMany(all, { session });
  };

  /** Fires what is due, at most so much; says how many schedules it was. Read and written in one transaction: a change of a schedule at the same moment wins or comes too late. */
  return async (): Promise<number> => {
    const now = new Date();
    if (!(await schedules.findOne({ due: { $lte: now } }, { projection: { _id: 1 } }))) return 0;
    return store.transact(async (session) => {
      const found = await dueNow(now, session);
      const late = await Promise.all(found.map((schedule) => isLate(schedule, now)));
      const missed = found.flatMap(({ _id }, place) => (late[place] ? _id : []));
      const timely = found.filter((_, place) => !late[place]);
      if (missed.length > 0) await miss(missed, now, session);
      if (timely.length > 0) await begin(timely, now, session);
      return found.length;
    });
  };
};
