// What a push costs beside a webhook: both to everybody in an audience, each with the person's name, to servers that only answer.
import { tokenKey } from '@roster/profile';
import type { Store } from '@roster/store';
import { appleKey, openHttp2 } from '@roster/testkit';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { rateAndCpu } from '../cost-figures.ts';
import type { Figure } from '../figure.ts';
import { inTurns } from '../in-turns.ts';
import { introduce } from '../load/introduce.ts';
import { openStoreOf } from '../store.ts';
import { apnsKeyVariable } from '../system.ts';
import { allowSending, firstName, openReceiver, peopleOf, sendToAll, webhookTo } from './send-to-all.ts';

/** As many streams as APNs allows. */
const openApns = () =>
  openHttp2({
    maxConcurrentStreams: 1000,
    onStream(stream, headers) {
      stream.resume();
      stream.respond({ ':status': 200, 'apns-id': headers['apns-id'] });
      stream.end();
    },
  });

const appId = 'bench-ios';

const appWith = (url: string) => ({
  id: appId,
  name: 'Bench for iPhones',
  channels: { ios_push: { ...appleKey, key: { env: apnsKeyVariable }, url } },
});

/** A device for each. */
const giveTokens = async ({ profiles }: Store): Promise<void> => {
  let n = 0;
  let writes: Parameters<Store['profiles']['bulkWrite']>[0] = [];
  const write = async (): Promise<void> => {
    if (writes.length > 0) await profiles.bulkWrite(writes);
    writes = [];
  };
  for await (const { _id } of profiles.find<{ _id: string }>({}, { projection: { _id: 1 } })) {
    const token = (n++).toString(16).padStart(64, '0');
    const k = tokenKey(appId, token);
    const items = [{ k, v: { app_id: appId, token }, at: 1 }];
    const $set = { 'lists.push_tokens': { items }, token_keys: [k] };
    writes = [...writes, { updateOne: { filter: { _id }, update: { $set } } }];
    if (writes.length === 1000) await write();
  }
  await write();
};

const measure = async (setting: Setting): Promise<Figure[]> => {
  await introduce(setting, peopleOf(setting));
  const store = await openStoreOf(setting);
  const [receiver, apns] = [await openReceiver(), await openApns()];
  setting.atEnd(receiver.close);
  setting.atEnd(apns.close);
  await allowSending(setting, store, { apps: [appWith(apns.url)] });
  await giveTokens(store);
  const { runs, system } = setting;
  const sending = (messages: object) => () =>
    costOf(system.allPids(), () => sendToAll(setting, store, messages));
  const pairs = await inTurns<Cost, Cost>(runs, {
    ours: sending({ ios_push: { alert: `Hello ${firstName}` } }),
    bare: sending(webhookTo(receiver.url)),
  });
  return rateAndCpu({
    yardstick: 'a webhook',
    pairs,
    rate: { work: 'recipients of pushes a second, one device each', bar: { atLeast: 1 } },
    cpu: { work: 'CPU a recipient of a push, everything but APNs', bar: { atMost: 1.5 } },
  });
};

export const pushes: Bench = { name: 'pushes', measure };
