// The connections to MongoDB go silent, as when its machine vanishes; new ones lead to one that serves.
import { startMongo } from '@roster/local-stack';
import { openLine } from '@roster/testkit';
import { isAccepted } from '../harness/client.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { openMongo } from '../harness/mongo.ts';
import { judgeProbes, probeFor, storedTimes } from '../harness/probe.ts';
import { sleep, until } from '../harness/wait.ts';

const healMs = 10_000;

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const server = await startMongo({ dir: trial.folder() });
  trial.atEnd(server.stop);
  // MongoDB behind a name; the test itself reads past it.
  const line = await openLine(new URL(server.url));
  trial.atEnd(line.cut);
  const { db: mongo } = await trial.opened(openMongo(server.url));
  const url = `mongodb://127.0.0.1:${line.port}/roster?directConnection=true`;
  const system = await trial.system({ mongo: { url }, instead });
  // What is sent last has time to be applied before the end of the ten seconds, too.
  const ms = trial.quick ? 3_000 : healMs - 2_000;
  const load = probeFor(system.client, 1_500 + ms, 50, 'event');
  await sleep(1_500);
  const vanished = performance.now();
  line.vanish();
  const probes = await load;
  const isDone = async () => (await storedTimes({ mongo }, probes)).every((count) => count > 0);
  const left = Math.max(0, healMs - (performance.now() - vanished));
  const done = await until(left, isDone);
  const healed = done === undefined ? -1 : performance.now() - vanished;

  const broken = done === undefined ? ['what was accepted is not applied within 10 s'] : [];
  const refused = probes.filter(({ answer }) => !isAccepted(answer)).length;
  if (refused > 0) broken.push(`${refused} requests were refused although only MongoDB was away`);
  broken.push(...(await judgeProbes({ redis: system.redis, mongo }, probes)));
  return { figures: { accepted: probes.length, 'applied after ms': healed }, broken };
};

export const silentMongo = faultOf(attempt, [{}, { track: 'track-without-mongo-heartbeat' }], {
  name: 'silent-mongo',
  title: 'connections to MongoDB go silent: everything accepted is applied within 10 s',
  inPairs: true,
  timing: /is not applied within/,
  without: 'heartbeats to MongoDB once a minute',
  breaks: /is not applied within/,
});
