/**
 * What the client has to know of each operation when it runs. It is worked out from the table: here as the module is loaded, in the
 * published package as it is built (build/build.mjs), so that neither schemas nor their validators are part of it.
 */
import { operations } from '@roster/contract';

type Row = (typeof operations)[number];

/** How the next page is asked for: by a cursor under this name in the answer, by an offset, or by a position from 1. */
export type Paging = { cursor: string } | { offset: string } | { start: string };

export interface Known {
  id: string;
  method: string;
  path: string;
  /** It takes a body. */
  body?: true;
  /** It takes a query. */
  query?: true;
  /** It changes something: it has an idempotency key. */
  writes?: true;
  scim?: true;
  paging?: Paging;
}

const listIn = ({ responses, success }: Row): string => {
  const members: Record<string, { type?: unknown }> = responses[success]?.properties ?? {};
  return Object.keys(members).find((name) => members[name]?.type === 'array' && name !== 'schemas') ?? '';
};

const pagingOf = (row: Row): Paging | undefined => {
  const asked = row.request.query?.properties ?? {};
  if ('cursor' in asked) {
    const members = row.responses[row.success]?.properties ?? {};
    return { cursor: 'next_cursor' in members ? 'next_cursor' : 'cursor' };
  }
  if ('offset' in asked) return { offset: listIn(row) };
  return 'startIndex' in asked ? { start: listIn(row) } : undefined;
};

const knownOf = (row: Row): Known => {
  const { id, method, path, request, kind, auth } = row;
  const paging = pagingOf(row);
  return {
    id,
    method,
    path,
    ...(request.body && { body: true }),
    ...(request.query && { query: true }),
    ...(kind === 'write' && { writes: true }),
    ...(auth === 'scim' && { scim: true }),
    ...(paging && { paging }),
  };
};

export const table: readonly Known[] = operations.map(knownOf);
