// What it costs to send a message to everybody in an audience: webhooks with the person's name, to a server that only answers.
import { openStore, type Store } from '@roster/store';
import { openBareSend } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { cpuAgainst, rateAgainst } from '../cost-figures.ts';
import type { Figure } from '../figure.ts';
import { inTurns } from '../in-turns.ts';
import { introduce } from '../load/introduce.ts';
import { allowSending, openReceiver, peopleOf, sendToAll, webhookTo } from './send-to-all.ts';

const measureWith = async (setting: Setting, store: Store, url: string): Promise<Figure[]> => {
  const { system, runs } = setting;
  await allowSending(setting, store);
  const bare = openBareSend(system);
  const people = peopleOf(setting).count;
  try {
    const pairs = await inTurns<Cost, Cost>(runs, {
      ours: () => costOf(system.allPids(), () => sendToAll(setting, store, webhookTo(url))),
      bare: () => bare.ask({ url, people, page: 500, atOnce: 100 }),
    });
    const yardstick = 'a bare loop that posts and writes twice';
    return [
      rateAgainst({
        work: 'recipients of webhooks a second, each with their own text',
        yardstick,
        bar: { atLeast: 0.5 },
        pairs,
      }),
      cpuAgainst({
        work: 'CPU a recipient of a webhook, everything but the receiver',
        yardstick,
        bar: { atMost: 2.5 },
        pairs,
      }),
    ];
  } finally {
    await bare.stop();
  }
};

export const sends: Bench = {
  name: 'sends',
  async measure(setting) {
    await introduce(setting, peopleOf(setting));
    const store = await openStore({ url: setting.system.mongoUrl, appName: 'bench' });
    const { url, close } = await openReceiver();
    try {
      return await measureWith(setting, store, url);
    } finally {
      close();
      await store.close();
    }
  },
};
