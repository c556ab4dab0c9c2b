import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';

/** Whether an IP address belongs to a trusted proxy; `hop` counts from the nearest. */
export type Trusts = (ip: string, hop: number) => boolean;

/** `trustedProxies`: IPs and ranges, with commas or spaces between them. */
export const trustsOf = (trustedProxies: string): Trusts =>
  proxyAddress.compile(trustedProxies.split(/[\s,]+/).filter((range) => range !== ''));

/**
 * The IP of the caller: the nearest one that is no trusted proxy, as Express has it in `request.ip`. It takes no request of Express, because
 * most requests never reach Express (docs/adr/ingress.md). The `X-Forwarded-For` of an untrusted caller is not parsed: 16 KB would cost 170 us.
 */
export const callerOf = (request: IncomingMessage, trusts: Trusts): string => {
  const nearest = request.socket.remoteAddress ?? '';
  return trusts(nearest, 0) ? proxyAddress(request, trusts) : nearest;
};
