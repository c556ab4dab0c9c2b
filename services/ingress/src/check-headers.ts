/** The headers of a request that describe its body. */
import type { IncomingMessage } from 'node:http';
import { type Dialect, Rejection } from '@roster/contract';

const json = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const contentTypes: Record<Dialect, RegExp> = {
  rest: json,
  activity: json,
  scim: /^application\/(scim\+)?json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
};

/** The length that the caller announces, or undefined without one. */
export const announcedLength = ({ headers }: IncomingMessage): number | undefined => {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
};

/** The checks before a byte of the body is read. */
export const checkHeaders = (request: IncomingMessage, limit: number, dialect: Dialect = 'rest'): void => {
  const { headers } = request;
  if (!contentTypes[dialect].test(headers['content-type'] ?? ''))
    throw new Rejection('CONTENT_TYPE_UNSUPPORTED');
  const encoding = headers['content-encoding'];
  if (encoding && encoding !== 'identity') throw new Rejection('CONTENT_TYPE_UNSUPPORTED');
  if ((announcedLength(request) ?? 0) > limit) throw new Rejection('BODY_TOO_LARGE');
};
