/** Authenticates and authorises the caller: a workspace by its API key, a company by its SCIM token. */
import type { IncomingMessage } from 'node:http';
import { type Access, companyScope, mayUse } from '@roster/access';
import { type Operation, Rejection, rejectionWithRetry } from '@roster/contract';
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
      throw refusalOf(
        access.code,
        () => new Rejection('SCIM_TOKEN_INVALID', { headers: { 'WWW-Authenticate': 'Bearer' } }),
      );
    }
    const scope = scopeOfCompany(access.company);
    Object.assign(passage, { ws: scope.id, by: access.token.id });
    return scope;
  };

const byKey = ({ permission }: Operation, { directory }: Edge): Admit => {
  const admitHolder = (access: Access, ip: string, passage: Passage): Scope => {
    if (!access.ok) {
      const { refused } = access;
      if (refused) Object.assign(passage, { ws: refused.ws, by: refused.key, refusal: refused.why });
      throw refusalOf(access.code, () => new Rejection(access.code));
    }
    passage.ws = access.settings.id;
    passage.by = access.key.id;
    const verdict = mayUse(access.key, { permission, ip, now: Date.now() });
    if (verdict !== 'ok') {
      passage.refusal = verdict;
      throw new Rejection('ACCESS_DENIED');
    }
    return scopeOfWorkspace(access.settings);
  };
  return ({ headers }, ip, passage) => {
    const access = directory.authenticate(headers.authorization, ip);
    return access instanceof Promise
      ? access.then((known) => admitHolder(known, ip, passage))
      : admitHolder(access, ip, passage);
  };
};

export const createAdmit = (operation: Operation, edge: Edge): Admit =>
  operation.auth === 'scim' ? byToken(edge) : byKey(operation, edge);
