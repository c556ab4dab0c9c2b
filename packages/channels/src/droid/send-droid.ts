/** Sends a push to an Android device by Firebase Cloud Messaging. */
import type { Answer } from '../answer.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { lostAnswer, type Sessions } from '../http/sessions.ts';
import { answerTo } from '../http/status.ts';
import { parsedJson } from '../json.ts';
import type { Outgoing } from '../outgoing.ts';
import { anyTime, type Leave } from '../places.ts';
import { nameOf } from '../tokens.ts';
import { accountIn, type Tokens } from './account.ts';
import { droidIn } from './droid-message.ts';

export interface DroidCredentials {
  /** The JSON of the service account. */
  account: string;
  /** Another server than that of Google. */
  url?: string;
}

interface DroidTools {
  sessions: Sessions;
  tokens: Tokens;
  leave?: Leave;
  timeoutMs?: number;
  now?(): number;
}

const usualUrl = 'https://fcm.googleapis.com';
const usualTimeoutMs = 10_000;

interface Detail {
  errorCode?: unknown;
  fieldViolations?: unknown;
}

interface Told {
  name?: unknown;
  code?: string;
  message?: string;
  details: Detail[];
}

type Loose = Record<string, unknown>;

const objectIn = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {};

const listIn = (value: unknown): Loose[] => (Array.isArray(value) ? value.map(objectIn) : []);

const longestShown = 200;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, longestShown) : undefined;

/** Of whatever the server has answered: a proxy may say anything, and the push has left. */
const toldIn = (text: string): Told => {
  const { name, error } = objectIn(parsedJson(text));
  const { status, message, details } = objectIn(error);
  const all: Detail[] = listIn(details);
  const code = textIn(all.find(({ errorCode }) => errorCode !== undefined)?.errorCode) ?? textIn(status);
  const words = textIn(message);
  return {
    name,
    details: all,
    ...(code !== undefined && { code }),
    ...(words !== undefined && { message: words }),
  };
};

/** The device is gone, or the token never was one. A bare 404 says neither: the project may be another one. */
const isGone = ({ details }: Told): boolean =>
  details.some(
    ({ errorCode, fieldViolations }) =>
      errorCode === 'UNREGISTERED' || listIn(fieldViolations).some(({ field }) => field === 'message.token'),
  );

const answerOf = (response: HttpResponse, now: number): Answer => {
  const { status, text } = response;
  const told = toldIn(text);
  const answer = answerTo(response, 'FCM', now);
  if (answer.state === 'sent') return { ...answer, ...(typeof told.name === 'string' && { id: told.name }) };
  const reason = [answer.reason, told.code, told.message].filter((word) => word !== undefined).join(': ');
  // A message for another project's device is at fault itself; else the credentials are, and they may be corrected.
  if ((status === 401 || status === 403) && told.code !== 'SENDER_ID_MISMATCH')
    return { state: 'later', reason };
  return answer.state === 'refused' && isGone(told) ? { ...answer, reason, gone: {} } : { ...answer, reason };
};

export const sendDroid = async (
  message: Outgoing,
  { account: text, url = usualUrl }: DroidCredentials,
  { sessions, tokens, timeoutMs = usualTimeoutMs, leave = anyTime, now = Date.now }: DroidTools,
): Promise<Answer> => {
  const account = accountIn(text);
  const name = nameOf([text]);
  const answered = await tokens.of(name, account);
  if (!('token' in answered)) return answered;
  const response = await sessions.request(`${url} ${name}`, url, {
    headers: {
      ':method': 'POST',
      ':path': `/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`,
      authorization: `Bearer ${answered.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(droidIn(message)),
    timeoutMs,
    leave,
  });
  if ('lost' in response) return lostAnswer(response);
  if (response.status === 401) tokens.drop(name, answered.token);
  return answerOf(response, now());
};
