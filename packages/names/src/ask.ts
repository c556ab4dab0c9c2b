/**
 * Asks name servers for the IPs of a host. Each look-up has a resolver of its own, with sockets of its own: it can be ended alone, and
 * takes the name servers from the resolv.conf of this moment. Nothing of it runs in the threads of libuv, which `getaddrinfo` fills.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { NameFault } from './name-error.ts';

type Family = 4 | 6;

type Found = { ips: readonly LookupAddress[]; ttlSeconds: number };
export type Asked = Found | { fault: NameFault };

export interface AskOptions {
  /** Instead of those of resolv.conf. */
  servers?: readonly string[] | undefined;
  families(): readonly Family[];
  /** Of a look-up, whatever its steps take. */
  limitMs: number;
  /** So long the answer about the other family is waited for. */
  otherFamilyMs: number;
}

/** Of one question to one name server, and how often it is asked. The limit of the look-up comes before. */
const question = { timeout: 1_500, tries: 4 };

/** An answer of 64 KB has four thousand. */
const mostIps = 16;

/** As with `getaddrinfo` and `AI_ADDRCONFIG`: without an IP of version 6 nobody is asked for one. */
export const familiesHere = (): readonly Family[] => {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return all.some(({ family, internal }) => family === 'IPv6' && !internal) ? [4, 6] : [4];
};

/** The other codes: name servers that cannot tell, answers that make no sense, no name server. */
const faults: Readonly<Record<string, NameFault>> = {
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  EBADNAME: 'name_not_found',
  ETIMEOUT: 'name_timeout',
  ECANCELLED: 'name_timeout',
};

/** The last one counts: only when all answers say so there is no such name. */
const byWeight: readonly NameFault[] = ['name_not_found', 'name_failed', 'name_timeout'];

const heaviest = (all: readonly NameFault[]): NameFault =>
  byWeight.findLast((fault) => all.includes(fault)) ?? 'name_not_found';

const askFamily = async (resolver: Resolver, name: string, family: Family): Promise<Asked> => {
  try {
    const records = await (family === 4
      ? resolver.resolve4(name, { ttl: true })
      : resolver.resolve6(name, { ttl: true }));
    return {
      ips: records.slice(0, mostIps).map(({ address }) => ({ address, family })),
      ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
    };
  } catch (error) {
    return { fault: faults[(error as NodeJS.ErrnoException).code ?? ''] ?? 'name_failed' };
  }
};

const isFound = (asked: Asked): asked is Found => 'ips' in asked && asked.ips.length > 0;

const merged = (answers: readonly Asked[]): Asked => {
  const found = answers.filter(isFound);
  if (found.length === 0)
    return { fault: heaviest(answers.flatMap((one) => ('fault' in one ? one.fault : []))) };
  return {
    ips: found.flatMap(({ ips }) => ips).slice(0, mostIps),
    ttlSeconds: Math.min(...found.map(({ ttlSeconds }) => ttlSeconds)),
  };
};

export const createAsk = ({ servers, families, limitMs, otherFamilyMs }: AskOptions) => {
  const underWay = new Set<AbortController>();
  let isClosed = false;

  const askName = async (resolver: Resolver, name: string): Promise<Asked> => {
    let timer: NodeJS.Timeout | undefined;
    const answers = families().map(async (family) => {
      const asked = await askFamily(resolver, name, family);
      if (isFound(asked)) timer ??= setTimeout(() => resolver.cancel(), otherFamilyMs);
      return asked;
    });
    const asked = merged(await Promise.all(answers));
    clearTimeout(timer);
    return asked;
  };

  const askInTurn = async (names: readonly string[], { signal }: AbortController): Promise<Asked> => {
    const resolver = new Resolver(question);
    if (servers) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel());
    const seen: NameFault[] = [];
    for (const name of names) {
      const asked = await askName(resolver, name);
      if (!('fault' in asked)) return asked;
      seen.push(asked.fault);
      if (signal.aborted) break;
    }
    return { fault: heaviest(seen) };
  };

  return {
    /** Under the first of these names that has IPs. */
    async ask(names: readonly string[]): Promise<Asked> {
      if (isClosed) return { fault: 'name_timeout' };
      const ending = new AbortController();
      const timer = setTimeout(() => ending.abort(), limitMs);
      underWay.add(ending);
      try {
        return await askInTurn(names, ending);
      } finally {
        clearTimeout(timer);
        underWay.delete(ending);
      }
    },
    close(): void {
      isClosed = true;
      for (const ending of underWay) ending.abort();
    },
  };
};
