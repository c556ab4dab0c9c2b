/** For tests: a provisioner that speaks to the service as if there were an ingress between, with the real judge. */
import { type CompanySettings, completeCompany } from '@roster/access';
import { type AcceptedRequest, createAnswerCheck, type Operation } from '@roster/contract';
import type { SecurityEvent } from '@roster/runtime';
import type { Store } from '@roster/store';
import { createAnswer } from './answer.ts';
import { limits as usualLimits } from './limits.ts';
import { accepted, callerWaitsMs, type Got, type Sent, stampAt } from './test-accepted.ts';

export const acme: CompanySettings = completeCompany({
  id: 'acme',
  name: 'Acme',
  workspaces: [
    { name: 'Shop', teams: [{ name: 'Europe' }, { name: 'Asia' }] },
    { name: 'Blog', teams: [{ name: 'Editors' }] },
  ],
  default_workspace: 'Shop',
  roles: [{ name: 'Analyst', workspace: 'Shop' }, { name: 'Owner' }],
  permission_sets: [{ name: 'Marketer', permissions: ['basic_access', 'send_campaigns_canvases'] }],
});
const wrongWith = createAnswerCheck();

type Headers = Record<string, string>;

/** The methods of SCIM, by name. */
const methodsOf = (ask: (sent: Sent) => Promise<Got>) => ({
  get: (path: string, headers?: Headers) => ask({ method: 'GET', path, ...(headers && { headers }) }),
  post: (path: string, body: unknown) => ask({ method: 'POST', path, body }),
  put: (path: string, body: unknown, headers?: Headers) =>
    ask({ method: 'PUT', path, body, ...(headers && { headers }) }),
  patch: (path: string, Operations: unknown, headers?: Headers) =>
    ask({
      method: 'PATCH',
      path,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations },
      ...(headers && { headers }),
    }),
  delete: (path: string, headers?: Headers) => ask({ method: 'DELETE', path, ...(headers && { headers }) }),
});

type Answering = ReturnType<typeof createAnswer>;

/** The reply to a request, held to the schema of its operation. */
const answered = async (answer: Answering, request: AcceptedRequest, operation: Operation): Promise<Got> => {
  const [reply] = await answer([request]);
  if (!reply) throw new Error('no reply');
  const body = reply.body === '' ? undefined : JSON.parse(reply.body);
  if (body !== undefined) {
    const wrong = wrongWith(operation, reply.status, body);
    if (wrong) throw new Error(`${operation.id} ${reply.status}: ${wrong}`);
  }
  return { status: reply.status, body, headers: reply.headers ?? {} };
};

export const createProvisioner = (
  store: Store,
  {
    company = acme,
    by = 'token1',
    now = Date.now,
    limits = usualLimits,
    note = (_: SecurityEvent): void => {},
  } = {},
) => {
  const answer = createAnswer({ store, publicUrl: '', callerWaitsMs, note }, { now, limits });

  const send = (request: AcceptedRequest, operation: Operation) => answered(answer, request, operation);
  const accept = (sent: Sent) => accepted(sent, { company: company.id, by, now });

  const ask = async (sent: Sent): Promise<Got> => {
    const found = accept(sent);
    return 'request' in found ? send(found.request, found.operation) : found;
  };

  /**
   * Accepted now, so stamped now; each call is one delivery of its job. `again`: under the same idempotency key, for which the ingress keeps
   * id and stamp of the first attempt.
   */
  const held = (sent: Sent): ((how?: { again: true }) => Promise<Got>) => {
    const found = accept(sent);
    if (!('request' in found)) throw new Error('it was refused');
    const { request, operation } = found;
    return (how) => send(how ? { ...request, again: stampAt(now()) } : request, operation);
  };

  return {
    ask,
    held,
    ...methodsOf(ask),
    /** The same job once more, as after the death of its worker. */
    twice: async (sent: Sent): Promise<Got[]> => {
      const deliver = held(sent);
      return [await deliver(), await deliver()];
    },
  };
};

export const aUser = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  ...more,
});
