/** Connections that are kept from one message to the next, within bounds. */
import type { Names } from '@roster/names';
import { Agent } from 'undici';
import type { Answer, Leave } from '../outgoing.ts';
import { createPlaces } from '../places.ts';
import { connectorWith, mostAnswerBytes } from './bounded-answers.ts';
import { publicOnly } from './private-ips.ts';

/** Shorter than any server keeps one: on a connection that its peer is just closing a message may be lost. */
const idleMs = 2_000;

/** Connections to one host, requests under way in all, and hosts whose connections are kept. */
const most = { ofHost: 128, inAll: 1024, keptHosts: 256 };

/** After so long other hosts may be kept. */
const hostsMs = 10_000;

const agentWith = (more: Agent.Options): Agent =>
  new Agent({
    connections: most.ofHost,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: mostAnswerBytes,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // Each request has a time limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...more,
  });

const createKeptHosts = () => {
  const hosts = new Set<string>();
  let since = performance.now();
  return (host: string): boolean => {
    if (performance.now() - since > hostsMs) {
      hosts.clear();
      since = performance.now();
    }
    if (hosts.size < most.keptHosts) hosts.add(host);
    return hosts.has(host);
  };
};

/** Hosts are judged when they are connected to. So a connection to a private host serves only those who may use it. */
export const openConnections = (names: Names) => {
  // The name was found a moment ago: it is remembered.
  const lookup = names.lookupFor('');
  const [open, guarded] = [
    agentWith({ connect: connectorWith({ lookup }) }),
    agentWith({ connect: connectorWith({ lookup: publicOnly(lookup) }) }),
  ];
  const [atHost, inAll] = [createPlaces(most.ofHost), createPlaces(most.inAll)];
  return {
    agentFor: (allowPrivate: boolean): Agent => (allowPrivate ? open : guarded),
    /** Whether a connection to it waits for the next message. A text may name another host for each person. */
    isKept: createKeptHosts(),
    names,
    /** Begins when there is room for another request to the host, and in all. */
    inPlace: <Done>(host: string, leave: Leave, work: () => Promise<Done>): Promise<Done | Answer> =>
      atHost(host, leave, () => inAll('all', leave, work)),
    close(): void {
      for (const agent of [open, guarded]) void agent.destroy();
    },
  };
};

export type Connections = ReturnType<typeof openConnections>;
