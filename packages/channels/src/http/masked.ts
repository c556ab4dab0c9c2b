/** A request without its credentials, to be shown. */
import type { HttpRequest } from './request.ts';

const hidden = '***';

const isSecret = (name: string): boolean =>
  /auth|cookie|secret|signature|passw|token|session|credential|api[-_]?key|(^|[-_])(key|sig|pwd)$/i.test(
    name,
  ) && !/^idempotency-key$/i.test(name);

/** The scheme of a header says nothing about its key. */
const maskedValue = (value: string): string =>
  value.replace(/^(?:(Basic|Bearer) )?.+$/is, (_, scheme?: string) =>
    scheme ? `${scheme} ${hidden}` : hidden,
  );

/** As it is written, but for names and passwords. */
const maskedUrl = (text: string): string =>
  text
    .replace(/^([a-z]+:[/\\]*)[^/\\?#]*@/i, `$1${hidden}@`)
    .replace(/([?&])([^=&#]*)=([^&#]*)/g, (all, mark: string, name: string) =>
      isSecret(name) ? `${mark}${name}=${hidden}` : all,
    );

export const masked = <Request extends HttpRequest>({ url, headers, ...request }: Request) => ({
  ...request,
  url: maskedUrl(url),
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? maskedValue(value) : value]),
  ),
});
