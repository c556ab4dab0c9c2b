/** What the board may show of a job: which requests, how many, since when. Never what they say of people. */
import { operationById } from '@roster/contract';
import { maskText } from '@roster/runtime';

type Fields = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Ids, workspaces, operations and stamps are ours; everything else of a request is the caller's. */
const requestOutside = (request: unknown): unknown => {
  if (Array.isArray(request)) return requestOutside({ id: request[0], ws: request[1], op: request[2] });
  if (!isRecord(request)) return {};
  const { id, ws, op, at } = request;
  return { id, ws, op, at };
};

/** A group of requests, or a dead letter. */
export const maskData = (data: unknown): unknown => {
  if (!isRecord(data)) return {};
  const { v, entries, bytes, requests, id, queue, code, reason, at, request } = data;
  if (Array.isArray(requests))
    return { v, entries, bytes, requests: requests.slice(0, 100).map(requestOutside) };
  if (!request) return {};
  return { id, queue, code, at, reason: maskText(String(reason ?? '')), request: requestOutside(request) };
};

export const maskName = (name: unknown): string =>
  typeof name === 'string' && (name === 'group' || operationById(name)) ? name : '(hidden)';

const maskAll = (lines: unknown): unknown =>
  Array.isArray(lines) ? lines.map((line) => maskText(String(line))) : lines;

/** A job as bull-board sees it: reasons and stack traces of failures quote values, so they are masked too. */
export const maskJob = (job: Fields): Fields => ({
  ...job,
  name: maskName(job.name),
  data: maskData(job.data),
  returnvalue: null,
  progress: 0,
  failedReason: job.failedReason === undefined ? undefined : maskText(String(job.failedReason)),
  deferredFailure: undefined,
  stacktrace: maskAll(job.stacktrace),
});
