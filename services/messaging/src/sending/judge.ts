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

export type JudgedRecipient = { to: readonly Address[] } | { skipped: Reason } | { until: Date };

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

/** The moment of this person: the later of their own and the end of the quiet hours in which it lies. */
const momentOf = (plan: Plan, person: Recipient): Date | undefined => {
  const due = plan.dueOf?.(person);
  return due && (quietEnd(plan, person, due) ?? due);
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
  if (!isRetry && isMissed(moment, waited, now, plan.mostLateMs)) return { skipped: 'missed' };
  const until = moment && moment > now ? moment : quietEnd(plan, person, now);
  if (until) return { until };
  return isCapped ? { skipped: 'capped' } : { to };
};
