// Many schedules at once, written down as the interface writes them.
import type { Caller } from '../../harness/caller.ts';
import type { System } from '../../harness/system.ts';
import { until } from '../../harness/wait.ts';

export interface Schedule {
  _id: string;
  dispatch: string;
  state: string;
  messages: string;
  recipients: string;
  time: string;
  due?: Date;
}

export const schedulesOf = ({ mongo }: System) => mongo.collection<Schedule>('schedules');

/** Until none waits or is being sent, or it is enough; undefined when that takes longer. */
export const untilOver = (
  system: System,
  ms: number,
  isEnough = () => false,
): Promise<number | undefined> => {
  const open = { state: { $in: ['waiting', 'sending'] } };
  return until(ms, async () => isEnough() || (await schedulesOf(system).countDocuments(open)) === 0, 200);
};

export interface Planted {
  id: string;
  /** What the receiver gets. */
  body: string;
  due: Date;
}

const place = 'the text';

/** A webhook to Ada for each of them. One is made by a caller, the others are like it. */
export const plant = async (
  system: System,
  { post }: Caller,
  url: string,
  all: readonly Planted[],
): Promise<void> => {
  await post('/users/track', { attributes: [{ external_id: 'ada', first_name: 'Ada' }] });
  const { body: made } = await post('/messages/schedule/create', {
    external_user_ids: ['ada'],
    schedule: { time: '2036-01-01T00:00:00Z' },
    messages: { webhook: { url, request_method: 'POST', body: place } },
  });
  const schedules = schedulesOf(system);
  const one = await schedules.findOneAndDelete({ _id: String(made.schedule_id) });
  if (!one) throw new Error('the first schedule is not there');
  await schedules.insertMany(
    all.map(({ id, body, due }) => ({
      ...one,
      _id: id,
      // 32 hexadecimal digits, others for each id: a dispatch is sent once.
      dispatch: Buffer.from(id).toString('hex').padStart(32, '0').slice(-32),
      messages: one.messages.replace(place, body),
      time: due.toISOString(),
      due,
    })),
  );
  if (all.some(({ due }) => due.getTime() < Date.now()))
    throw new Error('they were not written down in time');
};
