/** `apply` of files: what changes, the change with its row in the audit log, and the copy in Redis. */
import type { Redis } from 'ioredis';
import { audited } from './audited.ts';
import { differences } from './differences.ts';
import { publish } from './publish.ts';
import type { Result } from './result.ts';
import type { Servers } from './servers.ts';

interface Settings {
  id: string;
}

export interface Applied<Kept extends Settings> {
  what: 'workspace' | 'company';
  stored: 'workspaces' | 'companies';
  publish(redis: Redis, settings: Kept): Promise<void>;
}

type Change = { id: string; change: 'created' | 'changed' | 'unchanged'; differences: string[] };

const changeOf = (before: Settings | undefined, after: Settings): Change => {
  if (!before) return { id: after.id, change: 'created', differences: [] };
  const found = differences(before, after);
  return { id: after.id, change: found.length > 0 ? 'changed' : 'unchanged', differences: found };
};

interface ApplyOptions {
  dryRun?: boolean | undefined;
  now: Date;
}

/** Publishes what is unchanged too: a repeated `apply` puts a broken serving copy right. */
const applyOne = async <Kept extends Settings>(
  servers: Servers,
  { what, stored, publish: tell }: Applied<Kept>,
  settings: Kept,
  { dryRun, now }: ApplyOptions,
): Promise<Change> => {
  const store = await servers.store();
  const records = store[stored];
  const { id } = settings;
  const change = changeOf(await records.get<Kept>(id), settings);
  if (dryRun) return change;
  const entry = {
    what: `${what}.${change.change}`,
    target: id,
    ...(what === 'company' && { company: id }),
    now,
  };
  if (change.change !== 'unchanged') await audited(store, entry, (session) => records.put(settings, session));
  await publish(servers, `${what} ${id} is saved`, (redis) => tell(redis, settings));
  return change;
};

export const apply = async <Kept extends Settings>(
  servers: Servers,
  kind: Applied<Kept>,
  all: readonly Kept[],
  options: ApplyOptions,
): Promise<Result> => {
  const { dryRun = false } = options;
  const changes: Change[] = [];
  for (const settings of all) changes.push(await applyOne(servers, kind, settings, options));
  const lines = changes.flatMap(({ id, change, differences: found }) => [
    `${kind.what} ${id}: ${change}`,
    ...found.map((difference) => `  ${difference}`),
  ]);
  return {
    json: { applied: !dryRun, [kind.stored]: changes },
    text: `${lines.join('\n')}\n`,
    notes: dryRun ? ['Nothing was changed: this was a dry run.'] : [],
  };
};
