/** One name of a subscription request, with its new state. */
import { identityKey } from '../identity-key.ts';
import type { Origin } from '../plan/item.ts';
import type { ConsentState } from '../profile.ts';

/** One name of a request, with its new state. */
export interface Statement {
  array: 'external_ids' | 'service_ids' | 'emails' | 'phones';
  name: string;
  /** Id of the subscription group; without one the statement is about all emails to the person. */
  group?: string;
  state: ConsentState;
  /** Of the group. */
  channel: 'email' | 'sms';
}

export interface SubscriptionRequest extends Origin {
  statements: readonly Statement[];
}

const identifiers = {
  external_ids: (id: string) => ({ by: 'external_id', id }) as const,
  service_ids: (id: string) => ({ by: 'service_id', id }) as const,
  emails: (email: string) => ({ by: 'email', email }) as const,
  phones: (phone: string) => ({ by: 'phone', phone }) as const,
};

export const identifierOf = ({ array, name }: Statement) => identifiers[array](name);

export const isOfPerson = ({ array }: Statement): boolean =>
  array === 'external_ids' || array === 'service_ids';

export const contactKeyOf = (ws: string, statement: Statement): string | undefined =>
  isOfPerson(statement) ? undefined : identityKey(ws, identifierOf(statement));

export const personKeyOf = (ws: string, statement: Statement): string | undefined =>
  isOfPerson(statement) ? identityKey(ws, identifierOf(statement)) : undefined;
