import { setTimeout as sleep } from 'node:timers/promises';
import {
  forgetfulMarks,
  lastWrittenWins,
  nobodyWaits,
  noDeletionPending,
  noLoadLimits,
  preparedUnstamped,
  startTrack,
} from '@roster/track-service';
import { withCulprits } from './parts/culprits.ts';
import {
  failingInOneOf,
  forgettingSince,
  passingError,
  permanentError,
  searchingFold,
  slowFold,
  tripwire,
} from './parts/folds.ts';
import { lateInOneOf } from './parts/late.ts';
import { patience, shortLocks } from './parts/locks.ts';
import { plainWrites, resigned, slowMarks } from './parts/marks.ts';
import { commitCarelessly, withoutMongoHeartbeat, withoutRedisHeartbeat } from './parts/servers.ts';
import { eachSuspects } from './parts/suspects.ts';
import { after, exchanging, runVariant } from './parts/variant.ts';

const by = exchanging(startTrack);

const { LINGER_MS: lingerMs = '30' } = process.env;

/** A turn is done and its jobs are not yet: long enough that some of those who are killed are killed just then. */
const linger = (): Promise<void> => sleep(Number(lingerMs));

const throwing = (error: () => Error) => () => {
  throw error();
};

const flaky = failingInOneOf(10);
const culprits = by({ batchWorker: withCulprits });
/** So long that many of those who are killed are killed at work. */
const longAtWork = by({ ...shortLocks, committed: () => sleep(120) });

await runVariant('track', {
  /** Can take 125 requests a second of one lane: two turns at once, sixteen milliseconds for each request. */
  'at-its-limit': by({ marks: slowMarks(16) }),
  careless: after(commitCarelessly, by(shortLocks)),
  culprits,
  /** Forgets at every start which requests were at work when a process ended. */
  'culprits-forgetful': after(() => eachSuspects((redis, key) => redis.del(key)), culprits),
  flaky: by({ fold: flaky }),
  'flaky-impatient': by({ ...shortLocks, fold: flaky }),
  'flaky-unstamped': by({ fold: failingInOneOf(10, lastWrittenWins) }),
  'flaky-unstamped-impatient': by({ ...shortLocks, fold: flaky, prepare: preparedUnstamped }),
  hasty: by({ ...shortLocks, fold: flaky, oldestBeside: nobodyWaits }),
  impatient: by(shortLocks),
  /** Nearly always has something in hand, and what it drops is missed soon. */
  'in-hand': by({ ...shortLocks, committed: linger }),
  lingering: by({ committed: linger }),
  'lingering-without-marks': by({ committed: linger, marks: forgetfulMarks }),
  'long-at-work': longAtWork,
  patient: by({ ...patience, fold: flaky }),
  'patient-forgetful': by({ ...patience, fold: failingInOneOf(10, forgettingSince) }),
  'patient-late': by({ ...patience, fold: flaky, batchWorker: lateInOneOf(3, 400) }),
  'patient-unnoticing': by({ ...patience, fold: flaky, pendingFor: noDeletionPending }),
  'plain-writes': by({ marks: plainWrites }),
  poisoned: by({ fold: tripwire('poison', throwing(permanentError)) }),
  'poisoned-stubborn': by({ fold: tripwire('poison', throwing(passingError)) }),
  resigned: by({ ...shortLocks, marks: resigned }),
  slow: by({ ...shortLocks, fold: slowFold(10) }),
  'slow-without-marks': by({ ...shortLocks, fold: slowFold(10), marks: forgetfulMarks }),
  /** Takes whatever was at work when a process ended for its culprit. */
  suspicious: after(
    () =>
      eachSuspects(async (redis, key) => {
        for (const id of await redis.hkeys(key)) await redis.hset(key, id, '30');
      }),
    longAtWork,
  ),
  /** No bound of what a transaction loads, and each removal looks at all objects of an array: the bounds of steps do not count that. */
  unbounded: by({ ...shortLocks, loadLimits: noLoadLimits, fold: searchingFold }),
  'without-heartbeat': after(withoutRedisHeartbeat, by({})),
  'without-mongo-heartbeat': after(withoutMongoHeartbeat, by({})),
});
