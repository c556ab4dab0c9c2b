import type { Redis } from 'ioredis';

/** Settings without which "accepted" would not mean "kept", each with the loss that it prevents. */
const required = {
  'maxmemory-policy': { value: 'noeviction', why: 'Redis may throw accepted requests away' },
  appendonly: { value: 'yes', why: 'a restart of Redis loses accepted requests' },
  appendfsync: { value: 'always', why: 'a power cut loses accepted requests' },
} as const;

/** One sentence for each setting of this Redis that breaks the promise; none when all is well. */
export const unsafeSettings = async (redis: Redis): Promise<string[]> => {
  const findings: string[] = [];
  for (const [name, { value, why }] of Object.entries(required)) {
    const answer = (await redis.config('GET', name)) as string[];
    const found = answer[1] ?? 'unknown';
    if (found !== value) findings.push(`Redis has ${name} ${found}: ${why}. Set ${name} ${value}.`);
  }
  return findings;
};

/** Refuses to start on a Redis that is not durable, unless a setting allows it. */
export const assertSafe = async (redis: Redis, allowUnsafe: boolean): Promise<string[]> => {
  const findings = await unsafeSettings(redis);
  if (findings.length > 0 && !allowUnsafe) {
    throw new Error(`${findings.join(' ')} Or accept the loss with ROSTER_ALLOW_UNSAFE_REDIS=true.`);
  }
  return findings;
};
