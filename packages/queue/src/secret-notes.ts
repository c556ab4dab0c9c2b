/** Which secrets the running processes know, for `roster status`: how many, and their dates. A note in Redis for each service, which goes when nobody renews it. */
import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { openConnection } from './connection.ts';
import { secretNoteKey } from './names.ts';
import { readNotes } from './notes.ts';

const usualEveryMs = 60_000;

/** Of three times one may be missed, and one be late. */
const keptSeconds = 180;

interface Knowing {
  readonly service: string;
  /** The dates of ROSTER_SECRET_ALSO; undefined for a process that reads no secret. */
  readonly secretsUntil?: readonly Date[] | undefined;
}

export interface SecretNote {
  service: string;
  until: readonly string[];
}

/** A connection for each note: processes need no other for this. */
export const reportSecrets = (url: string, { service, secretsUntil }: Knowing, everyMs = usualEveryMs) => {
  if (!secretsUntil) return { close: (): void => {} };
  let under: Redis | undefined;
  const text = JSON.stringify({ service, host: hostname(), until: secretsUntil });
  const write = (): void => {
    if (under) return;
    const redis = openConnection('patient', url);
    under = redis;
    const done = (): void => {
      redis.disconnect();
      under = undefined;
    };
    // Redis is away: others tell, and the next note comes in a minute.
    redis.set(secretNoteKey(service), text, 'EX', keptSeconds).then(done, done);
  };
  write();
  const timer = setInterval(write, everyMs);
  timer.unref();
  return {
    close(): void {
      clearInterval(timer);
      under?.disconnect();
    },
  };
};

/** One for each service: of several processes the one that wrote last. */
export const readSecretNotes = (redis: Redis, services: readonly string[]): Promise<SecretNote[]> =>
  readNotes<SecretNote>(redis, services.map(secretNoteKey));
