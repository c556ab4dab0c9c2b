import { aDelivery, createSignal, until, useStore } from '@roster/testkit';
import { startLanes } from './lanes.ts';

const store = useStore();

/** Turns whose messages have left, or have not; none gets an answer before the end of the test. */
const started = (hasLeft: boolean) => {
  const turns: string[] = [];
  const { give: end, given: ended } = createSignal();
  const left = hasLeft ? Promise.resolve() : ended;
  const lanes = startLanes({
    store,
    fire: async () => 0,
    turns: {
      turn: async (lane) => {
        turns.push(lane);
        if (hasLeft) await store.messages.deliveries.deleteMany({ lane });
        return { isIdle: false, left, ended };
      },
      turnOf: async () => ({ isIdle: true, left, ended }),
    },
    onConvicted: () => {},
    onError: () => {},
    lookEveryMs: 10,
  });
  const stop = (): Promise<void> => {
    end();
    return lanes.stop();
  };
  return { turns, stop };
};

beforeEach(() => store.messages.deliveries.deleteMany({}));

test('a turn that only waits for answers holds up nobody', async () => {
  const others = Array.from({ length: 40 }, (_, n) => aDelivery({ ws: `w${n}` }));
  await store.messages.deliveries.insertMany(others);
  const { turns, stop } = started(true);
  await until(() => turns.length === 40);
  await stop();
});

test('turns of few workspaces leave a free one for the next workspace', async () => {
  const channels = ['email', 'webhook', 'sms', 'ios_push'] as const;
  const slow = ['a', 'b', 'c'];
  await store.messages.deliveries.insertMany(
    slow.flatMap((ws) => channels.map((channel) => aDelivery({ ws, channel }))),
  );
  const { turns, stop } = started(false);
  await until(() => turns.length >= 12);
  await store.messages.deliveries.insertOne(aDelivery({ ws: 'd', channel: 'email' }));
  await until(() => turns.includes('d/email'));
  for (const ws of slow)
    expect(turns.filter((lane) => lane.startsWith(`${ws}/`)).length).toBeLessThanOrEqual(8);
  await stop();
});
