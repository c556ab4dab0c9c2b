// Requests to the hosted service that are sent again after limits and faults.
import { setTimeout as sleep } from 'node:timers/promises';

const { HOSTED_URL = '', HOSTED_KEY = '' } = process.env;

const attemptsMax = 20;
const pauseMsMax = 60_000;
const timeoutMs = 120_000;

/** Until the window of a rate limit is over, else a little longer each time. */
const pauseAfter = async (answer, attempt) => {
  const reset = Number(answer?.headers.get('x-ratelimit-reset')) * 1000 - Date.now();
  await sleep(
    Math.min(pauseMsMax, Math.max(0, answer?.status === 429 && !Number.isNaN(reset) ? reset : 500 * attempt)),
  );
};

export const firstWords = (text) => JSON.stringify(text.slice(0, 200));

/** Why there is no answer; without a chance that it passes, `isFinal`. */
const told = (error) => {
  const isFinal = /CERT|unexpected redirect|bad port|unknown scheme/i.test(
    `${error.cause?.code} ${error.cause?.message}`,
  );
  return Object.assign(new Error(`no answer: ${error.cause?.message || error.message}`), { isFinal });
};

/** Queries hold names of people, or the key of a file. */
const refusal = async (url, answer) => {
  const [place] = url.split('?');
  const error = new Error(`${place} answered ${answer.status} ${firstWords(await answer.text())}`);
  return Object.assign(error, { status: answer.status });
};

/** `again`: the states after which the request is sent again. A redirect would send the key elsewhere. */
export const fetched = async (url, options, { again, attempts = attemptsMax, ms = timeoutMs }) => {
  for (let attempt = 1; ; attempt += 1) {
    const signal = AbortSignal.timeout(ms);
    const answer = await fetch(url, { redirect: 'error', ...options, signal }).catch(told);
    if (answer.ok) return answer;
    const isNone = answer instanceof Error;
    if (attempt === attempts || answer.isFinal || (!isNone && !again(answer.status)))
      throw isNone ? answer : await refusal(url, answer);
    console.error(`${isNone ? answer.message : answer.status}: once more (${attempt} of ${attempts - 1})`);
    await pauseAfter(isNone ? undefined : answer, attempt);
  }
};

/** Once more after a limit and a fault. The key goes to HOSTED_URL alone. */
export const ask = (path, { headers, ...options } = {}) =>
  fetched(
    HOSTED_URL.replace(/\/+$/, '') + path,
    { ...options, headers: { ...headers, authorization: `Bearer ${HOSTED_KEY}` } },
    { again: (status) => status === 429 || status >= 500 },
  );
