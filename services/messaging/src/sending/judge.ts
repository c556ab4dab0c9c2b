/** What becomes of one recipient now: it is sent, waits, or is skipped with a reason. */
import type { Channel, Halted } from '@roster/store';
import { type Address, addressesOf, type WantedDevices } from './addresses.ts';
import { kindOf } from './channel-kinds.ts';
import { hasAgreed, type WantedState } from './consent.ts';
import type { Recipient } from './people.ts';
import { type QuietHours, quietUntil } from './quiet-hours.ts';

type NoAddress = Extract<ReturnType<typeof addressesOf>, string>;

/** Why a listed name has no recipient of its own. */
export type Unreached = Halted | 'unknown' | 'duplicate' | 'not_in_audience' | 'deleted';

type Reason = Unreached | NoAddress | 'missed' | 'unsubscribed' | 'capped';

/** Why a recipient waits for a moment: it is their own one, or quiet hours end then. */
type Waits = 'planned' | 'quiet_hours';

export type JudgedRecipient =
  | { to: readonly Address[] }
  | { skipped: Reason }
  | { until: Date; waits: Waits };

/** What is the same for all recipients of a delivery. */
export interface Plan {
  channel: Channel;
  wantedState: WantedState;
  /** The subscription group of a text message. */
  group?: string;
  devices: WantedDevices;
  /** The moment of this person; absent where it is the same for all. */
  dueOf?(person: Recipient): Date;
  zoneOf(person: Recipient): string;
  quietHours?: QuietHours;
  mostLateMs: number;
}

const quietEnd = ({ channel, quietHours, zoneOf }: Plan, person: Recipient, at: Date): Date | undefined =>
  quietHours && kindOf[channel].disturbs ? quietUntil(at, quietHours, zoneOf(person)) : undefined;

interface Moment {
  until: Date;
  waits: Waits;
}

const quietMoment = (until: Date | undefined): Moment | undefined => until && { until, waits: 'quiet_hours' };

/** The moment of this person: the later of their own and the end of the quiet hours in which it lies. */
const momentOf = (plan: Plan, person: Recipient): Moment | undefined => {
  const due = plan.dueOf?.(person);
  return due && (quietMoment(quietEnd(plan, person, due)) ?? { until: due, waits: 'planned' });
};

/** Late is who was told to wait until a moment, or has one of their own, and it is long past. */
const isMissed = (moment: Date | undefined, waited: Date | undefined, now: Date, mostLateMs: number) =>
  moment !== undefined && now.getTime() - Math.max(moment.getTime(), waited?.getTime() ?? 0) > mostLateMs;

export const judge = (
  plan: Plan,
  person: Recipient,
  { now, isCapped, isRetry, waited }: { now: Date; isCapped: boolean; isRetry: boolean; waited?: Date },
): JudgedRecipient => {
  if (!hasAgreed(plan, person)) return { skipped: 'unsubscribed' };
  const to = addressesOf(plan.channel, person, plan.devices);
  if (typeof to === 'string') return { skipped: to };
  const moment = momentOf(plan, person);
  if (!isRetry && isMissed(moment?.until, waited, now, plan.mostLateMs)) return { skipped: 'missed' };
  const wait = moment && moment.until > now ? moment : quietMoment(quietEnd(plan, person, now));
  if (wait) return wait;
  return isCapped ? { skipped: 'capped' } : { to };
};
