// What the processes hold in memory while a webhook is sent to everybody, among ever more people.
import type { Bench, Setting } from '../bench.ts';
import { watchMemory } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { introduce } from '../load/introduce.ts';
import { openStoreOf } from '../store.ts';
import { allowSending, openReceiver, sendToAll, webhookTo } from './send-to-all.ts';

const measure = async (setting: Setting): Promise<Figure[]> => {
  const { system, say, quick, atEnd, mostPeople: most = quick ? 20_000 : 1_000_000 } = setting;
  const store = await openStoreOf(setting);
  const { url, close } = await openReceiver();
  atEnd(close);
  await allowSending(setting, store);
  const figures: Figure[] = [];
  let from = 0;
  for (const count of [most / 100, most / 10, most]) {
    await introduce(setting, { prefix: 'crowd-', count }, from);
    const stop = watchMemory(system.servicePids());
    const began = performance.now();
    const sent = await sendToAll(setting, store, webhookTo(url));
    const seconds = (performance.now() - began) / 1_000;
    const { sender = 0, ...others } = stop();
    say(`${sent} recipients in ${Math.round(seconds)} s: ${Math.round(sender)} MB`);
    figures.push({
      work: `memory of the sender, a broadcast to ${sent.toLocaleString('en')}`,
      unit: 'MB',
      bar: { atMost: 250 },
      runs: [sender],
      detail: { ...others, 'a second': sent / seconds },
    });
    from = count;
  }
  return figures;
};

export const broadcast: Bench = { name: 'broadcast', measure };
