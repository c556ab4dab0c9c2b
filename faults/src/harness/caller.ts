// A caller who goes on until there is an answer, and keeps the book of what was accepted.
import { about, RosterError } from '@roster/client';
import { operations } from '@roster/contract';
import { type Answer, type Client, requestIdOf } from './client.ts';
import { until } from './wait.ts';

export interface Caller {
  /** The same request with the same key until it is answered; throws when it is refused. */
  post(path: string, body: object, prefer?: string): Promise<Answer>;
  /** Resolves once an accepted request has taken effect. */
  applied(answer: Answer): Promise<void>;
  /** Ids of the accepted requests. */
  accepted: string[];
}

const patienceSeconds = 90;
const attemptSeconds = 40;

const ids = new Map(operations.filter(({ method }) => method === 'POST').map(({ path, id }) => [path, id]));

const answerOf = (answer: object, ms: number): Answer => {
  const { status = 0, requestId } = about(answer) ?? {};
  return { status, headers: { 'x-request-id': requestId }, body: JSON.stringify(answer), ms };
};

const worded = (path: string, error: unknown): Error => {
  if (!(error instanceof RosterError)) return new Error(`${path} was not answered`, { cause: error });
  const body = typeof error.body === 'string' ? error.body : JSON.stringify(error.body ?? error.message);
  return new Error(`${path} was answered ${error.status}: ${body.slice(0, 300)}`);
};

export const createCaller = ({ roster }: Client, name: string): Caller => {
  const accepted: string[] = [];
  let calls = 0;
  const post: Caller['post'] = async (path, body, prefer) => {
    const options = {
      idempotencyKey: `${name}-${calls++}`,
      timeout: attemptSeconds,
      retryFor: patienceSeconds,
      ...(prefer !== undefined && { headers: { prefer } }),
    };
    const began = performance.now();
    try {
      const said = await roster.call(ids.get(path) ?? path, { body }, options);
      const answer = answerOf(said, performance.now() - began);
      accepted.push(requestIdOf(answer));
      return answer;
    } catch (error) {
      throw worded(path, error);
    }
  };
  const applied: Caller['applied'] = async (accepting) => {
    const id = requestIdOf(accepting);
    const isApplied = async () => (await roster.requests.read(id)).state === 'applied';
    if ((await until(patienceSeconds * 1000, isApplied)) === undefined)
      throw new Error(`the request ${id} was not applied`);
  };
  return { post, applied, accepted };
};
