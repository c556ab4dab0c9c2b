// T03: the power fails. kill -9 can't show this: what a dead process wrote survives in the kernel's cache.
import { isAccepted, requestIdOf } from '../harness/client.ts';
import { createDice } from '../harness/dice.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { createLoopDisk, type LoopDisk, loopTrouble } from '../harness/loop-disk.ts';
import { requestsInFlight } from '../harness/queue-state.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { openSpare } from '../harness/spare-redis.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { eachOf, sleep } from '../harness/wait.ts';

const chaptersOf = (cut: number): Chapter[] =>
  tellStory(createDice(cut), 20_000).map((chapter) => ({ ...chapter, key: `cut-${cut}-${chapter.key}` }));

/** Fifty senders until the power fails; what has no answer by then was not promised anything. */
const sendThrough = async (
  system: System,
  chapters: Chapter[],
  cut: () => Promise<void>,
): Promise<string[]> => {
  const accepted: string[] = [];
  let dark = false;
  const sending = eachOf(chapters, 50, async ({ key, body }) => {
    if (dark) return;
    const answer = await system.client.call({ body, idempotencyKey: key });
    if (isAccepted(answer)) accepted.push(requestIdOf(answer));
  });
  await cut();
  dark = true;
  await sending;
  return accepted;
};

/** What the next boot would find. */
const survivors = async (disk: LoopDisk): Promise<Set<string>> => {
  const spare = await openSpare(disk.mountCopy());
  const kept = await requestsInFlight(spare.redis);
  await spare.close();
  disk.unmountCopy();
  return new Set(kept.map(({ id }) => id));
};

const cutPower = async (system: System, disk: LoopDisk, cut: number) => {
  const accepted = await sendThrough(system, chaptersOf(cut), async () => {
    await sleep(1_000 + 370 * cut);
    await system.part('redis').end('SIGKILL');
    disk.copy();
  });
  const kept = await survivors(disk);
  await system.part('redis').start();
  return { accepted, lost: accepted.filter((id) => !kept.has(id)).length };
};

const attempt = async (trial: Trial, policy: 'always' | 'everysec'): Promise<Findings> => {
  const disk = createLoopDisk();
  trial.atEnd(disk.remove);
  const system = await trial.system({ dir: disk.dir });
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  const cuts = trial.quick ? 2 : 5;
  const accepted: string[] = [];
  let lost = 0;
  for (let cut = 0; cut < cuts; cut++) {
    await system.redis.config('SET', 'appendfsync', policy);
    const seen = await cutPower(system, disk, cut);
    accepted.push(...seen.accepted);
    lost += seen.lost;
    trial.say(`cut ${cut + 1}: ${seen.accepted.length} accepted, ${seen.lost} of them lost`);
  }
  for (const worker of system.workers) await system.part(worker).start();
  await system.quiet(60_000);
  const broken = imbalance(await reconcile({ accepted, ...system }));
  if (lost > 0) broken.push(`${lost} accepted requests did not survive ${cuts} power cuts`);
  return { figures: { cuts, accepted: accepted.length, lost }, broken };
};

export const powerCut: Fault = {
  name: 'power-cut',
  title: 'the power fails under load: what was accepted is on the disk',
  skip: loopTrouble,
  run: (trial) => attempt(trial, 'always'),
  control: { without: 'appendfsync everysec', run: (trial) => attempt(trial, 'everysec') },
};
