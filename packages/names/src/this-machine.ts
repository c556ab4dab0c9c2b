/** What never leaves this machine, so nobody can read it on the way. */
import { isIP } from 'node:net';

const loopback = /^(::ffff:)?127\.|^::1$/;

export const isLoopback = (ip: string): boolean => loopback.test(ip);

const isLoopbackIp = (host: string): boolean => isIP(host) !== 0 && isLoopback(host);

/** As the host of a URL writes it: a name, an IP, or `[::1]`. Other names may lead anywhere. */
export const isThisMachine = (host: string): boolean =>
  /(^|\.)localhost\.?$/i.test(host) || isLoopbackIp(host.replace(/^\[|\]$/g, ''));

/** Whether others can read on the way what is sent to this URL. A host with a place in it may be any. */
export const isInClear = (url: string): boolean => {
  if (url.startsWith('https://')) return false;
  return !URL.canParse(url) || !isThisMachine(new URL(url).hostname);
};
