/** Texts that become large are held a few at a time, while those before them are being sent. */
import { createSignal } from '@roster/testkit';
import { createHeldTexts, type HeldLimits, type HeldTexts } from './held-texts.ts';
import { always, crowd, person, toWebhook, useSending } from './testbed.ts';

const { store, start, addAll, settled, claim } = useSending();

const megabyte = 1024 * 1024;
const limits = { turn: 8 * megabyte, workspace: 16 * megabyte, process: 64 * megabyte, steps: 2_000_000 };
const outOfReach: HeldLimits = {
  turn: 1024 * megabyte,
  workspace: 1e12,
  process: 1e12,
  steps: Number.MAX_SAFE_INTEGER,
};

/** 10 KB that become 200,000 letters. */
const grows = `{% for i in (1..20) %}${'x'.repeat(10_000)}{% endfor %}`;

/** Sends six schedules, and lets nothing go out before the next turn has to wait, or all is written. Tells the most bytes that were held. */
const mostHeld = async (texts: HeldTexts): Promise<number> => {
  await store.profiles.insertMany(crowd(50));
  let [most, handed] = [0, 0];
  const go = createSignal();
  const watched: HeldTexts = {
    ...texts,
    turn(of) {
      const held = texts.turn(of);
      const enter = (): Promise<void> => {
        let isWaiting = true;
        setImmediate(() => isWaiting && go.give());
        return held.enter().finally(() => (isWaiting = false));
      };
      return { ...held, enter };
    },
  };
  const sent: string[] = [];
  start(
    async (_ws, _channel, _to, { id, content }) => {
      expect(String(content.body)).toHaveLength(200_000);
      sent.push(id);
      most = Math.max(most, texts.bytes());
      if (++handed === 100) go.give();
      await go.given;
      return { state: 'sent' };
    },
    { texts: watched },
  );
  await addAll(6, toWebhook(grows));
  await settled();
  expect([sent.length, new Set(sent).size]).toEqual([300, 300]);
  expect(texts.bytes()).toBe(0);
  return most;
};

it('a turn leaves to the next one whom it has no room for, and everybody gets it once', async () => {
  const texts = createHeldTexts(limits);
  // A series and the person who ends it may go beyond the bound.
  expect(await mostHeld(texts)).toBeLessThan(limits.workspace + 4 * megabyte);
});

it('without bounds far more would be held', async () => {
  expect(await mostHeld(createHeldTexts(outOfReach))).toBeGreaterThan(40 * megabyte);
});

it('a turn looks at few more deliveries than the one before had room for', async () => {
  await store.profiles.insertOne(person(1));
  await claim('u1', 'p1');
  let looks = 0;
  const ownersOf: typeof store.ownersOf = (...asked) => {
    looks += 1;
    return store.ownersOf(...asked);
  };
  start(always({ state: 'sent' }), {
    store: { ...store, ownersOf },
    texts: createHeldTexts({ ...outOfReach, steps: 1_000 }),
  });
  const costly = toWebhook('{% for i in (1..200) %}x{% endfor %}');
  const recipients = JSON.stringify({ external_user_ids: ['u1'] });
  await addAll(60, costly, { recipients });
  await settled();
  expect(await store.messages.sends.countDocuments({ state: 'sent' })).toBe(60);
  // A turn has room for about five. Where it looked at all that are left, these were 630.
  expect(looks).toBeLessThan(200);
});

describe('room for texts', () => {
  it('one workspace has a share of it, and another one goes on', async () => {
    const texts = createHeldTexts({ turn: 10, workspace: 20, process: 30, steps: 5 });
    const [first, second, third] = [texts.turn('loud'), texts.turn('loud'), texts.turn('loud')];
    await first.enter();
    await second.enter();
    let isOpen = false;
    const opening = third.enter().then(() => (isOpen = true));
    const other = texts.turn('quiet');
    await other.enter();
    expect(isOpen).toBe(false);
    first.add({ bytes: 3, steps: 1 });
    first.settle();
    expect([texts.bytes(), isOpen]).toEqual([23, false]);
    first.close();
    other.close();
    await opening;
    second.close();
    expect(texts.bytes()).toBe(10);
    third.close();
    expect(texts.bytes()).toBe(0);
  });

  it('a turn is full by its bytes or by its steps', async () => {
    const texts = createHeldTexts({ ...limits, steps: 5 });
    const [bytes, steps] = [texts.turn('a'), texts.turn('a')];
    expect([bytes.hasRoom(), steps.hasRoom()]).toEqual([true, true]);
    bytes.add({ bytes: 6 * megabyte, steps: 0 });
    steps.add({ bytes: 0, steps: 5 });
    expect([bytes.hasRoom(), steps.hasRoom()]).toEqual([false, false]);
  });
});
