/** A change of consent, as JSON and as a row of a table. */
import type { Servers } from '../servers.ts';
import { timeOfStamp } from '../shown.ts';

type Store = Awaited<ReturnType<Servers['store']>>;
type ChangeOfConsent = NonNullable<Awaited<ReturnType<Store['consentHistory']['find']>>>[number];

export type Change = ChangeOfConsent & { request?: string };

export const shown = ({ k, from, to, at, request, op }: Change) => ({
  consent: k,
  from,
  to,
  accepted_at: timeOfStamp(at),
  ...(request !== undefined && { request_id: request }),
  ...(op !== undefined && { operation: op }),
});

/** A change with the email or phone has no request. */
export const rowOf = ({ k, from, to, at, request = '-', op = '-' }: Change): string[] => [
  timeOfStamp(at),
  k,
  from ?? '-',
  to ?? 'removed',
  op,
  request,
];
