import { permanentError, tripwire } from './parts/folds.ts';
import { track } from './parts/track.ts';

const poisoned = () => {
  throw permanentError();
};

await track({ fold: tripwire('poison', poisoned) });
