/** Retries or drops letters, one by one. */
import type { Tools } from '../act.ts';
import { audited } from '../audited.ts';
import { exitCodes, type Result, wrong } from '../result.ts';
import type { Servers } from '../servers.ts';

export type Which = { all?: boolean };

/** All letters at this moment: one that fails again meanwhile is not taken twice. */
const idsOf = async (servers: Servers, ids: string[], { all }: Which): Promise<string[]> => {
  if (all && ids.length > 0) throw wrong('give ids or --all, not both');
  if (!all && ids.length === 0) throw wrong('which ones? give ids ("roster dead list" shows them) or --all');
  if (!all) return ids;
  const dead = await servers.deadLetters();
  return (await dead.list({ limit: await dead.count() })).map(({ id }) => id);
};

/** One row for the command, before it begins: it names the first letters, and counts all. */
const record = async (servers: Servers, what: string, ids: readonly string[]): Promise<void> => {
  const store = await servers.store();
  const set = { count: ids.length, ids: ids.slice(0, 50) };
  if (ids.length > 0)
    await audited(store, { what, target: ids[0] ?? '-', set, now: new Date() }, async () => {});
};

/** The result that each letter's line shows. */
const works = { retry: 'queued', drop: 'dropped' } as const;

export const withEach = async (
  { servers }: Tools,
  given: string[],
  which: Which,
  work: keyof typeof works,
): Promise<Result> => {
  const [dead, ids] = [await servers.deadLetters(), await idsOf(servers, given, which)];
  await record(servers, work === 'retry' ? 'dead.retried' : 'dead.dropped', ids);
  const results: { id: string; result: string }[] = [];
  for (const id of ids) results.push({ id, result: (await dead[work](id)) ? works[work] : 'missing' });
  const absent = results.filter(({ result }) => result === 'missing').map(({ id }) => id);
  return {
    json: { results },
    text: results.map(({ id, result }) => `${id} ${result}\n`).join('') || 'no dead letters\n',
    notes: absent.map((id) => `there is no dead letter ${id}`),
    exitCode: absent.length > 0 ? exitCodes.missing : exitCodes.done,
  };
};
