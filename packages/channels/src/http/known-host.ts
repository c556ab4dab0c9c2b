/** Whether the IPs of a host are known. A message takes no place at a server before, so that a silent name server fills none. */
import { isNameError, type Names } from '@roster/names';
import type { Answer, Leave } from '../outgoing.ts';
import { noPublicHost } from './private-ips.ts';

interface KnownHostOptions {
  names: Names;
  leave: Leave;
  allowPrivate: boolean;
}

/** Why a message to this host comes later; `undefined`: it may leave. */
export const whyUnknown = async (
  host: string,
  { names, leave, allowPrivate }: KnownHostOptions,
): Promise<Answer | undefined> => {
  try {
    await names.find(host, leave);
    return undefined;
  } catch (error) {
    if (!isNameError(error)) throw error;
    const { code, message: words, afterMs } = error;
    if (code === 'name_busy') return { state: 'later', reason: 'busy', words, unbegun: true };
    // Without a time: there is none for a name in a private network.
    if (code === 'name_not_found' && !allowPrivate)
      return { state: 'later', reason: 'no_connection', words: noPublicHost(host) };
    return { state: 'later', reason: code, words, afterMs };
  }
};
