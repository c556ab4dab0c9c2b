import type { DeadLetter } from '@roster/queue';
import { maskText } from '@roster/runtime';
import type { Store } from '@roster/store';
import { audited } from '../audited.ts';
import { type Family, type Tools, wholeNumber } from '../command.ts';
import { exitCodes, missing, type Result, wrong } from '../result.ts';
import type { Servers } from '../servers.ts';
import { plain, table } from '../shown.ts';

/** A dead letter without the people in its request. */
const outside = ({ id, queue, code, reason, at, request }: DeadLetter) => ({
  id,
  at,
  workspace: request.ws,
  op: request.op,
  queue,
  code,
  reason: maskText(reason),
});

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

const listDead = async ({ servers }: Tools, { limit }: { limit: number }): Promise<Result> => {
  const dead = await servers.deadLetters();
  const [total, letters] = [await dead.count(), (await dead.list({ limit })).map(outside)];
  const text = table(letters, {
    ...plain('id', 'at', 'workspace'),
    OPERATION: ({ op }) => op,
    ...plain('code'),
    REASON: ({ reason }) => shortened(reason),
  });
  const notes = [total > letters.length && `${letters.length} of ${total} shown; --limit shows more.`];
  return { json: { total, dead: letters }, text: total === 0 ? 'no dead letters\n' : text, notes };
};

const none = (id: string) => missing(`there is no dead letter ${id}. "roster dead list" shows them.`);

const showDead = async ({ servers }: Tools, id: string): Promise<Result> => {
  const letter = await (await servers.deadLetters()).get(id);
  if (!letter) throw none(id);
  return { json: letter, text: `${JSON.stringify(letter, null, 2)}\n` };
};

type Which = { all?: boolean };

/** All letters at this moment: one that fails again meanwhile is not taken twice. */
const idsOf = async (servers: Servers, ids: string[], { all }: Which): Promise<string[]> => {
  if (all && ids.length > 0) throw wrong('give ids or --all, not both');
  if (!all && ids.length === 0) throw wrong('which ones? give ids ("roster dead list" shows them) or --all');
  if (!all) return ids;
  const dead = await servers.deadLetters();
  return (await dead.list({ limit: await dead.count() })).map(({ id }) => id);
};

/** One row for the letters that were there: it names the first, and counts all. */
const record = async (store: Store, what: string, ids: readonly string[]): Promise<void> => {
  const set = { count: ids.length, ids: ids.slice(0, 50) };
  if (ids.length > 0)
    await audited(store, { what, target: ids[0] ?? '-', set, now: new Date() }, async () => {});
};

/** The result that each letter's line shows. */
const works = { retry: 'queued', drop: 'dropped' } as const;

const withEach =
  (work: keyof typeof works) =>
  async ({ servers }: Tools, given: string[], which: Which): Promise<Result> => {
    const [dead, ids] = [await servers.deadLetters(), await idsOf(servers, given, which)];
    // Before the first letter: nothing is done that cannot be recorded.
    const store = await servers.store();
    const results: { id: string; result: string }[] = [];
    try {
      for (const id of ids) results.push({ id, result: (await dead[work](id)) ? works[work] : 'missing' });
    } finally {
      const done = results.flatMap(({ id, result }) => (result === works[work] ? [id] : []));
      await record(store, work === 'retry' ? 'dead.retried' : 'dead.dropped', done);
    }
    const absent = results.filter(({ result }) => result === 'missing').map(({ id }) => id);
    return {
      json: { results },
      text: results.map(({ id, result }) => `${id} ${result}\n`).join('') || 'no dead letters\n',
      notes: absent.map((id) => `there is no dead letter ${id}`),
      exitCode: absent.length > 0 ? exitCodes.missing : exitCodes.done,
    };
  };

const help = `
A dead letter is an accepted request that could not be applied, whatever was tried. Its outcome says "failed".
Put right what the reason names, then retry: the request is applied with its old place in the order, and only once.

Examples:
  $ roster dead list
  $ roster dead show r1k2j3h4g5-a1b2c3     (personal data is shown)
  $ roster dead retry --all
  $ roster dead drop r1k2j3h4g5-a1b2c3`;

const args = { '[ids...]': 'the ids of the requests' };
const flags = { '--all': 'all of them' };

export const deadCommands: Family = {
  about: 'dead letters: requests that could not be applied',
  example: 'roster dead list',
  help,
  commands: {
    list: {
      about: 'the dead letters, without personal data',
      flags: { '--limit <count>': wholeNumber('how many at most', [1, 10_000], 50) },
      run: listDead,
    },
    show: {
      about: 'one dead letter with its whole request, personal data included',
      args: { '<id>': 'the id of the request' },
      run: showDead,
    },
    retry: { about: 'queue requests again', args, flags, run: withEach('retry') },
    drop: {
      about: 'forget requests for good; their outcome stays "failed"',
      args,
      flags,
      run: withEach('drop'),
    },
  },
};
