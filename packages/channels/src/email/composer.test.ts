import { join } from 'node:path';
import { useThread } from '@roster/testkit';
import { openComposer } from './composer.ts';
import { aLetter } from './testbed.ts';

const script = useThread(join(__dirname, 'email-thread.ts'));

const letter = aLetter({ body: '<style>p { color: red }</style><p>Hi</p>', isInlined: true });

/** Almost as much work as an email may take. */
const costly = {
  ...letter,
  body: `<style>${'b:not(.x) { color: red }'.repeat(500)}</style>${'<b>x</b>'.repeat(1000)}`,
};

it('makes emails in its thread, which tells why one cannot be made', async () => {
  const composer = openComposer({ script: script() });
  const [made, refused] = await Promise.all([
    composer.compose(letter),
    composer.compose({ ...letter, body: '<b>'.repeat(300) }),
  ]);
  if (!made || 'fault' in made) throw new Error(made?.fault);
  expect(made).toMatchObject({
    id: '<d1-ada@shop.example>',
    envelope: { from: 'news@shop.example', to: ['ada@example.com'] },
  });
  expect(Buffer.from(made.bytes).toString()).toContain('\r\n<p style="color: red;">Hi</p>');
  expect(refused).toEqual({ fault: 'the HTML has tags more than 256 deep' });
  await composer.close();
});

it.each([
  [{ cpuMs: 1 }, 'the email takes too much time to make'],
  [{ heapMb: 12 }, 'the email takes too much memory to make'],
])(
  'an email beyond the limits of the thread is refused, and the next one gets its answer: %j',
  async (limits, fault) => {
    const composer = openComposer({ script: script(), limits });
    const all = [composer.compose(costly), composer.compose({ ...letter, body: 'x' })];
    expect(await Promise.all(all)).toEqual([{ fault }, expect.anything()]);
    await composer.close();
  },
);

it('an email whose turn comes too late is not made', async () => {
  const composer = openComposer({ script: script() });
  expect(await composer.compose(letter, { ws: 'a', until: performance.now() - 1 })).toBeUndefined();
  await composer.close();
});

it('many emails of one workspace wait for each other, those of others come in between, and each is charged', async () => {
  const order: string[] = [];
  const spent: number[] = [];
  const onSpent = (ws: string, cpuMs: number): void => {
    order.push(ws);
    spent.push(cpuMs);
  };
  const composer = openComposer({ script: script(), onSpent });
  const compose = (ws: string) => composer.compose(letter, { ws, until: Number.POSITIVE_INFINITY });
  await Promise.all(['a', 'a', 'a', 'a', 'b'].map(compose));
  expect(order).toEqual(['a', 'a', 'b', 'a', 'a']);
  expect(spent.every((cpuMs) => cpuMs > 0)).toBe(true);
  await composer.close();
});
