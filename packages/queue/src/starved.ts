/** Processes that get too little of the processors, for those who look: a note in Redis for each service, which goes when nobody renews it. */
import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { openConnection } from './connection.ts';
import { starvedKey } from './names.ts';
import { readNotes } from './notes.ts';

/** A starved process is late with everything, this note included. */
const keptSeconds = 60;

interface Processor {
  readonly service: string;
  hear(hear: (share: number | undefined) => void): void;
}

interface StarvedNote {
  service: string;
  host: string;
  /** Of the last minute it had work and no processor. */
  share: number;
}

/** The connection is opened when there is something to report. */
export const reportStarved = (url: string, { service, hear }: Processor) => {
  let redis: Redis | undefined;
  let writing: Promise<unknown> | undefined;
  const key = starvedKey(service);
  const write = (on: Redis, share: number | undefined): Promise<unknown> =>
    share === undefined
      ? on.del(key)
      : on.set(key, JSON.stringify({ service, host: hostname(), share }), 'EX', keptSeconds);
  hear((share) => {
    // Redis is away: the next look comes in seconds.
    if (writing) return;
    redis ??= openConnection('patient', url);
    const done = (): void => {
      writing = undefined;
    };
    // The process has said it in its log.
    writing = write(redis, share).then(done, done);
  });
  return { close: (): void => redis?.disconnect() };
};

/** One for each service: of several starved processes the one that told it last. */
export const readStarved = (redis: Redis, services: readonly string[]): Promise<StarvedNote[]> =>
  readNotes<StarvedNote>(redis, services.map(starvedKey));

export const sentenceOf = ({ service, host, share }: StarvedNote): string =>
  `${service} on ${host} waits for a processor ${Math.round(100 * share)} % of the time`;
