/** The outside of a job: its data without personal data. */
import { maskText } from '@roster/runtime';
import type { Viewer } from './viewer.ts';

export type Fields = Readonly<Record<string, unknown>>;
export const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const mostShown = 100;

export const workspaceOf = (request: unknown): string => {
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
const groupOutside = (
  { v, entries, bytes }: Fields,
  requests: readonly unknown[],
  { sees }: Viewer,
): Fields => {
  const seen = requests.filter((request) => sees(workspaceOf(request)));
  const others = requests.length - seen.length;
  const shown = seen.slice(0, mostShown).map(requestOutside);
  return { v, entries, bytes, requests: shown, ...(others > 0 && { others }) };
};

/** A group of requests, or a dead letter. */
export const maskData = (data: unknown, viewer: Viewer): Fields => {
  if (!isRecord(data)) return {};
  const { requests, id, queue, code, reason, at, request } = data;
  if (Array.isArray(requests)) return groupOutside(data, requests, viewer);
  if (!request || !viewer.sees(workspaceOf(request))) return {};
  return { id, queue, code, at, reason: maskText(String(reason ?? '')), request: requestOutside(request) };
};
