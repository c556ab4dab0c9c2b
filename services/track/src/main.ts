import { run } from '@roster/runtime';
import { startTrack } from './start.ts';

run('track', startTrack);
