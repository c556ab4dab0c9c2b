import { run } from '@roster/runtime';
import { startIdentity } from './start.ts';

run('identity', startIdentity);
