// Sends what a genome describes: first its preparations, then the request itself.
import { operationById } from '@roster/contract';
import { sleep } from '../harness/wait.ts';
import { filledAll, type Genome, type Place, type Step, type Wire, wireOf } from './genome.ts';
import { pagePlaces } from './roads.ts';
import type { Reply, Sender } from './send.ts';
import type { Parts, Tokens } from './term.ts';

export const placeOf = (id: string): Place => {
  const found = pagePlaces[id] ?? operationById(id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
};

const membersIn = (body: string): Record<string, unknown> => (body.startsWith('{') ? JSON.parse(body) : {});

/** What later requests can refer to. */
const tokensOf = ({ body, headers }: Reply): Tokens => {
  const { id = '', preference_center_api_id: center, preference_center_url: url } = membersIn(body);
  return {
    id: String(center ?? id),
    // What stands for the person and the page in the URL of a preference center.
    link: String(url ?? '').replace(/^.*\//, ''),
    request: String(headers['x-request-id'] ?? ''),
  };
};

/** Schedules of one measurement are all due then. */
export const soonMs = 4_000;
export const soon = (): string => new Date(Date.now() + soonMs).toISOString();

/** No longer than a test may wait. */
const retryAfterMs = ({ headers }: Reply): number => Math.min(5, Number(headers['retry-after'] ?? 1)) * 1_000;

const isPutOff = ({ status }: Reply): boolean => status === 429 || status === 503;

/** Sends a preparation until it is taken or refused for good. */
const sendStep = async (sender: Sender, step: Step & { parts: Parts }, tokens: Tokens): Promise<Reply> => {
  const wire = wireOf(step, placeOf(step.operation), tokens);
  let reply = await sender.send(wire);
  for (let tries = 0; isPutOff(reply) && tries < 5; tries++) {
    await sleep(retryAfterMs(reply));
    reply = await sender.send(wire);
  }
  return reply;
};

export interface Prepared {
  tokens: Tokens;
  refusedSteps: number;
}

/** `made`: what is there already. */
export const prepare = async (
  sender: Sender,
  { before = [], parts = {} }: Genome,
  tokens: Tokens,
  made: Set<string>,
): Promise<Prepared> => {
  const prepared: Prepared = { tokens, refusedSteps: 0 };
  for (const step of before) {
    const key = JSON.stringify(step);
    if (made.has(key)) continue;
    if (step.once) made.add(key);
    for (let s = 0; s < step.times; s++) {
      const reply = await sendStep(sender, { ...step, parts }, { ...prepared.tokens, s: String(s) });
      if (reply.status < 200 || reply.status >= 300) prepared.refusedSteps++;
      prepared.tokens = { ...prepared.tokens, ...tokensOf(reply) };
    }
  }
  return prepared;
};

export interface Sent {
  reply: Reply;
  requests: number;
}

/** Sends it as often as asked, each sender one after the other. */
export const sendAll = async (
  sender: Sender,
  genome: Genome,
  wire: Wire,
  tokens: Tokens,
  times: number,
): Promise<Sent> => {
  const { senders = 1, heldBack = false, headers = {} } = genome;
  const replies: Reply[] = [];
  const sendFrom = async (own: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      const t = String(own * times + i);
      // The body is the same for all: only the headers may differ from sending to sending.
      const numbered = { ...wire, headers: filledAll(headers, { ...tokens, t }) };
      replies.push(await sender.send(numbered, heldBack));
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, own) => sendFrom(own)));
  const reply = replies.find(({ status }) => status >= 200 && status < 300) ?? replies[0];
  if (!reply) throw new Error('nothing was sent');
  return { reply, requests: replies.length };
};
