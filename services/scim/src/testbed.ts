/** For tests: a provisioner that speaks to the service as if there were an ingress between, with the real judge. */
import { type CompanySettings, companyScope, completeCompany } from '@roster/access';
import {
  type AcceptedRequest,
  errorHeadersOf,
  type Operation,
  present,
  type Rejection,
  routeOf,
  scimErrorBody,
} from '@roster/contract';
import type { SecurityEvent } from '@roster/runtime';
import type { Store } from '@roster/store';
import { aJudgeSettings, createAnswerCheck, createLateJudge, useStore } from '@roster/testkit';
import { createAnswer } from './answer.ts';
import { limits as usualLimits } from './limits.ts';

export const users = '/scim/v2/Users';
export const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface ScimRequest {
  method: string;
  /** With its query, as on the wire. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Got {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
  body: any;
  headers: Record<string, string>;
}

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

const judge = createLateJudge();
const wrongWith = createAnswerCheck();
export const callerWaitsMs = 10_000;

/** Unique stamps of the current time: for an old request the caller would not wait any more. */
let last = 0;
const stampAt = (ms: number): number => {
  last = Math.max(last + 1, ms * 1000);
  return last;
};

interface Caller {
  company: string;
  by: string;
  now(): number;
}

const refusedBy = (rejection: Rejection): Got => ({
  status: rejection.status,
  body: scimErrorBody(rejection),
  headers: errorHeadersOf(rejection),
});

const accepted = (sent: ScimRequest, { company, by, now }: Caller) => {
  const [place = '', search = ''] = sent.path.split('?', 2);
  const route = routeOf(sent.method, place);
  if (!route) throw new Error(`no operation for ${sent.method} ${place}`);
  const { operation, params } = route;
  const input = {
    ...(operation.request.params && { params }),
    ...(operation.request.query && { query: Object.fromEntries(new URLSearchParams(search)) }),
    ...(operation.request.body && { body: sent.body }),
  };
  const verdict = judge(operation, input, aJudgeSettings());
  if (!verdict.ok) return refusedBy(verdict.rejection);
  const stamp = stampAt(now());
  const id = `r${stamp.toString(36)}-00000000`;
  const { headers } = sent;
  const said = { id, ws: companyScope(company), op: operation.id, at: stamp, by, ...verdict.accepted };
  return { operation, request: { ...said, ...present({ headers }) } };
};

type Headers = Record<string, string>;

/** The methods of SCIM, by name. */
const methodsOf = (ask: (sent: ScimRequest) => Promise<Got>) => {
  const asking = (method: string) => (path: string, body?: unknown, headers?: Headers) =>
    ask({ method, path, ...present({ body, headers }) });
  return {
    get: (path: string, headers?: Headers) => asking('GET')(path, undefined, headers),
    post: asking('POST'),
    put: asking('PUT'),
    patch: (path: string, Operations: unknown, headers?: Headers) =>
      asking('PATCH')(path, { schemas: [patchOp], Operations }, headers),
    delete: (path: string, headers?: Headers) => asking('DELETE')(path, undefined, headers),
  };
};

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
  const accept = (sent: ScimRequest) => accepted(sent, { company: company.id, by, now });

  const ask = async (sent: ScimRequest): Promise<Got> => {
    const found = accept(sent);
    return 'request' in found ? send(found.request, found.operation) : found;
  };

  /**
   * Accepted now, so stamped now; each call is one delivery of its job. `again`: under the same idempotency key, for which the ingress keeps
   * id and stamp of the first attempt.
   */
  const held = (sent: ScimRequest): ((how?: { again: true }) => Promise<Got>) => {
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
    twice: async (sent: ScimRequest): Promise<Got[]> => {
      const deliver = held(sent);
      return [await deliver(), await deliver()];
    },
  };
};

/** For the tests of a file: a store that knows the company, and its provisioner. */
export const useProvisioner = () => {
  const store = useStore();
  const idp = {} as ReturnType<typeof createProvisioner>;
  beforeAll(async () => {
    await store.companies.put<CompanySettings>(acme);
    Object.assign(idp, createProvisioner(store));
  });
  return { store, idp };
};

export const aUser = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  ...more,
});
