/** What becomes of one recipient now: it is sent, waits, or is skipped with a reason. */
import type { Channel } from '@roster/store';
import { addressOf } from './addresses.ts';
import { hasAgreed, type WantedState } from './consent.ts';
import type { Person } from './people.ts';
import { type QuietHours, quietUntil } from './quiet-hours.ts';

type Reason = 'deleted' | 'missed' | 'unsubscribed' | 'no_email' | 'capped';

export type Judged = { to: string } | { skipped: Reason } | { until: Date };

/** What is the same for all recipients of a delivery. */
export interface Plan {
  channel: Channel;
  wantedState: WantedState;
  /** The moment of this person; absent where it is the same for all. */
  dueOf?(person: Person): Date;
  zoneOf(person: Person): string;
  quietHours?: QuietHours;
  mostLateMs: number;
}

/** The later of its own moment and the end of the quiet hours; nothing when both have passed. Only an email disturbs. */
const waitsFor = (plan: Plan, person: Person, now: Date): Date | undefined => {
  const due = plan.dueOf?.(person);
  if (due && due > now) return due;
  if (!plan.quietHours || plan.channel !== 'email') return undefined;
  return quietUntil(now, plan.quietHours, plan.zoneOf(person));
};

const isMissed = ({ dueOf, mostLateMs }: Plan, person: Person, now: Date): boolean =>
  dueOf !== undefined && now.getTime() - dueOf(person).getTime() > mostLateMs;

export const judge = (
  plan: Plan,
  person: Person,
  { now, isCapped, isRetry }: { now: Date; isCapped: boolean; isRetry: boolean },
): Judged => {
  if (!hasAgreed(plan.channel, person, plan.wantedState)) return { skipped: 'unsubscribed' };
  const to = addressOf(plan.channel, person);
  if (to === undefined) return { skipped: 'no_email' };
  if (!isRetry && isMissed(plan, person, now)) return { skipped: 'missed' };
  const until = waitsFor(plan, person, now);
  if (until) return { until };
  return isCapped ? { skipped: 'capped' } : { to };
};
