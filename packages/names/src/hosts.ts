/** The hosts file: https://man7.org/linux/man-pages/man5/hosts.5.html */
import { isIP } from 'node:net';

type Hosts = ReadonlyMap<string, readonly string[]>;

/** The IPs of each name, in small letters. */
export const parseHosts = (text: string): Hosts => {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [ip = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(ip) === 0) continue;
    for (const name of names) {
      const ips = hosts.get(name.toLowerCase()) ?? [];
      ips.push(ip);
      hosts.set(name.toLowerCase(), ips);
    }
  }
  return hosts;
};

const loopback = ['127.0.0.1', '::1'];

/** RFC 6761 6.3 and 6.4: no name server is asked for these. The hosts file comes before. */
const specialIps = (name: string): readonly string[] | undefined => {
  if (/(^|\.)localhost$/.test(name)) return loopback;
  return /(^|\.)invalid$/.test(name) ? [] : undefined;
};

/** `undefined`: name servers have to be asked. Empty: there is no such name. */
export const ipsOnThisMachine = (host: string, hosts: Hosts): readonly string[] | undefined => {
  if (isIP(host) !== 0) return [host];
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.get(name) ?? specialIps(name);
};
