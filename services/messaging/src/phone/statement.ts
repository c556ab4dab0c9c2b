/** STOP and START as statements of consent about the phone that said it: requests of the subscription rules like any other. */
import { phoneActions } from '@roster/contract';
import { type Consent, type ConsentState, contactHistory, groupKey, identityKey } from '@roster/profile';
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

/** By group. */
type States = ReadonlyMap<string, ConsentState | null>;

const submissionOf = ({ ws, phone, meaning, id }: PhoneStatement, states: States): Submission => {
  const subscription_groups = [...states].map(([subscription_group_id, subscription_state]) => ({
    subscription_group_id,
    subscription_state,
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

/** By register, the state that a STOP took from the phone, where nothing else was said since. `null`: there was none. */
const takenIn = (registers: readonly Consent[]): ReadonlyMap<string, ConsentState | null> => {
  const { stop } = phoneActions;
  const changes = contactHistory(registers);
  return new Map(
    registers.flatMap(({ k, op }) => {
      const change = changes.find((one) => one.k === k);
      const wasTaken = op === stop && change?.op === stop && change.to === 'unsubscribed';
      return wasTaken ? [[k, change.from] as const] : [];
    }),
  );
};

/** STOP leaves every group of text messages. START gives back the states that a STOP took, and no other ones: what a person left in another way they come back to in that way. */
export const createSay = ({ store, settingsOf, producer, fresh }: StatementParts): Say => {
  const statesOf = async ({ ws, phone, meaning }: PhoneStatement): Promise<States> => {
    const { subscription_groups } = await settingsOf(ws);
    const all = subscription_groups.flatMap(({ id, channel }) => (channel === 'sms' ? [id] : []));
    if (meaning === 'stop') return new Map(all.map((id) => [id, 'unsubscribed']));
    // A STOP may stand just before it.
    await fresh(ws);
    const key = identityKey(ws, { by: 'phone', phone });
    const taken = takenIn((await store.contactConsents.read([key])).get(key) ?? []);
    return new Map(
      all.flatMap((id) => {
        const state = taken.get(groupKey(id, 'sms'));
        return state === undefined ? [] : [[id, state] as const];
      }),
    );
  };

  return async (said) => {
    const states = await statesOf(said);
    return states.size === 0 ? 'applied' : commitTo(producer, submissionOf(said, states));
  };
};
