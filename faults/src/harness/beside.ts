// Small requests of another workspace, one after the other, while something goes on: how long each took until it was applied.
import { inUsualMs } from '../yardstick/usual-ms.ts';
import { type Answer, type Call, type Client, isAccepted } from './client.ts';
import { sleep } from './wait.ts';

export interface Beside {
  slowestMs: number;
  sent: number;
  /** Refused, without an answer, or answered before they were applied. */
  notApplied: number;
}

const promptMs = 2_000;
const everyMs = 100;
const patienceMs = 40_000;

/** Of a request that waits, by itself or because it was asked to. */
export const isApplied = (answer: Answer): boolean =>
  isAccepted(answer) && answer.status !== 202 && !answer.body.includes('"queued"');

/** Each call waits until it is applied. */
export const callBeside = async (
  client: Client,
  callOf: (n: number) => Call,
  meanwhile: Promise<unknown>,
): Promise<Beside> => {
  const answers: Answer[] = [];
  let goesOn = true;
  const over = meanwhile.finally(() => {
    goesOn = false;
  });
  for (let n = 0; goesOn; n++) {
    const call = callOf(n);
    const headers = { ...call.headers, prefer: 'wait=30' };
    answers.push(await client.call({ ...call, headers, timeoutMs: patienceMs }));
    await sleep(everyMs);
  }
  await over;
  return {
    slowestMs: Math.round(inUsualMs(Math.max(...answers.map(({ ms }) => ms)))),
    sent: answers.length,
    notApplied: answers.filter((answer) => !isApplied(answer)).length,
  };
};

export const latecomers = (who: string, { slowestMs, notApplied }: Beside): string[] => [
  ...(slowestMs > promptMs ? [`${who} of another workspace waited ${slowestMs} ms`] : []),
  ...(notApplied > 0 ? [`${notApplied} requests of another workspace were not applied: ${who}`] : []),
];
