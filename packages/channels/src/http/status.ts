/** What the status of an answer means where its text says nothing more. */
import type { Answer } from '../answer.ts';
import type { HttpResponse } from './exchange.ts';

/** `Retry-After` in seconds or as a date. */
export const afterMsIn = (
  { headers: { 'retry-after': after } }: Pick<HttpResponse, 'headers'>,
  now: number,
): number | undefined => {
  if (after === undefined) return undefined;
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};

const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** `who` answered it: words for people. */
export const answerTo = (response: HttpResponse, who: string, now: number): Answer => {
  const { status } = response;
  if (status >= 200 && status < 300) return { state: 'sent' };
  const reason = `${who} answered ${status}`;
  if (status >= 300 && status < 400)
    return { state: 'refused', reason: `${reason}: redirects are not followed` };
  if (status < 500 && !passing.has(status)) return { state: 'refused', reason };
  const afterMs = afterMsIn(response, now);
  return { state: 'later', reason, ...(afterMs !== undefined && { afterMs }) };
};
