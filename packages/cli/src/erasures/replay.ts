/** Replays erasures after a restore: see docs/runbook.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createErasures, type Erasure, replayErasures } from '@roster/queue';
import type { Store } from '@roster/store';
import type { Tools } from '../act.ts';
import { exitCodes, type Result } from '../result.ts';
import { erasuresIn } from './lines.ts';

export interface ReplayOptions {
  /** Seconds. */
  wait: number;
}

const idsAtOnce = 1000;
const lookEveryMs = 200;

/** The ids that have no mark `applied`. */
const unapplied = async (
  { requests }: Pick<Store, 'requests'>,
  ids: readonly string[],
): Promise<Set<string>> => {
  const left = new Set(ids);
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = ids.slice(from, from + idsAtOnce);
    const found = requests.find({ _id: { $in: some }, state: 'applied' }, { projection: { _id: 1 } });
    for await (const { _id } of found) left.delete(_id);
  }
  return left;
};

const untilApplied = async (store: Store, ids: readonly string[], ms: number): Promise<number> => {
  for (const until = performance.now() + ms; ; await sleep(lookEveryMs)) {
    const { size } = await unapplied(store, ids);
    if (size === 0 || performance.now() > until) return size;
  }
};

/** One for each request, with all its people. */
const joined = (all: readonly Erasure[]): Erasure[] => {
  const byId = new Map<string, { ws: string; profiles: Set<string> }>();
  for (const { id, ws, profiles } of all) {
    const one = byId.get(id) ?? { ws, profiles: new Set() };
    for (const profile of profiles) one.profiles.add(profile);
    byId.set(id, one);
  }
  return [...byId].map(([id, { ws, profiles }]) => ({ id, ws, profiles: [...profiles] }));
};

/** About the moment of the backup, and never later: the marks that live longest are those of some workspaces only. */
const backupMoment = async ({ requests }: Store): Promise<Date> => {
  const newest = await requests.findOne({}, { sort: { expires: -1 }, projection: { applied: 1 } });
  return newest?.applied ?? new Date(0);
};

interface Gap {
  since: Date;
  backup: Date;
}

const gapText = ({ since, backup }: Gap, files: number): string =>
  `the log in Redis begins at ${since.toISOString()}, and the backup ends at ${backup.toISOString()} or later. ` +
  (files > 0
    ? 'Erasures between the two must stand in the files.'
    : 'Erasures between the two are missing: give the files of "roster erasures list".');

export const replay = async (
  { servers, io }: Tools,
  files: readonly string[],
  { wait }: ReplayOptions,
): Promise<Result> => {
  const saved = files.flatMap((file) => erasuresIn(io, file));
  const [store, redis] = [await servers.store(), await servers.redis()];
  const erasures = createErasures(redis);
  const gap: Gap = { since: await erasures.since(), backup: await backupMoment(store) };
  for await (const one of erasures.all()) saved.push(one);
  const all = joined(saved);
  const lost = await unapplied(
    store,
    all.map(({ id }) => id),
  );
  const ids = await replayErasures(
    redis,
    all.filter(({ id }) => lost.has(id)),
  );
  const left = await untilApplied(store, ids, wait * 1000);
  const hasGap = gap.since > gap.backup;
  const notes = [
    ...(hasGap ? [gapText(gap, files.length)] : []),
    ...(left > 0
      ? [
          `${left} requests are not applied yet: is an identity service running? Run it again before the others start.`,
        ]
      : []),
  ];
  const failed = left > 0 || (hasGap && files.length === 0);
  return {
    json: { kept: all.length, in_the_backup: all.length - lost.size, replayed: lost.size, waiting: left },
    text: `${lost.size} deletions replayed, ${all.length - lost.size} were in the backup\n`,
    notes,
    exitCode: failed ? exitCodes.failed : exitCodes.done,
  };
};
