import type { Redis } from 'ioredis';

/** Settings that Redis needs to keep accepted requests, each with the damage without it. */
const required = {
  'maxmemory-policy': { value: 'noeviction', why: 'Redis may throw accepted requests away' },
  appendonly: { value: 'yes', why: 'a restart of Redis loses accepted requests' },
  appendfsync: { value: 'always', why: 'a power cut loses accepted requests' },
} as const;

/** A sentence for each setting of this Redis that breaks the promise; none if all are right. */
export const unsafeSettings = async (redis: Redis): Promise<string[]> => {
  const findings: string[] = [];
  for (const [name, { value, why }] of Object.entries(required)) {
    const answer = (await redis.config('GET', name)) as string[];
    const found = answer[1] ?? 'unknown';
    if (found !== value) findings.push(`Redis has ${name} ${found}: ${why}. Set ${name} ${value}.`);
  }
  return findings;
};

/** Refuses to start on a Redis that may lose accepted requests, unless that is allowed. */
export const assertSafe = async (redis: Redis, allowUnsafe: boolean): Promise<string[]> => {
  const findings = await unsafeSettings(redis);
  if (findings.length > 0 && !allowUnsafe) {
    throw new Error(`${findings.join(' ')} Or accept the loss with ROSTER_ALLOW_UNSAFE_REDIS=true.`);
  }
  return findings;
};
