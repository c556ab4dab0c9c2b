/** What the status of an answer means where its text says nothing more. */
import { present } from '@roster/contract';
import type { Answer } from '../outgoing.ts';
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

/** What an answer says besides. */
interface Said {
  /** Of a message that was taken over. */
  id?: string | undefined;
  words?: readonly (string | undefined)[];
  /** 401 and 403 are about the credentials, which may be corrected: the message is not at fault. */
  hasKeys?: boolean;
  /** Of a message that will never be taken: its device. */
  gone?: Extract<Answer, { state: 'refused' }>['gone'];
}

/** `who` answered it: words for people. */
export const answerTo = (
  response: HttpResponse,
  who: string,
  now: number,
  { id, words = [], hasKeys = false, gone }: Said = {},
): Answer => {
  const { status } = response;
  if (status >= 200 && status < 300) return { state: 'sent', ...present({ id }) };
  const redirect = status < 400 ? 'redirects are not followed' : undefined;
  const reason = [`${who} answered ${status}`, redirect, ...words]
    .filter((word) => word !== undefined)
    .join(': ');
  if (hasKeys && (status === 401 || status === 403)) return { state: 'later', reason };
  if (status < 500 && !passing.has(status)) return { state: 'refused', reason, ...present({ gone }) };
  return { state: 'later', reason, ...present({ afterMs: afterMsIn(response, now) }) };
};
