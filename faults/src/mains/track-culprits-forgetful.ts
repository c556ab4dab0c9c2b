// Forgets at every start which requests were at work when a process ended.
import { eachSuspects } from './parts/suspects.ts';

await eachSuspects((redis, key) => redis.del(key));
await import('./track-culprits.ts');
