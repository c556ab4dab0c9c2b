import type { IncomingHttpHeaders } from 'node:http';

/** What of a request tells where it comes from. */
interface Origin {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/** Whether an address is that of a proxy of ours; `hop` counts from the nearest. */
export type Trusts = (address: string, hop: number) => boolean;

/** From the nearest proxy to the farthest. */
const hopsIn = (forwarded: string): string[] =>
  forwarded
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
    .reverse();

/**
 * The address of whoever calls: the nearest one for which no proxy of ours vouches, as Express has it in `request.ip`. It takes no
 * request of Express, because most requests never meet it (docs/adr/0012).
 */
export const callerOf = ({ headers, socket }: Origin, trusts: Trusts): string => {
  const nearest = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined || !trusts(nearest, 0)) return nearest;
  let caller = nearest;
  for (const [index, hop] of hopsIn(String(forwarded)).entries()) {
    caller = hop;
    if (!trusts(hop, index + 1)) break;
  }
  return caller;
};
