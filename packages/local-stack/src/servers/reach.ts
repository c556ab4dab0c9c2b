/** Servers that are used by their URL: whether one answers is said at once, and not after minutes of waiting. */
import { once } from 'node:events';
import { connect } from 'node:net';

interface Place {
  host: string;
  port: number;
}

/** Of a Redis, and of its Sentinels where these are named instead. */
const usualPorts: Readonly<Record<string, number>> = {
  redis: 6379,
  rediss: 6379,
  'redis+sentinel': 26_379,
  'rediss+sentinel': 26_379,
  mongodb: 27_017,
};

/** None of a URL that names its servers by DNS. */
const placesIn = (url: string): Place[] => {
  const [, scheme = '', hosts = ''] = /^([a-z+]+):\/\/(?:[^/]*@)?([^/?]*)/.exec(url.toLowerCase()) ?? [];
  const usualPort = usualPorts[scheme];
  if (usualPort === undefined) return [];
  return hosts.split(',').flatMap((one) => {
    const [, ipv6, name, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(one) ?? [];
    const host = ipv6 ?? name;
    return host === undefined ? [] : [{ host, port: Number(port ?? usualPort) }];
  });
};

const withinMs = 5_000;

const reach = async (place: Place): Promise<void> => {
  const socket = connect(place);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(withinMs) });
  } finally {
    socket.destroy();
  }
};

interface Named {
  name: string;
  variable: string;
  url: string;
}

/** One of several servers is enough. */
export const assertReachable = async ({ name, variable, url }: Named): Promise<void> => {
  const places = placesIn(url);
  if (places.length === 0) return;
  try {
    await Promise.any(places.map(reach));
  } catch {
    const all = places.map(({ host, port }) => `${host}:${port}`).join(' and ');
    throw new Error(
      `${name} at ${all} does not answer. ${variable} names it: start it, correct ${variable}, or leave it out, and npm start starts a ${name} of its own.`,
    );
  }
};
