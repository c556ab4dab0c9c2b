/** The service account of an app at Firebase, and its tokens. */
import { sign } from 'node:crypto';
import { present, remember, sendReason } from '@roster/contract';
import { isInClear } from '@roster/names';
import type { HttpResponse } from '../http/exchange.ts';
import { type HttpOptions, sendRequest } from '../http/request.ts';
import { afterMsIn, answerTo } from '../http/status.ts';
import { parsedJson, textAt } from '../json.ts';
import { createKept } from '../kept.ts';
import type { Answer, Why } from '../outgoing.ts';
import { pauseOf } from '../pauses.ts';
import { anyTime } from '../places.ts';
import { signedToken } from '../tokens.ts';

export interface Account {
  project_id: string;
  client_email: string;
  private_key: string;
  token_uri: string;
}

const members = ['project_id', 'client_email', 'private_key', 'token_uri'] as const;

/** Throws an error that says what is missing, and never what is there. */
export const accountIn = remember((text): Account => {
  const given = (parsedJson(text) ?? {}) as Partial<Account>;
  const missing = members.find((name) => typeof given[name] !== 'string' || given[name] === '');
  if (missing !== undefined)
    throw new Error(`the service account is not the JSON of Firebase: it has no ${missing}`);
  const account = given as Account;
  if (!URL.canParse(account.token_uri) || isInClear(account.token_uri))
    throw new Error('the token_uri of the service account must begin with https://');
  return account;
}, 1_000);

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
const hourSeconds = 3600;

/** RFC 7523: signed by the key of the account. */
const assertionOf = ({ client_email, private_key, token_uri }: Account, now: number): string => {
  const iat = Math.floor(now / 1000);
  const claims = { iss: client_email, scope, aud: token_uri, iat, exp: iat + hourSeconds };
  return signedToken({ alg: 'RS256', typ: 'JWT' }, claims, (text) => sign('RSA-SHA256', text, private_key));
};

/** Longer than any push is under way. */
const spareMs = 5 * 60_000;
export type TokenAnswer = { token: string } | Extract<Answer, { state: 'later' }>;

/** No push has left. */
const later = ({ reason, words = reason }: Why, afterMs?: number): TokenAnswer => ({
  state: 'later',
  reason,
  words: `no token: ${words}`,
  ...present({ afterMs }),
});

/** `invalid_grant`. A longer text may repeat the assertion. */
const errorIn = (text: string): string | undefined =>
  /^[a-z_]{1,40}$/.exec(textAt('error', parsedJson(text)) ?? '')?.[0];

/** What an OAuth server answers with 400 about an account that is wrong, revoked or has not the right (RFC 6749 5.2). */
const refusesAccount = /^(invalid_grant|invalid_client|unauthorized_client|invalid_scope)$/;

/** Of an answer without a token. */
const refusal = (response: HttpResponse, now: number): TokenAnswer => {
  const error = errorIn(response.text);
  const isAccount = response.status === 400 && refusesAccount.test(error ?? '');
  const answer = answerTo(response, now, { hasKeys: true, refusesKeys: isAccount });
  if (answer.state === 'sent') return later({ reason: sendReason('answer_unreadable', response.status) });
  const { reason } = answer;
  const afterMs = afterMsIn(response, now);
  const told = later({ reason, ...present({ words: error }) }, afterMs);
  return response.status === 429 ? { ...told, ...pauseOf(afterMs), reason } : told;
};

/** Tokens are asked for once, however many pushes want one. */
export const createTokens = (options: HttpOptions & { now(): number }) => {
  const kept = createKept<string>();
  const asked = new Map<string, Promise<TokenAnswer>>();

  const ask = async (name: string, account: Account, ws: string): Promise<TokenAnswer> => {
    const { now } = options;
    const began = now();
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertionOf(account, began),
    }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await sendRequest(
      { url: account.token_uri, method: 'POST', headers, body },
      { ...options, leave: { ...anyTime, ws }, allowPrivate: true, readsText: true },
    );
    if ('state' in response) return later(response.state === 'sent' ? { reason: 'no_answer' } : response);
    const { access_token: token, expires_in: seconds } = (parsedJson(response.text) ?? {}) as Record<
      string,
      unknown
    >;
    if (response.status !== 200 || typeof token !== 'string') return refusal(response, now());
    kept.keep(name, token, began + Number(seconds ?? hourSeconds) * 1000 - spareMs);
    return { token };
  };

  return {
    async of(name: string, account: Account, ws = anyTime.ws): Promise<TokenAnswer> {
      const token = kept.at(name, options.now());
      if (token !== undefined) return { token };
      const asking = asked.get(name) ?? ask(name, account, ws).finally(() => asked.delete(name));
      asked.set(name, asking);
      return asking;
    },
    drop: kept.drop,
  };
};

export type Tokens = ReturnType<typeof createTokens>;
