// The workspace whose peers misbehave: it sends and syncs as much as it may, as long as its case is played.
import { dropDeliveries } from '../../costly/observe.ts';
import { tokenOf } from '../../harness/apns.ts';
import { createCaller, trackAll } from '../../harness/caller.ts';
import type { Client } from '../../harness/client.ts';
import type { System } from '../../harness/system.ts';
import { keepDoing } from '../../harness/wait.ts';
import type { Case } from './cases.ts';
import { messageRoad, type Place, type SyncRoad, syncRoad } from './roads.ts';

export const hostileId = 'hostile';

/** What costs others something should be how peers answer, not how much is sent to them: that is `noisy-neighbour`. */
const people = 80;
/** At once, and again after so long. */
const [schedules, againMs] = [2, 3_000];
const integrations = 3;

export interface Placed extends Case {
  place: Place;
}

export const settingsOf = (all: readonly Placed[]) => ({
  messaging: { webhook_private_hosts: true },
  subscription_groups: [{ id: 'texts', name: 'Texts', channel: 'sms' }],
  apps: all.flatMap(({ road, place }) => {
    const channels = messageRoad(road)?.channels?.(place);
    return channels ? [{ id: place.id, name: place.id, channels }] : [];
  }),
  integrations: {
    connections: all.flatMap(({ road, place }) => syncRoad(road)?.connection(place) ?? []),
  },
});

export const envOf = (all: readonly Placed[]): Record<string, string> =>
  Object.fromEntries(
    all.map(({ road, place }) => [
      place.credential,
      (messageRoad(road) ?? syncRoad(road))?.secret?.(place) ?? '',
    ]),
  );

/** As many as have a device in this app, or any contact. */
export const personOf = (plan: string, n: number, app?: string) => ({
  external_id: `${plan}-${n}`,
  plan,
  email: `${plan}-${n}@example.com`,
  phone: `+49151${String(n).padStart(8, '0')}`,
  subscription_groups: [{ subscription_group_id: 'texts', subscription_state: 'subscribed' }],
  ...(app !== undefined && { push_tokens: [{ app_id: app, token: tokenOf(n) }] }),
});

export const broadcastTo = (plan: string, messages: object) => ({
  broadcast: true,
  audience: { custom_attribute: { custom_attribute_name: 'plan', comparison: 'equals', value: plan } },
  schedule: { time: new Date().toISOString() },
  messages,
});

/** Gives what ends it. */
type Begin = () => Promise<() => Promise<unknown>>;

export const openHostile = async (system: System, client: Client, all: readonly Placed[]) => {
  const caller = createCaller(client, hostileId);
  const plans = ['all', ...all.flatMap((one) => (messageRoad(one.road)?.ownPeople ? [one.place.id] : []))];
  for (const plan of plans)
    await trackAll(
      caller,
      Array.from({ length: people }, (_, n) => personOf(plan, n, plan === 'all' ? undefined : plan)),
    );
  let sent = 0;

  const sending =
    ({ road, place }: Placed): Begin =>
    async () => {
      const found = messageRoad(road);
      const send = async (): Promise<void> => {
        sent += 1;
        const messages = found?.messages(place, sent) ?? {};
        await caller.post(
          '/messages/schedule/create',
          broadcastTo(found?.ownPeople ? place.id : 'all', messages),
        );
      };
      for (let n = 0; n < schedules; n += 1) await send();
      const stop = keepDoing(send, againMs);
      return async () => {
        await stop();
        await dropDeliveries(system, hostileId);
      };
    };

  const syncing =
    ({ place }: Placed, { table }: SyncRoad): Begin =>
    async () => {
      const ids: string[] = [];
      for (let n = 0; n < integrations; n += 1) {
        const body = { integration_name: `${place.id} ${n}`, connection: place.id, data: 'attributes' };
        const { body: made } = await caller.post('/cdi/integrations', { ...body, ...(table && { table }) });
        ids.push(String(made.integration_id));
      }
      // One that is running already is refused, which is well.
      const sync = () =>
        Promise.all(ids.map((id) => client.call({ path: `/cdi/integrations/${id}/sync`, body: {} })));
      await sync();
      const stop = keepDoing(sync, againMs);
      return async () => {
        await stop();
        for (const id of ids) await client.roster.call('cdi.integration_delete', { params: [id] });
      };
    };

  return {
    begin(one: Placed): ReturnType<Begin> {
      const road = syncRoad(one.road);
      return road ? syncing(one, road)() : sending(one)();
    },
  };
};
