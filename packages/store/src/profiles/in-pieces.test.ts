import { createSignal } from '@roster/testkit';
import { createInPieces } from './in-pieces.ts';
import type { LoadBudget, LoadLimits } from './load-budget.ts';

const limits: LoadLimits = { ordinary: 100, large: 200, wholeUpTo: 10, mostPieces: 4 };

interface Asked {
  ws: string;
  bytes: number;
}

/** Takes the load of each request, and notes which requests came together. */
const loading = () => {
  const attempts: string[] = [];
  const apply = async (piece: readonly Asked[], newBudget: () => LoadBudget): Promise<void> => {
    attempts.push(piece.map(({ ws, bytes }) => `${ws}:${bytes}`).join(' '));
    const budget = newBudget();
    for (const { ws, bytes } of piece) {
      await new Promise(setImmediate);
      budget.take(ws, bytes);
    }
  };
  return { apply, attempts };
};

it('a single request that loads much is read once', async () => {
  const { apply, attempts } = loading();
  expect(await createInPieces({ limits })([{ ws: 'a', bytes: 150 }], apply)).toEqual(new Set());
  expect(attempts).toEqual(['a:150']);
});

it('a single request that loads little does not wait for one that loads much', async () => {
  const inPieces = createInPieces({ limits });
  const { apply, attempts } = loading();
  const mayEnd = createSignal();
  const large = inPieces([{ ws: 'a', bytes: 150 }], () => mayEnd.given);
  await inPieces([{ ws: 'b', bytes: 10 }], apply);
  expect(attempts).toEqual(['b:10']);
  mayEnd.give();
  await large;
});

it('of several that load much at once, the first is read once and the others wait for their turn', async () => {
  const inPieces = createInPieces({ limits });
  const { apply, attempts } = loading();
  await Promise.all(['a', 'b', 'c'].map((ws) => inPieces([{ ws, bytes: 150 }], apply)));
  expect(attempts.filter((one) => one === 'a:150')).toHaveLength(1);
  expect(attempts.filter((one) => one === 'b:150')).toHaveLength(2);
  expect(attempts.filter((one) => one === 'c:150')).toHaveLength(2);
});

it('a batch is cut by workspace, then in halves', async () => {
  const { apply, attempts } = loading();
  const batch = [
    { ws: 'a', bytes: 120 },
    { ws: 'a', bytes: 120 },
    { ws: 'b', bytes: 10 },
  ];
  await createInPieces({ limits })(batch, apply);
  expect(attempts).toEqual(['a:120 a:120 b:10', 'a:120 a:120', 'b:10', 'a:120 a:120', 'a:120', 'a:120']);
});
