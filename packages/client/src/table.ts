/**
 * What the client has to know of each operation when it runs. It is worked out from the table: here as the module is loaded, in the
 * published package as it is built (build/build.mjs), so that neither schemas nor their validators are part of it.
 */
import { operations } from '@roster/contract';

type Row = (typeof operations)[number];

/** Where the rows of a page stand, and the parameter that asks for the next one; `startIndex` counts from 1. */
export interface Paging {
  list: string;
  by: 'cursor' | 'offset' | 'startIndex';
}

const waysToPage = ['cursor', 'offset', 'startIndex'] as const;

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
  const by = waysToPage.find((way) => way in asked);
  return by && { list: listIn(row), by };
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
