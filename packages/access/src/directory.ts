/** Authenticates callers. Records of the last seconds come from memory; revocations are heard as they happen. */

import { type Access, admit, invalid } from './admit.ts';
import { createAsking, createRefresh, type DirectoryOptions, keyIn } from './asking.ts';
import { createMemory } from './header-memory.ts';
import { createScimGate, type ScimAccess, type ScimCaller } from './scim-gate.ts';

export interface Directory {
  /** Finds the key, and checks that it is good and may be used from this IP. `mayUse` checks its permission. */
  authenticate(authorization: string | undefined, ip: string): Access | Promise<Access>;
  /** The same for a SCIM token, with the origin that came along; also whether it may be used from there. */
  authenticateScim(caller: ScimCaller): Promise<ScimAccess>;
  /** Whether changes are heard, so that answers are kept; false while Redis is away. */
  listening(): boolean;
  /** Waits until changes are heard, at most so long. */
  settled(withinMs?: number): Promise<boolean>;
  /** Closes its connections too. */
  close(): Promise<void>;
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const untilTrue = async (isSo: () => boolean, withinMs: number): Promise<boolean> => {
  const end = Date.now() + withinMs;
  while (!isSo() && Date.now() < end) await wait(5);
  return isSo();
};

export const createDirectory = (options: DirectoryOptions): Directory => {
  const { reader, subscriber, pepper, now = Date.now } = options;
  const memory = createMemory(options);
  const { ask, askFor, listening } = createAsking(options, memory);
  const refresh = createRefresh(ask);

  const askAnew = (authorization: string | undefined, ip: string, time: number): Access | Promise<Access> => {
    const parsed = keyIn(authorization);
    if (authorization === undefined || !parsed) return invalid;
    if (memory.isWrong(authorization, time)) return invalid;
    return askFor(authorization, parsed, ip);
  };

  return {
    authenticate(authorization, ip) {
      const time = now();
      const entry = authorization === undefined ? undefined : memory.good(authorization);
      if (authorization === undefined || !entry || time >= entry.until)
        return askAnew(authorization, ip, time);
      if (time >= entry.refreshFrom) refresh(authorization);
      return admit(entry.granted, ip, time);
    },
    authenticateScim: createScimGate(reader, pepper, now),
    listening,
    settled: (withinMs = 2000) => untilTrue(listening, withinMs),
    async close() {
      reader.disconnect();
      subscriber.disconnect();
    },
  };
};
