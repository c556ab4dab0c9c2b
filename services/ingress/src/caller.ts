import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';

/** Whether an address is that of a proxy of ours; `hop` counts from the nearest. */
export type Trusts = (address: string, hop: number) => boolean;

/**
 * The address of whoever calls: the nearest one for which no proxy of ours vouches, as Express has it in `request.ip`. It takes no request of
 * Express, because most requests never meet it (docs/adr/0012). What a stranger says of others is not read: 16 KB of it would cost 170 us.
 */
export const callerOf = (request: IncomingMessage, trusts: Trusts): string => {
  const nearest = request.socket.remoteAddress ?? '';
  return trusts(nearest, 0) ? proxyAddress(request, trusts) : nearest;
};
