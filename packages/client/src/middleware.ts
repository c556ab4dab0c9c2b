/** What stands around each attempt: logging, metrics, traces. */

/** One time that a request is sent. Headers may be added before it goes on. */
export interface Attempt {
  /** `users.track` */
  operation: string;
  /** From 1. */
  number: number;
  method: string;
  url: string;
  headers: Record<string, string>;
}

export type Next = () => Promise<Response>;

/** Calls `next` and returns its response, or another one. It must not read the response's body. */
export type Middleware = (attempt: Attempt, next: Next) => Promise<Response>;

/** The first function gets the attempt, its `next` is the second one, and the last `next` sends. */
export const through = (functions: readonly Middleware[], attempt: Attempt, send: Next): Promise<Response> =>
  functions.reduceRight<Next>((next, one) => () => one(attempt, next), send)();

/** Attributes of a span or metric, named as the conventions of OpenTelemetry for HTTP clients ask. */
export const telemetryOf = (attempt: Attempt, response?: Response): Record<string, string | number> => {
  const { hostname, port, protocol, origin, pathname } = new URL(attempt.url);
  return {
    'http.request.method': attempt.method,
    'url.full': origin + pathname,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'roster.operation': attempt.operation,
    ...(attempt.number > 1 && { 'http.request.resend_count': attempt.number - 1 }),
    ...(response && { 'http.response.status_code': response.status }),
    ...(response?.headers.get('x-request-id') && {
      'roster.request_id': response.headers.get('x-request-id') ?? '',
    }),
  };
};
