import type { Fault } from '../harness/fault.ts';
import { deadly } from './deadly.ts';
import { exactlyOnce } from './exactly-once.ts';
import { graceful } from './graceful.ts';
import { idempotency } from './idempotency.ts';
import { lastWins } from './last-wins.ts';
import { mongoAway } from './mongo-away.ts';
import { overload } from './overload.ts';
import { poison } from './poison.ts';
import { powerCut } from './power-cut.ts';
import { redisAway } from './redis-away.ts';
import { tornGroup } from './torn-group.ts';
import { zombie } from './zombie.ts';

/** The longest first, so that several at once end together. */
export const faults: Fault[] = [
  exactlyOnce,
  deadly,
  zombie,
  graceful,
  redisAway,
  lastWins,
  overload,
  powerCut,
  mongoAway,
  poison,
  tornGroup,
  idempotency,
];
