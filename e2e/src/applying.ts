/** Track, identity and subscription on one store, in this process: each request is accepted and applied when the test says so. */
import type { AcceptedRequest, OperationId } from '@roster/contract';
import { createApply as createIdentity } from '@roster/identity-service';
import { createApply as createSubscription } from '@roster/subscription-service';
import { accepted, createReading, later, useStore } from '@roster/testkit';
import { createSettingsOf, createApply as createTrack } from '@roster/track-service';

const families = ['track', 'subscription', 'identity'] as const;

export const familyOf = ({ op }: AcceptedRequest): (typeof families)[number] => {
  if (op.startsWith('users.track')) return 'track';
  return op.startsWith('subscription') ? 'subscription' : 'identity';
};

export const useApplying = () => {
  const store = useStore();
  let clock = 1_700_000_000_000_000;
  let made = 0;
  /** When identities take effect: at once. */
  let effective = 0;
  beforeAll(() =>
    store.workspaces.put({
      id: 'demo',
      subscription_groups: [
        { id: 'demo-news', name: 'News', channel: 'email' },
        { id: 'demo-texts', name: 'Texts', channel: 'sms' },
      ],
    } as { id: string }),
  );
  const services = {
    track: later(() => createTrack({ store, settingsOf: createSettingsOf(store) })),
    subscription: later(() => createSubscription({ store })),
    identity: later(() => createIdentity({ store, takeStamp: async () => effective })),
  };
  return {
    store,
    next: (): number => ++made,
    newId: (): string => `person-${++made}`,
    accept(op: OperationId, sent: object): AcceptedRequest {
      clock += 1000;
      return accepted(op, sent, clock);
    },
    /** What became of its entries. */
    async apply(request: AcceptedRequest): Promise<unknown> {
      const family = familyOf(request);
      if (family === 'identity') effective = request.at + 1;
      return (await services[family]([request]))[0]?.entries;
    },
    ...createReading(store),
  };
};
