import { passingError, tripwire } from './parts/folds.ts';
import { track } from './parts/track.ts';

const poisoned = () => {
  throw passingError();
};

await track({ fold: tripwire('poison', poisoned) });
