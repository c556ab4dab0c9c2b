/** Authenticates and authorises the caller: a workspace by its API key, a company by its SCIM token. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Access, companyScope, mayUse, whyInvalid } from '@roster/access';
import {
  type Operation,
  Rejection,
  type RejectionCode,
  rejections,
  rejectionWithRetry,
} from '@roster/contract';
import { networkOf } from '@roster/runtime';
import type { Edge } from './edge.ts';
import type { Passage } from './passage.ts';
import { type Scope, scopeOfCompany, scopeOfWorkspace } from './scope.ts';

/** Nearly always answers without a promise: then the request does not wait for a turn of the event loop. */
export type Admit = (request: IncomingMessage, ip: string, passage: Passage) => Scope | Promise<Scope>;

const refusalOf = (code: string, otherwise: () => Rejection): Rejection =>
  code === 'UNAVAILABLE' ? rejectionWithRetry('UNAVAILABLE', 1) : otherwise();

const byToken =
  ({ directory }: Edge): Admit =>
  async ({ headers }, ip, passage) => {
    const { authorization, 'x-request-origin': sent } = headers;
    const origin = Array.isArray(sent) ? sent[0] : sent;
    const access = await directory.authenticateScim({ authorization, origin, ip });
    if (!access.ok) {
      const { refused } = access;
      if (refused)
        Object.assign(passage, {
          ws: companyScope(refused.company),
          by: refused.token,
          refusal: 'not usable',
        });
      throw refusalOf(access.code, () => {
        const why = whyInvalid('scim', authorization);
        const more = origin ? '' : '; the header X-Request-Origin is missing';
        const message = `${rejections.SCIM_TOKEN_INVALID.message}: ${why}${more}`;
        return new Rejection('SCIM_TOKEN_INVALID', { message, headers: { 'WWW-Authenticate': 'Bearer' } });
      });
    }
    const scope = scopeOfCompany(access.company);
    Object.assign(passage, { ws: scope.id, by: access.token.id });
    return scope;
  };

const byKey = ({ permission, alsoNeeds }: Operation, { directory }: Edge): Admit => {
  const refusal = (code: RejectionCode, authorization: string | undefined): Rejection =>
    code === 'API_KEY_INVALID'
      ? new Rejection(code, { message: `${rejections[code].message}: ${whyInvalid('key', authorization)}` })
      : new Rejection(code);
  const admitHolder = (access: Access, headers: IncomingHttpHeaders, ip: string, passage: Passage): Scope => {
    if (!access.ok) {
      const { refused } = access;
      if (refused) Object.assign(passage, { ws: refused.ws, by: refused.key, refusal: refused.why });
      throw refusalOf(access.code, () => refusal(access.code, headers.authorization));
    }
    passage.ws = access.settings.id;
    passage.by = access.key.id;
    passage.from = networkOf(ip);
    const verdict = mayUse(access.key, { permission, ip, now: Date.now() });
    if (verdict !== 'ok') {
      passage.refusal = verdict;
      throw new Rejection('ACCESS_DENIED');
    }
    if (alsoNeeds)
      passage.mayAlso = (other) => mayUse(access.key, { permission: other, ip, now: Date.now() }) === 'ok';
    return scopeOfWorkspace(access.settings);
  };
  return ({ headers }, ip, passage) => {
    const access = directory.authenticate(headers.authorization, ip);
    return access instanceof Promise
      ? access.then((known) => admitHolder(known, headers, ip, passage))
      : admitHolder(access, headers, ip, passage);
  };
};

export const createAdmit = (operation: Operation, edge: Edge): Admit =>
  operation.auth === 'scim' ? byToken(edge) : byKey(operation, edge);
