import { run } from '@roster/runtime';
import { startScim } from './start.ts';

await run('scim', startScim);
