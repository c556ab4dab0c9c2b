// What it costs to send a message to everybody in an audience: webhooks with the person's name, to a server that only answers.
import { openBareSend } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { rateAndCpu } from '../cost-figures.ts';
import type { Figure } from '../figure.ts';
import { inTurns } from '../in-turns.ts';
import { introduce } from '../load/introduce.ts';
import { openStoreOf } from '../store.ts';
import { allowSending, openReceiver, peopleOf, sendToAll, webhookTo } from './send-to-all.ts';

const measure = async (setting: Setting): Promise<Figure[]> => {
  const { system, runs, atEnd } = setting;
  await introduce(setting, peopleOf(setting));
  const store = await openStoreOf(setting);
  const { url, close } = await openReceiver();
  atEnd(close);
  await allowSending(setting, store);
  const bare = openBareSend(setting);
  const people = peopleOf(setting).count;
  const pairs = await inTurns<Cost, Cost>(runs, {
    ours: () => costOf(system.allPids(), () => sendToAll(setting, store, webhookTo(url))),
    bare: () => bare({ url, people, page: 500, atOnce: 100 }),
  });
  return rateAndCpu({
    yardstick: 'a bare loop that posts and writes twice',
    pairs,
    rate: { work: 'recipients of webhooks a second, each with their own text', bar: { atLeast: 0.5 } },
    cpu: { work: 'CPU a recipient of a webhook, everything but the receiver', bar: { atMost: 2.5 } },
  });
};

export const sends: Bench = { name: 'sends', measure };
