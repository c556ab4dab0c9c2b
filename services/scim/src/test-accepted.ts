/** For tests: requests as the ingress accepts them. */
import { companyScope } from '@roster/access';
import {
  type AcceptedRequest,
  createJudge,
  type Operation,
  operations,
  scimErrorBody,
} from '@roster/contract';

export interface Sent {
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

const judge = createJudge();

const judgeSettings = {
  maxUpdates: 0,
  blockedExternalIds: new Set<string>(),
  suspiciousExternalIds: new Set<string>(),
  groups: new Map(),
  apps: new Set<string>(),
  tags: new Set<string>(),
};

const matches = (
  { method, path }: Operation,
  sent: Sent,
  place: string,
): Record<string, string> | undefined => {
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const found = method === sent.method ? pattern.exec(place) : null;
  return found ? { ...found.groups } : undefined;
};

const operationAt = (sent: Sent, place: string) => {
  for (const operation of operations) {
    const params = matches(operation, sent, place);
    if (params) return { operation, params };
  }
  throw new Error(`no operation for ${sent.method} ${place}`);
};

export const callerWaitsMs = 10_000;

/** Unique stamps of the current time: for an old request the caller would not wait any more. */
let last = 0;
export const stampAt = (ms: number): number => {
  last = Math.max(last + 1, ms * 1000);
  return last;
};

interface Caller {
  company: string;
  by: string;
  now(): number;
}

export const accepted = (
  sent: Sent,
  { company, by, now }: Caller,
): { operation: Operation; request: AcceptedRequest } | Got => {
  const [place = '', search = ''] = sent.path.split('?', 2);
  const { operation, params } = operationAt(sent, place);
  const input = {
    ...(operation.request.params && { params: decoded(params) }),
    ...(operation.request.query && { query: Object.fromEntries(new URLSearchParams(search)) }),
    ...(operation.request.body && { body: sent.body }),
  };
  const verdict = judge(operation, input, judgeSettings);
  if (!verdict.ok)
    return { status: verdict.rejection.status, body: scimErrorBody(verdict.rejection), headers: {} };
  const stamp = stampAt(now());
  const id = `r${stamp.toString(36)}-00000000`;
  const { headers } = sent;
  const request = {
    id,
    ws: companyScope(company),
    op: operation.id,
    at: stamp,
    by,
    ...verdict.accepted,
  };
  return { operation, request: { ...request, ...(headers && { headers }) } };
};

const decoded = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
