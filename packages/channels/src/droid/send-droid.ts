/** Sends a push to an Android device by Firebase Cloud Messaging. */
import type { Answer } from '../answer.ts';
import type { Credentials } from '../credentials.ts';
import type { HttpResponse } from '../http/exchange.ts';
import type { Sessions } from '../http/sessions.ts';
import { answerTo } from '../http/status.ts';
import { parsedJson } from '../json.ts';
import type { Outgoing } from '../outgoing.ts';
import { anyTime } from '../places.ts';
import { nameOf } from '../tokens.ts';
import { accountIn, type Tokens } from './account.ts';
import { droidIn } from './droid-message.ts';

interface DroidTools {
  sessions: Sessions;
  tokens: Tokens;
  timeoutMs?: number;
  now?(): number;
}

const usualUrl = 'https://fcm.googleapis.com';
const usualTimeoutMs = 10_000;

type Loose = Record<string, unknown>;

const objectIn = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {};

const listIn = (value: unknown): Loose[] => (Array.isArray(value) ? value.map(objectIn) : []);

const longestShown = 200;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, longestShown) : undefined;

/** Of whatever the server has answered: a proxy may say anything, and the push has left. */
const toldIn = (text: string) => {
  const { name, error } = objectIn(parsedJson(text));
  const { status, message, details } = objectIn(error);
  const all = listIn(details);
  return {
    id: typeof name === 'string' ? name : undefined,
    code: textIn(all.find(({ errorCode }) => errorCode !== undefined)?.errorCode) ?? textIn(status),
    message: textIn(message),
    details: all,
  };
};

/** The device is gone, or the token never was one. A bare 404 says neither: the project may be another one. */
const isGone = (details: readonly Loose[]): boolean =>
  details.some(
    ({ errorCode, fieldViolations }) =>
      errorCode === 'UNREGISTERED' || listIn(fieldViolations).some(({ field }) => field === 'message.token'),
  );

const answerOf = (response: HttpResponse, now: number): Answer => {
  const { id, code, message, details } = toldIn(response.text);
  // A message for another project's device is at fault itself.
  const hasKeys = code !== 'SENDER_ID_MISMATCH';
  const answer = answerTo(response, 'FCM', now, { id, words: [code, message], hasKeys });
  return answer.state === 'refused' && isGone(details) ? { ...answer, gone: {} } : answer;
};

export const sendDroid = async (
  message: Outgoing,
  { account: text, url = usualUrl }: Credentials['droid_push'],
  { sessions, tokens, timeoutMs = usualTimeoutMs, now = Date.now }: DroidTools,
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
    leave: message.leave ?? anyTime,
  });
  if ('state' in response) return response;
  if (response.status === 401) tokens.drop(name, answered.token);
  return answerOf(response, now());
};
