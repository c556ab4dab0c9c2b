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

/** Which case of the catalogue it is, as sentences may be reworded and those that name a place differ; and what the caller can do. */
export const errorHeadersOf = ({
  code,
  headers,
}: Pick<Rejection, 'code' | 'headers'>): Record<string, string> => ({
  'X-Roster-Error': code,
  'X-Roster-Remedy': rejections[code].remedy,
  ...headers,
});
