/** The form of a job on the board: its outside, and of that only the part that the viewer may see. */
import { operationById } from '@roster/contract';
import { maskText } from '@roster/runtime';
import { type Fields, isRecord, maskData, workspaceOf } from './outside.ts';
import type { Viewer } from './viewer.ts';

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
export const maskJob = (job: Fields, viewer: Viewer): Fields => ({
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
