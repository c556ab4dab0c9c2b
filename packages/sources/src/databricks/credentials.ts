/** What each request shows: a personal access token, or a token that the workspace gives a service principal for its secret. */
import { exchangeJson, member } from '../http/json.ts';
import type { DatabricksSettings, Tls } from '../settings.ts';
import { SourceError } from '../source-error.ts';
import type { WarehouseLimits } from '../warehouse/warehouse.ts';
import { type Place, refusal } from './errors.ts';

export interface Road {
  readonly endpoint: URL;
  readonly place: Place;
  readonly tls: Tls | undefined;
  readonly limits: WarehouseLimits;
}

export type Authorize = (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;

interface Principal {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A token is replaced a minute before it ends. */
const marginSeconds = 60;
const answerBytes = 65_536;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** https://docs.databricks.com/aws/en/dev-tools/auth/oauth-m2m */
const askToken = async ({ clientId, clientSecret }: Principal, road: Road, signal: AbortSignal) => {
  const { endpoint, place, tls, limits } = road;
  const pair = Buffer.from(`${clientId}:${clientSecret.trim()}`).toString('base64');
  const { status, value } = await exchangeJson({
    url: new URL('/oidc/v1/token', endpoint),
    method: 'POST',
    headers: { authorization: `Basic ${pair}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&scope=all-apis',
    tls,
    mostBytes: answerBytes,
    limits,
    signal,
  });
  const token = member(value, 'access_token');
  const seconds = Number(member(value, 'expires_in'));
  if (status === 200 && typeof token === 'string') return { token, seconds };
  // RFC 6749 5.2: a wrong secret may be told by 400, too.
  throw refusal(status === 400 ? 401 : status, '', place);
};

const tokensOf = (principal: Principal, road: Road): Authorize => {
  let held = { token: '', until: 0 };
  return async (signal) => {
    if (performance.now() >= held.until) {
      const { token, seconds } = await askToken(principal, road, signal);
      const ms = 1_000 * Math.max(0, seconds - marginSeconds) || 0;
      held = { token, until: performance.now() + ms };
    }
    return bearer(held.token);
  };
};

type Shown = Pick<DatabricksSettings, 'token' | 'clientId' | 'clientSecret'>;

export const authorizeBy = ({ token, clientId, clientSecret }: Shown, road: Road): Authorize => {
  const hasPrincipal = clientId !== undefined && clientSecret !== undefined;
  const hasPart = clientId !== undefined || clientSecret !== undefined;
  if (token !== undefined && !hasPart) return async () => bearer(token.trim());
  if (token === undefined && hasPrincipal) return tokensOf({ clientId, clientSecret }, road);
  throw new SourceError(
    'bad_settings',
    'a connection of Databricks has a token, or a client_id and a client_secret: one of the two',
  );
};
