/** What becomes of one recipient now: it is sent, waits, or is skipped with a reason. */
import type { Channel, Halted } from '@roster/store';
import { type Address, addressesOf, type WantedDevices } from './addresses.ts';
import { kindOf } from './channel-kinds.ts';
import { hasAgreed, type WantedState } from './consent.ts';
import type { Person } from './people.ts';
import { type QuietHours, quietUntil } from './quiet-hours.ts';

type Reason =
  | Halted
  | 'deleted'
  | 'missed'
  | 'unsubscribed'
  | 'no_email'
  | 'no_phone'
  | 'no_device'
  | 'capped';

export type Judged = { to: readonly Address[] } | { skipped: Reason } | { until: Date };

/** What is the same for all recipients of a delivery. */
export interface Plan {
  channel: Channel;
  wantedState: WantedState;
  /** The subscription group of a text message. */
  group?: string;
  devices: WantedDevices;
  /** The moment of this person; absent where it is the same for all. */
  dueOf?(person: Person): Date;
  zoneOf(person: Person): string;
  quietHours?: QuietHours;
  mostLateMs: number;
}

/** The later of its own moment and the end of the quiet hours; nothing when both have passed. */
const waitsFor = (plan: Plan, person: Person, now: Date): Date | undefined => {
  const due = plan.dueOf?.(person);
  if (due && due > now) return due;
  if (!plan.quietHours || !kindOf[plan.channel].disturbs) return undefined;
  return quietUntil(now, plan.quietHours, plan.zoneOf(person));
};

const isMissed = ({ dueOf, mostLateMs }: Plan, person: Person, now: Date): boolean =>
  dueOf !== undefined && now.getTime() - dueOf(person).getTime() > mostLateMs;

export const judge = (
  plan: Plan,
  person: Person,
  { now, isCapped, isRetry }: { now: Date; isCapped: boolean; isRetry: boolean },
): Judged => {
  if (!hasAgreed(plan, person)) return { skipped: 'unsubscribed' };
  const to = addressesOf(plan.channel, person, plan.devices);
  if (typeof to === 'string') return { skipped: to };
  if (!isRetry && isMissed(plan, person, now)) return { skipped: 'missed' };
  const until = waitsFor(plan, person, now);
  if (until) return { until };
  return isCapped ? { skipped: 'capped' } : { to };
};
