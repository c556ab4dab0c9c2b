// Somebody else's small requests, one after the other, while something goes on: how long each took until it was applied.
import { type Answer, type Call, type Client, isAccepted } from './client.ts';
import { sleep } from './wait.ts';

export interface Beside {
  slowestMs: number;
  sent: number;
  refused: number;
}

/** What a caller takes for prompt; on a machine that is busy with something else, three times what it takes there. */
const promptMs = 2000;
const mostTimes = 3;

/** The slowest of a few when nothing else goes on. */
export const quietMs = async (client: Client, callOf: (n: number) => Call): Promise<number> => {
  let slowest = 0;
  for (let n = 0; n < 10; n++)
    slowest = Math.max(slowest, (await client.call({ ...callOf(n), timeoutMs: patienceMs })).ms);
  return slowest;
};

const everyMs = 100;
const patienceMs = 30_000;

/** Each call is answered when it has been applied. */
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
    answers.push(await client.call({ ...callOf(n), timeoutMs: patienceMs }));
    await sleep(everyMs);
  }
  await over;
  return {
    slowestMs: Math.round(Math.max(...answers.map(({ ms }) => ms))),
    sent: answers.length,
    refused: answers.filter((answer) => !isAccepted(answer)).length,
  };
};

export const latecomers = (who: string, { slowestMs, refused }: Beside, quiet: number): string[] => [
  ...(slowestMs > Math.max(promptMs, mostTimes * quiet)
    ? [`${who} of another workspace waited ${slowestMs} ms`]
    : []),
  ...(refused > 0 ? [`${refused} requests of another workspace were refused or got no answer`] : []),
];
