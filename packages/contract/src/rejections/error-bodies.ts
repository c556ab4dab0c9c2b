/** How each dialect words a rejection. */
import type { Dialect } from './error-shapes.ts';
import { type Rejection, rejectionBody, rejections, scimErrorBody } from './rejections.ts';

/** Word for word as clients know them. */
const noJson =
  "\nProblem:\n  message body does not match declared format\nResolution:\n  when specifying application/json as content-type, you must pass valid application/json in the request's 'body' ";

/** The same rejection as requests about live activities get it. */
const activityErrorBody = ({ code, message }: Rejection) =>
  code === 'BODY_NOT_JSON' ? { error: noJson } : { error: message, message, code };

const bodies: Record<Dialect, (rejection: Rejection) => object> = {
  rest: rejectionBody,
  scim: scimErrorBody,
  activity: activityErrorBody,
};

/** A rejection in the words of a dialect. */
export const errorBodyIn = (dialect: Dialect | undefined, rejection: Rejection): object =>
  bodies[dialect ?? 'rest'](rejection);

/** Statuses of errors that pass: the same request may be taken later. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 503]);

/** The header that says whether the same request, under the same idempotency key, may be taken later. */
export const retryHeader = 'X-Roster-Retry';

/** Which case of the catalogue it is, as sentences may be reworded and those that name a place differ; what the caller can do, and whether to try again. */
export const errorHeadersOf = ({
  code,
  headers,
}: Pick<Rejection, 'code' | 'headers'>): Record<string, string> => ({
  'X-Roster-Error': code,
  'X-Roster-Remedy': rejections[code].remedy,
  [retryHeader]: String(passing.has(rejections[code].status)),
  ...headers,
});
