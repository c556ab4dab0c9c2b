// A caller who goes on until there is an answer, and keeps the book of what was accepted.
import { about } from '@roster/client';
import { routeOf } from '@roster/contract';
import type { Client } from './client.ts';
import { eachOf, inParts, sleep, until } from './wait.ts';

interface Accepted {
  id: string;
  body: Record<string, unknown>;
}

const patienceMs = 300_000;

/** Callers who come back at once are the harder ones. */
const pause = (): Promise<void> => sleep(100);

export const createCaller = ({ roster }: Pick<Client, 'roster'>, name: string) => {
  const accepted: string[] = [];
  let calls = 0;
  return {
    /** The same request with the same key until it is answered; throws when it is refused. */
    async post(path: string, body: object, options?: { wait?: number }): Promise<Accepted> {
      const route = routeOf('POST', path);
      if (!route) throw new Error(`${path} is no path of the interface`);
      const sent = { params: Object.values(route.params), body };
      const idempotencyKey = `${name}-${calls++}`;
      const answer = await roster.call(route.operation.id, sent, { pause, idempotencyKey, ...options });
      const id = about(answer)?.requestId ?? '';
      accepted.push(id);
      return { id, body: { ...answer } };
    },
    /** Resolves once an accepted request has taken effect. */
    async applied({ id }: Accepted): Promise<void> {
      const isApplied = async () =>
        (await roster.requests.read(id).catch(() => undefined))?.state === 'applied';
      if ((await until(patienceMs, isApplied)) === undefined)
        throw new Error(`the request ${id} was not applied`);
    },
    /** Ids of the accepted requests. */
    accepted,
  };
};

export type Caller = ReturnType<typeof createCaller>;

/** As many at once as a request takes. */
export const trackAll = ({ post }: Caller, attributes: readonly object[]): Promise<void> =>
  eachOf(inParts(attributes, 50), 8, async (some) => {
    await post('/users/track', { attributes: some });
  });
