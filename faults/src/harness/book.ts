// The caller's book: what was sent, and what was accepted. Reconciliation starts from here.
import { type Answer, type Call, type Client, isAccepted, isPassing, requestIdOf } from './client.ts';
import { sleep } from './wait.ts';

export interface Book<Item> {
  accepted: Map<Item, string>;
  /** How often there was no answer, or one after which the caller may ask again. */
  again: number;
  /** What the last such answer said. */
  lastly?: string;
}

export const openBook = <Item>(): Book<Item> => ({ accepted: new Map(), again: 0 });

export interface Sendable {
  key: string;
  body: unknown;
}

/** Tells whether it was accepted; throws when it was refused for good. */
export const sendOnce = async <Item extends Sendable>(
  client: Client,
  book: Book<Item>,
  item: Item,
): Promise<boolean> => {
  const answer = await client.call({ body: item.body, idempotencyKey: item.key });
  if (isAccepted(answer)) book.accepted.set(item, requestIdOf(answer));
  else if (isPassing(answer)) {
    book.again++;
    book.lastly = `${answer.status}: ${answer.body.slice(0, 200)}`;
  } else throw new Error(`${item.key} was answered ${answer.status}: ${answer.body.slice(0, 200)}`);
  return isAccepted(answer);
};

const patienceMs = 300_000;

/** What a careful caller does: the same request with the same key, until it is accepted. */
export const sendUntilAccepted = async <Item extends Sendable>(
  client: Client,
  book: Book<Item>,
  item: Item,
): Promise<void> => {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (await sendOnce(client, book, item)) return;
    await sleep(250);
  }
  throw new Error(`${item.key} was never accepted`);
};

/** Likewise, until it is answered. */
export const insist = async ({ call }: Client, asked: Call): Promise<Answer> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await call({ timeoutMs: 20_000, ...asked });
    if (!isPassing(answer) || performance.now() > deadline) return answer;
    await sleep(100);
  }
};
