// A caller who goes on until there is an answer, and keeps the book of what was accepted.
import { type Answer, type Client, isAccepted, requestIdOf } from './client.ts';
import { sleep, until } from './wait.ts';

export interface Caller {
  /** The same request with the same key until it is answered; throws when it is refused. */
  post(path: string, body: object, prefer?: string): Promise<Answer>;
  /** Resolves once an accepted request has taken effect. */
  applied(answer: Answer): Promise<void>;
  /** Ids of the accepted requests. */
  accepted: string[];
}

const patienceMs = 300_000;

const isPassing = ({ status }: Answer): boolean => status === 0 || status === 503 || status === 429;

export const createCaller = (client: Client, name: string): Caller => {
  const accepted: string[] = [];
  let calls = 0;
  const post: Caller['post'] = async (path, body, prefer) => {
    const idempotencyKey = `${name}-${calls++}`;
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const headers = prefer === undefined ? {} : { prefer };
      const answer = await client.call({ path, body, idempotencyKey, headers, timeoutMs: 40_000 });
      if (isAccepted(answer)) {
        accepted.push(requestIdOf(answer));
        return answer;
      }
      if (!isPassing(answer) || performance.now() > deadline)
        throw new Error(`${path} was answered ${answer.status}: ${answer.body.slice(0, 300)}`);
      await sleep(100);
    }
  };
  const applied: Caller['applied'] = async (accepting) => {
    const path = `/requests/${requestIdOf(accepting)}`;
    const isApplied = async () => (await client.call({ path, method: 'GET' })).body.includes('"applied"');
    if ((await until(patienceMs, isApplied)) === undefined) throw new Error(`${path} was not applied`);
  };
  return { post, applied, accepted };
};
