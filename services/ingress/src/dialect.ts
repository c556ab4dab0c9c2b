/** In which dialect a caller is answered: how errors are worded, and which content type is sent. */
import type { IncomingMessage } from 'node:http';
import { type Dialect, errorBodyIn, errorHeadersOf, operations, type Rejection } from '@roster/contract';
import type { CallerAnswer } from './answer.ts';

export const rejectionAnswer = (rejection: Rejection, dialect: Dialect = 'rest'): CallerAnswer => ({
  status: rejection.status,
  body: JSON.stringify(errorBodyIn(dialect, rejection)),
  headers: errorHeadersOf(rejection),
});

const scimJson = 'application/scim+json';

/** SCIM's own content type for those who ask for it. */
export const spoken = (
  answer: CallerAnswer,
  request: IncomingMessage,
  dialect: Dialect = 'rest',
): CallerAnswer => {
  if (dialect !== 'scim' || !request.headers.accept?.toLowerCase().includes(scimJson)) return answer;
  return { ...answer, headers: { 'Content-Type': `${scimJson}; charset=utf-8`, ...answer.headers } };
};

/** Where each dialect but the usual one is spoken, also on unknown paths: `/scim/v2/`. */
const places = new Map(
  operations.flatMap(({ path, dialect }): [string, Dialect][] =>
    dialect && dialect !== 'rest' ? [[`${path.split('/').slice(0, 3).join('/')}/`, dialect]] : [],
  ),
);

export const dialectAt = (path: string): Dialect => {
  for (const [place, dialect] of places) if (path.startsWith(place)) return dialect;
  return 'rest';
};
