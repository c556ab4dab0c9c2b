import { unlimited } from '@roster/testkit';
import type { Redis } from 'ioredis';

/** No limit of a company, in the serving copy alone. */
export const liftCompanyLimits = async (redis: Redis, company: string): Promise<void> => {
  const text = await redis.hget('roster:companies', company);
  if (!text) throw new Error(`there is no company ${company}`);
  const settings = JSON.parse(text) as { limits: Record<string, unknown> };
  settings.limits.scim = unlimited;
  await redis.hset('roster:companies', company, JSON.stringify(settings));
  await redis.publish('roster:access', `company:${company}`);
};
