/** One request to Snowflake's SQL interface: https://docs.snowflake.com/en/developer-guide/sql-api/reference */
import { exchangeJson, member } from '../http/json.ts';
import type { Tls } from '../settings.ts';
import type { WarehouseLimits } from '../warehouse/warehouse.ts';
import type { Authorize } from './credentials.ts';
import { type Place, refusal } from './errors.ts';

export interface Way {
  readonly endpoint: URL;
  readonly authorize: Authorize;
  readonly place: Place;
  readonly tls: Tls | undefined;
  readonly limits: WarehouseLimits;
}

export interface Request {
  readonly path: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

/** `isRunning`: the statement has no result yet. */
export const ask = async ({ path, body, signal }: Request, way: Way) => {
  const { endpoint, authorize, place, tls, limits } = way;
  const { status, value } = await exchangeJson({
    url: new URL(`/api/v2/statements${path}`, endpoint),
    method: body ? 'POST' : 'GET',
    headers: { ...authorize(), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    tls,
    mostBytes: limits.answerBytes,
    limits,
    signal,
  });
  const isRunning = status === 202;
  if ((status !== 200 && !isRunning) || value === undefined)
    throw refusal(status, String(member(value, 'code') ?? ''), place);
  return { value, isRunning };
};
