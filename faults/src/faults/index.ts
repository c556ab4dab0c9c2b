import type { Fault } from '../harness/fault.ts';
import { consent } from './consent.ts';
import { deadly } from './deadly.ts';
import { early } from './early.ts';
import { erasure } from './erasure.ts';
import { exactlyOnce } from './exactly-once.ts';
import { graceful } from './graceful.ts';
import { hotUser } from './hot-user.ts';
import { idempotency } from './idempotency.ts';
import { identity } from './identity.ts';
import { inOrder } from './in-order.ts';
import { lastWins } from './last-wins.ts';
import { mergeRaces } from './merge-races.ts';
import { mongoAway } from './mongo-away.ts';
import { noisyNeighbour } from './noisy-neighbour.ts';
import { overload } from './overload.ts';
import { poison } from './poison.ts';
import { powerCut } from './power-cut.ts';
import { redisAway } from './redis-away.ts';
import { soak } from './soak.ts';
import { tornGroup } from './torn-group.ts';
import { zombie } from './zombie.ts';

/** The longest first, so that several at once end together. */
export const faults: Fault[] = [
  exactlyOnce,
  identity,
  soak,
  mergeRaces,
  inOrder,
  erasure,
  consent,
  noisyNeighbour,
  hotUser,
  deadly,
  zombie,
  graceful,
  redisAway,
  lastWins,
  early,
  overload,
  powerCut,
  mongoAway,
  poison,
  tornGroup,
  idempotency,
];
