/** The hour at which a person is usually there: that of most of their events in the last 30 days. */
import { ownersIn, type Profile } from '@roster/profile';
import type { DeliveryDocument, Store } from '@roster/store';
import { momentIn } from '../schedules/times.ts';

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;
const days = 30;
/** Of a person with more events the latest ones tell. */
const mostEvents = 500;

/** Of everybody with an event: how many in each hour of the day, UTC. */
export const createReadHours =
  ({ events }: Pick<Store, 'events'>) =>
  async (people: readonly Profile[], now: Date): Promise<Map<string, number[]>> => {
    const owners = ownersIn(people);
    const hours = new Map<string, number[]>();
    const since = new Date(now.getTime() - days * dayMs);
    for await (const { profile, time } of events.latest([...owners.keys()], since, mostEvents)) {
      const owner = owners.get(profile) ?? profile;
      const counts = hours.get(owner) ?? new Array<number>(24).fill(0);
      counts[time.getUTCHours()] = (counts[time.getUTCHours()] ?? 0) + 1;
      hours.set(owner, counts);
    }
    return hours;
  };

type When = Pick<DeliveryDocument, 'time'>;

/** The moment on the day of the schedule, in the person's time zone; without events the time of the schedule. */
export const optimalDue = (when: When, timeZone: string, hours: readonly number[] | undefined): Date => {
  const usual = momentIn(when.time, timeZone);
  if (!hours) return usual;
  const best = hours.indexOf(Math.max(...hours));
  const midnight = momentIn(`${when.time.slice(0, 10)}T00:00:00`, timeZone);
  const first = Math.ceil(midnight.getTime() / hourMs) * hourMs;
  const wait = (best - new Date(first).getUTCHours() + 24) % 24;
  return new Date(first + wait * hourMs);
};
