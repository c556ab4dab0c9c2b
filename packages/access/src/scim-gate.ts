/** Which company calls its SCIM endpoints? Asked at every request, so that an ended token is ended at once; they are few. */
import type { Secrets } from '@roster/secrets';
import type { Redis } from 'ioredis';
import type { CompanySettings } from './company.ts';
import { bearerIn } from './key.ts';
import { assertPublished, readHash } from './lookup.ts';
import { mayUseScimToken, parseScimToken, type ScimTokenRecord, verifyScimToken } from './scim-token.ts';
import { companiesHash, scimTokensHash } from './serving-copy.ts';

/** What the ingress has to know of a company. */
export type ServedCompany = Pick<CompanySettings, 'id' | 'limits'>;

export type ScimAccess =
  | { ok: true; token: ScimTokenRecord; company: ServedCompany }
  /** `UNAVAILABLE`: the token cannot be checked just now, which is 503 and never 401. */
  | { ok: false; code: 'INVALID_TOKEN' | 'UNAVAILABLE'; refused?: { token: string; company: string } };

const invalid: ScimAccess = { ok: false, code: 'INVALID_TOKEN' };
const unavailable: ScimAccess = { ok: false, code: 'UNAVAILABLE' };

export interface ScimCaller {
  authorization: string | undefined;
  origin: string | undefined;
  ip: string;
}

export const createScimGate = (redis: Redis, peppers: Secrets, now: () => number) => {
  const ask = async ({ authorization, origin, ip }: ScimCaller): Promise<ScimAccess> => {
    const parsed = parseScimToken(bearerIn(authorization));
    if (!parsed) return invalid;
    // Both are asked, so that it takes no longer when there is no such token.
    const [tokens] = await Promise.all([
      readHash<ScimTokenRecord>(redis, scimTokensHash, [parsed.id]),
      assertPublished(redis, scimTokensHash, 'SCIM tokens'),
    ]);
    const token = tokens.get(parsed.id);
    if (!verifyScimToken(token, parsed, peppers) || !token) return invalid;
    if (!mayUseScimToken(token, { origin, ip, now: now() }))
      return { ...invalid, refused: { token: token.id, company: token.company } };
    const companies = await readHash<ServedCompany>(redis, companiesHash, [token.company]);
    const company = companies.get(token.company);
    return company ? { ok: true, token, company } : unavailable;
  };
  return (caller: ScimCaller): Promise<ScimAccess> => ask(caller).catch(() => unavailable);
};
