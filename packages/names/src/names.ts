/** The IPs of hosts: as the hosts file says, else as name servers answer. A silent name server holds up nobody but who asks for its names. */
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createPlaces, type Leave, withinTime } from '@roster/contract';
import { type Asked, type AskOptions, createAsk, familiesHere } from './ask.ts';
import { ipsOnThisMachine, parseHosts } from './hosts.ts';
import { type NameFault, nameError } from './name-error.ts';
import { createRemembered } from './remembered.ts';
import { namesOf, parseSearch } from './search.ts';
import { createSystemFile } from './system-file.ts';

const usual = {
  families: familiesHere,
  limitMs: 5_000,
  otherFamilyMs: 500,
  hostsFile: '/etc/hosts',
  resolvFile: '/etc/resolv.conf',
  /** The files are looked at no more often. */
  filesMs: 1_000,
  /** Look-ups under way in all, and of a workspace. */
  inAll: 128,
  ofWorkspace: 4,
  /** Names whose IPs or faults are remembered. */
  remembered: 4_096,
  /** So long IPs are remembered, whatever name servers say. */
  leastMs: 10_000,
  mostMs: 60_000,
  /** A socket takes IPs that were found a moment ago: a message may wait so long for its connection. */
  spareMs: 10_000,
  /** Name servers that have answered may do better a moment later. */
  faultMs: { name_not_found: 60_000, name_timeout: 60_000, name_failed: 5_000 } satisfies Record<
    NameFault,
    number
  >,
};

export type NamesOptions = Partial<typeof usual & AskOptions>;

/** What is known of a name, and until when (`performance.now()`). */
type Known = { asked: Asked; until: number };

const toAddress = (address: string): LookupAddress => ({ address, family: isIP(address) });

/** Version 4 first, as many machines have no way out by version 6. */
const inOrder = (ips: readonly string[]): LookupAddress[] =>
  ips.map(toAddress).toSorted((a, b) => a.family - b.family);

/** What is going on under a key is not begun again. */
const once = <Done>(
  going: Map<string, Promise<Done>>,
  key: string,
  work: () => Promise<Done>,
): Promise<Done> => {
  const begun = going.get(key) ?? work().finally(() => going.delete(key));
  going.set(key, begun);
  return begun;
};

const familyOf = (family: unknown): number => Number(String(family ?? 0).replace('IPv', ''));

/** As sockets of Node ask for IPs. */
const lookupBy =
  (find: (host: string) => Promise<readonly LookupAddress[]>): LookupFunction =>
  (host, { family, all: wantsAll }, callback) => {
    const wanted = familyOf(family);
    const tell = (ips: readonly LookupAddress[]): void => {
      const right = ips.filter((one) => wanted === 0 || one.family === wanted);
      const [first] = right;
      if (!first) callback(nameError(host, 'name_not_found'), '', 0);
      else if (wantsAll) callback(null, right);
      else callback(null, first.address, first.family);
    };
    void find(host).then(tell, (error: Error) => callback(error, '', 0));
  };

export const openNames = (options: NamesOptions = {}) => {
  const all = { ...usual, ...options };
  const { leastMs, mostMs, spareMs, faultMs, inAll, ofWorkspace } = all;
  const hosts = createSystemFile(all.hostsFile, parseHosts, all.filesMs);
  const search = createSystemFile(all.resolvFile, parseSearch, all.filesMs);
  const { ask, close } = createAsk(all);
  const remembered = createRemembered<Known>(all.remembered);
  const inPlace = createPlaces(inAll, (held) => held < ofWorkspace);
  /** By name, and by workspace and name. */
  const [underWay, inLine] = [
    new Map<string, Promise<Known>>(),
    new Map<string, Promise<Known | undefined>>(),
  ];

  const lookUp = async (host: string): Promise<Known> => {
    const asked = await ask(namesOf(host, search()));
    const ms =
      'fault' in asked ? faultMs[asked.fault] : Math.min(Math.max(asked.ttlSeconds * 1_000, leastMs), mostMs);
    const known = { asked, until: performance.now() + ms };
    remembered.keep(host, known, known.until + ('fault' in asked ? 0 : spareMs));
    return known;
  };

  const fresh = (host: string): Known | undefined => {
    const known = remembered.at(host);
    return known && performance.now() < known.until ? known : undefined;
  };

  /** A look-up goes on when its caller's time is over: what it comes to is remembered for the next try. */
  const inTurn = (host: string, leave: Leave): Promise<Known | undefined> =>
    once(inLine, `${leave.ws} ${host}`, () =>
      inPlace('', leave, async () => fresh(host) ?? once(underWay, host, () => lookUp(host))),
    );

  const inTime = (work: Promise<Known | undefined>, { until }: Leave): Promise<Known | undefined> =>
    until === Number.POSITIVE_INFINITY ? work : withinTime(until - performance.now(), work, () => undefined);

  const findBy = async (
    at: (host: string) => Known | undefined,
    given: string,
    leave: Leave,
  ): Promise<readonly LookupAddress[]> => {
    const host = given.toLowerCase();
    const here = ipsOnThisMachine(host, hosts());
    if (here?.length === 0) throw nameError(given, 'name_not_found');
    if (here) return inOrder(here);
    const known = at(host) ?? (await inTime(inTurn(host, leave), leave));
    if (!known) throw nameError(given, 'name_busy');
    if ('fault' in known.asked)
      throw nameError(given, known.asked.fault, Math.max(0, known.until - performance.now()));
    return known.asked.ips;
  };

  return {
    /** Rejects with a `NameError`. */
    find: (host: string, leave: Leave) => findBy(fresh, host, leave),
    /** For sockets that are connected for this workspace. */
    lookupFor: (ws: string): LookupFunction =>
      lookupBy((host) => findBy(remembered.at, host, { ws, until: Number.POSITIVE_INFINITY })),
    /** What is being looked up ends. */
    close,
  };
};

export type Names = ReturnType<typeof openNames>;
