/** STOP and START as statements of consent about the phone that said it: requests of the subscription rules like any other. */
import { phoneActions } from '@roster/contract';
import { type Consent, contactHistory, groupKey, identityKey } from '@roster/profile';
import type { Producer, Submission } from '@roster/queue';
import type { Store } from '@roster/store';
import { commitTo, type Submitting, subscriptionOf } from '../pages/submission.ts';
import type { SettingsOfSender } from '../sending/settings.ts';

interface PhoneStatement {
  ws: string;
  /** E.164. */
  phone: string;
  meaning: 'stop' | 'start';
  /** Of the answer: told again, it is applied once. */
  id?: string;
}

/** The provider says of a message that the person wants no more of them. Told again, it is applied once. */
export const optOutOf = (ws: string, phone: string, message: string | undefined): PhoneStatement => ({
  ...{ ws, phone, meaning: 'stop' },
  ...(message !== undefined && { id: `opted-out:${message}` }),
});

export type Say = (said: PhoneStatement) => Promise<Submitting>;

const submissionOf = ({ ws, phone, meaning, id }: PhoneStatement, groups: readonly string[]): Submission => {
  const subscription_groups = groups.map((subscription_group_id) => ({
    subscription_group_id,
    subscription_state: meaning === 'stop' ? ('unsubscribed' as const) : ('subscribed' as const),
    phones: [phone],
  }));
  const said = { subscription_groups, phone: phoneActions[meaning] };
  return subscriptionOf(ws, said, id === undefined ? id : () => `answer:${id}`);
};

interface StatementParts {
  store: Pick<Store, 'contactConsents'>;
  settingsOf: SettingsOfSender;
  producer: Pick<Producer, 'commit'>;
  /** Waits a moment until what the workspace sent before is applied. */
  fresh(ws: string): Promise<unknown>;
}

/** The groups that a STOP took from the phone, and of which nothing else was said since. */
const stoppedIn = (registers: readonly Consent[]): Set<string> => {
  const { stop } = phoneActions;
  const last = new Map(registers.map(({ k, op }) => [k, op]));
  const changes = contactHistory(registers);
  return new Set(
    registers.flatMap(({ k }) => {
      const change = changes.find((one) => one.k === k);
      const wasTaken = change?.op === stop && change.to === 'unsubscribed' && change.from !== null;
      return wasTaken && last.get(k) === stop ? [k] : [];
    }),
  );
};

/** STOP leaves every group of text messages. START goes back to those that a STOP took, and to no other ones: what a person left in another way they come back to in that way. */
export const createSay = ({ store, settingsOf, producer, fresh }: StatementParts): Say => {
  const groupsOf = async ({ ws, phone, meaning }: PhoneStatement): Promise<string[]> => {
    const { subscription_groups } = await settingsOf(ws);
    const all = subscription_groups.flatMap(({ id, channel }) => (channel === 'sms' ? [id] : []));
    if (meaning === 'stop') return all;
    // A STOP may stand just before it.
    await fresh(ws);
    const key = identityKey(ws, { by: 'phone', phone });
    const said = (await store.contactConsents.read([key])).get(key) ?? [];
    const stopped = stoppedIn(said);
    return all.filter((id) => stopped.has(groupKey(id, 'sms')));
  };

  return async (said) => {
    const groups = await groupsOf(said);
    return groups.length === 0 ? 'applied' : commitTo(producer, submissionOf(said, groups));
  };
};
