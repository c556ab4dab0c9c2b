/** Which company calls its SCIM endpoints? Asked at every request, so that an ended token is ended at once; they are few. */
import type { Redis } from 'ioredis';
import type { CompanySettings } from './company.ts';
import { bearerIn } from './key.ts';
import { mayUseScimToken, parseScimToken, type ScimTokenRecord, verifyScimToken } from './scim-token.ts';
import { companiesHash, scimTokensHash, versionOf } from './serving-copy.ts';

/** What the ingress has to know of a company. */
export type ServedCompany = Pick<CompanySettings, 'id' | 'limits'>;

export type ScimAccess =
  | { ok: true; token: ScimTokenRecord; company: ServedCompany }
  /** `UNAVAILABLE`: the token cannot be checked just now, which is 503 and never 401. */
  | { ok: false; code: 'INVALID_TOKEN' | 'UNAVAILABLE'; refused?: { token: string; company: string } };

const invalid: ScimAccess = { ok: false, code: 'INVALID_TOKEN' };
const unavailable: ScimAccess = { ok: false, code: 'UNAVAILABLE' };

const read = async <Item>(redis: Redis, hash: string, id: string): Promise<Item | undefined> => {
  const text = await redis.hget(hash, id);
  return text ? JSON.parse(text) : undefined;
};

/** After a flush of Redis nothing is known of any token; that is not the same as "there is no such token". */
const isPublished = async (redis: Redis): Promise<boolean> =>
  (await redis.exists(versionOf(scimTokensHash))) === 1;

export interface ScimCaller {
  authorization: string | undefined;
  origin: string | undefined;
  ip: string;
}

export const createScimGate = (redis: Redis, pepper: string, now: () => number) => {
  const ask = async ({ authorization, origin, ip }: ScimCaller): Promise<ScimAccess> => {
    const parsed = parseScimToken(bearerIn(authorization));
    if (!parsed) return invalid;
    // Both are asked, so that it takes no longer when there is no such token.
    const [token, isThere] = await Promise.all([
      read<ScimTokenRecord>(redis, scimTokensHash, parsed.id),
      isPublished(redis),
    ]);
    if (!isThere) return unavailable;
    if (!verifyScimToken(token, parsed, pepper) || !token) return invalid;
    if (!mayUseScimToken(token, { origin, ip, now: now() }))
      return { ...invalid, refused: { token: token.id, company: token.company } };
    const company = await read<ServedCompany>(redis, companiesHash, token.company);
    return company ? { ok: true, token, company } : unavailable;
  };
  return (caller: ScimCaller): Promise<ScimAccess> => ask(caller).catch(() => unavailable);
};
