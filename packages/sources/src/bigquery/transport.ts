/** How the driver sends: by our HTTP client, as its own has no limits of time and bytes, can't be stopped, and follows proxies that variables name. */
import type { BigQuery } from '@google-cloud/bigquery';
import { type Answer, exchange } from '../http/exchange.ts';
import type { Tls } from '../settings.ts';
import type { WarehouseLimits } from '../warehouse/warehouse.ts';
import { type Place, refusal } from './errors.ts';

/** What the driver asks for. */
interface Asked {
  readonly uri: string;
  /** Another one than that which pays. */
  readonly projectId?: string;
  readonly method?: string;
  readonly json?: unknown;
  readonly qs?: Readonly<Record<string, unknown>>;
}

export interface Way {
  readonly endpoint: URL;
  readonly place: Place;
  readonly tls: Tls | undefined;
  readonly limits: WarehouseLimits;
  readonly signal: AbortSignal;
}

const urlOf = ({ uri, projectId, qs = {} }: Asked, { endpoint, place }: Way): URL => {
  const path = uri.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/');
  const url = new URL(
    `/bigquery/v2/projects/${encodeURIComponent(projectId ?? place.project)}/${path}`,
    endpoint,
  );
  for (const [name, value] of Object.entries(qs))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
};

const parsed = ({ body }: Answer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
};

const send = async (client: BigQuery, asked: Asked, way: Way): Promise<unknown> => {
  const { tls, limits, signal, place } = way;
  const url = urlOf(asked, way);
  const authorized = await client.authClient.getRequestHeaders(url.href);
  const body = asked.json === undefined ? undefined : JSON.stringify(asked.json);
  const answer = await exchange({
    url,
    method: asked.method === 'POST' ? 'POST' : 'GET',
    headers: { ...Object.fromEntries(authorized), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
    tls,
    mostBytes: limits.answerBytes,
    limits,
    signal,
  });
  const value = parsed(answer);
  if (answer.status < 200 || answer.status > 299 || value === undefined)
    throw refusal(answer.status, value, place);
  return value;
};

export const sendBy = (client: BigQuery, way: Way): void => {
  const request = (asked: Asked, answer: (error: unknown, body?: unknown) => void): void => {
    send(client, asked, way).then((body) => answer(null, body), answer);
  };
  Object.defineProperty(client, 'request', { value: request });
};
