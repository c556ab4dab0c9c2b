import { run } from '@roster/runtime';
import { startSubscription } from './start.ts';

run('subscription', startSubscription);
