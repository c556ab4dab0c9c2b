import { tripwire } from './parts/folds.ts';
import { shortLocks, track } from './parts/track.ts';

await track({ fold: tripwire('deadly', () => process.kill(process.pid, 'SIGKILL')), ...shortLocks });
