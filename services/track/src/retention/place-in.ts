/** The place and the workspace of a run of retention, as its job holds them. */
import { kinds } from '@roster/store';
import type { Place } from './walk.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const placeIn = (noted: unknown): Place | undefined => {
  if (!isRecord(noted)) return undefined;
  const { generation, after } = noted;
  const kind = kinds.find((one) => one === noted.kind);
  const isPlace = kind !== undefined && typeof generation === 'string' && typeof after === 'string';
  return isPlace ? { kind, generation, after } : undefined;
};

export const workspaceIn = (asked: unknown): string | undefined =>
  isRecord(asked) && typeof asked.workspace === 'string' ? asked.workspace : undefined;
