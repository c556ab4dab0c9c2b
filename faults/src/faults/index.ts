import type { Fault } from '../harness/fault.ts';
import { activities } from './activities.ts';
import { busySends } from './busy-sends.ts';
import { clientBatch } from './client-batch.ts';
import { consent } from './consent.ts';
import { costly } from './costly.ts';
import { deadly } from './deadly.ts';
import { deadlyDelivery } from './deadly-delivery.ts';
import { diskFull } from './disk-full.ts';
import { dueAtOnce } from './due-at-once.ts';
import { erasure } from './erasure.ts';
import { heldBack } from './held-back.ts';
import { histories } from './histories.ts';
import { hotUser } from './hot-user.ts';
import { idempotency } from './idempotency.ts';
import { identity } from './identity.ts';
import { kills } from './kills.ts';
import { logFull } from './log-full.ts';
import { mongoThree } from './mongo-three.ts';
import { neighbour } from './neighbour.ts';
import { newsletter } from './newsletter.ts';
import { noisyNeighbour } from './noisy-neighbour.ts';
import { overload } from './overload.ts';
import { pageChoices } from './page-choices.ts';
import { peers } from './peers.ts';
import { poison } from './poison.ts';
import { firstStart, powerCut } from './power-cut.ts';
import { processesApart } from './processes-apart.ts';
import { redisAway } from './redis-away.ts';
import { refusalsRead } from './refusals-read.ts';
import { scheduleRaces } from './schedule-races.ts';
import { sends } from './sends.ts';
import { sentinels, sentinelsValkey } from './sentinels.ts';
import { sigtermEach } from './sigterm-each.ts';
import { silentFailover } from './silent-failover.ts';
import { silentMongo } from './silent-mongo.ts';
import { sync, syncDiff } from './sync.ts';
import { syncSchedules } from './sync-schedules.ts';
import { tornGroup } from './torn-group.ts';
import { upgrade, upgradeEnvoy } from './upgrade.ts';

/** Other names: of all rows of a table, and of what is part of another fault now. */
export const others: Readonly<Record<string, Fault[]>> = { histories, kills, graceful: [sigtermEach] };

/** The longest first, so that several at once end together. */
export const faults: Fault[] = [
  identity,
  ...kills,
  ...histories,
  consent,
  diskFull,
  mongoThree,
  sentinels,
  sentinelsValkey,
  sigtermEach,
  upgrade,
  upgradeEnvoy,
  erasure,
  clientBatch,
  refusalsRead,
  logFull,
  powerCut,
  pageChoices,
  processesApart,
  sends,
  newsletter,
  busySends,
  activities,
  sync,
  syncDiff,
  syncSchedules,
  dueAtOnce,
  scheduleRaces,
  firstStart,
  poison,
  tornGroup,
  idempotency,
  silentFailover,
  silentMongo,
  deadly,
  deadlyDelivery,
  noisyNeighbour,
  heldBack,
  hotUser,
  redisAway,
  overload,
  costly,
  peers,
  neighbour,
];
