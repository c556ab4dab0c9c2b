/** What the board shows of a job: its outside, and of that only what the viewer may see. */
import { operationById } from '@roster/contract';
import { maskText } from '@roster/runtime';
import type { Viewer } from './viewer.ts';

type JobFields = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is JobFields => typeof value === 'object' && value !== null;

const mostShown = 100;

const workspaceOf = (request: unknown): string => {
  const ws = Array.isArray(request) ? request[1] : isRecord(request) ? request.ws : undefined;
  return String(ws);
};

/** Ids, workspaces, operations and stamps are ours; everything else of a request is the caller's. */
const requestOutside = (request: unknown): unknown => {
  if (Array.isArray(request)) return requestOutside({ id: request[0], ws: request[1], op: request[2] });
  if (!isRecord(request)) return {};
  const { id, ws, op, at } = request;
  return { id, ws, op, at };
};

/** Of a group with requests of several workspaces: those of the viewer, and how many others there are. */
const groupOutside = ({ v, entries, bytes }: JobFields, requests: readonly unknown[], { sees }: Viewer) => {
  const seen = requests.filter((request) => sees(workspaceOf(request)));
  const others = requests.length - seen.length;
  const shown = seen.slice(0, mostShown).map(requestOutside);
  return { v, entries, bytes, requests: shown, ...(others > 0 && { others }) };
};

/** A group of requests, or a dead letter. */
export const maskData = (data: unknown, viewer: Viewer): JobFields => {
  if (!isRecord(data)) return {};
  const { requests, id, queue, code, reason, at, request } = data;
  if (Array.isArray(requests)) return groupOutside(data, requests, viewer);
  if (!request || !viewer.sees(workspaceOf(request))) return {};
  return { id, queue, code, at, reason: maskText(String(reason ?? '')), request: requestOutside(request) };
};

/** Hides a dead letter of another workspace. A group stays visible from outside: the number of waiting jobs is no secret. */
export const isHidden = (data: unknown, { sees }: Viewer): boolean =>
  isRecord(data) && data.request !== undefined && !sees(workspaceOf(data.request));

const isWhollySeen = (data: unknown, { isOperator, sees }: Viewer): boolean => {
  if (isOperator) return true;
  if (!isRecord(data)) return false;
  const { requests, request } = data;
  if (Array.isArray(requests)) return requests.every((one) => sees(workspaceOf(one)));
  return request !== undefined && sees(workspaceOf(request));
};

export const maskName = (name: unknown): string =>
  typeof name === 'string' && (name === 'group' || operationById(name)) ? name : '(hidden)';

const maskAll = (lines: unknown): unknown =>
  Array.isArray(lines) ? lines.map((line) => maskText(String(line))) : lines;

const notTheirs = { failedReason: '(hidden)', stacktrace: [] };

/** A job as bull-board sees it: reasons and stack traces of failures quote values, so they are masked too. */
export const maskJob = (job: JobFields, viewer: Viewer): JobFields => ({
  ...job,
  name: maskName(job.name),
  data: maskData(job.data, viewer),
  returnvalue: null,
  progress: 0,
  failedReason: job.failedReason === undefined ? undefined : maskText(String(job.failedReason)),
  deferredFailure: undefined,
  stacktrace: maskAll(job.stacktrace),
  ...(!isWhollySeen(job.data, viewer) && job.failedReason !== undefined && notTheirs),
});
