// People who are deleted before the backup and after it, in every way in which a backup could bring them back.
import type { Caller } from '../../harness/caller.ts';
import { type Client, isAccepted } from '../../harness/client.ts';
import { aliasOf, ext, merging, renaming } from '../../harness/sayings.ts';
import { eachOf, until } from '../../harness/wait.ts';

const many = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

const early = many('early', 5);
const late = many('late', 5);

const arrive = (id: string) => ({
  attributes: [{ ...ext(id), plan: 'old' }],
  events: [{ ...ext(id), name: `arrival-${id}`, time: new Date().toISOString() }],
});

const applied = 'wait=30';

/** Everybody is there before the backup, and some are gone. */
export const beforeBackup = async (caller: Caller): Promise<void> => {
  const all = [...early, ...late, 'renamed', 'kept', 'merged', 'again'];
  await eachOf(all, 8, async (id) => void (await caller.post('/users/track', arrive(id), applied)));
  const { user_alias } = aliasOf('web', 'visitor');
  await caller.post('/users/alias/new', { user_aliases: [{ ...user_alias, external_id: 'late-0' }] });
  await caller.post('/users/delete', { external_ids: early });
};

/** Between the backup and the loss the others are deleted: by id, by alias, under a new name, with who was merged into them. */
export const afterBackup = async (caller: Caller): Promise<void> => {
  const { user_alias } = aliasOf('web', 'visitor');
  await caller.post('/users/delete', { user_aliases: [user_alias] });
  await caller.post('/users/delete', { external_ids: late.slice(1) });
  await caller.post('/users/external_ids/rename', renaming('renamed', 'renamed-now'));
  await caller.post('/users/delete', { external_ids: ['renamed-now'] });
  await caller.post('/users/merge', merging([ext('merged'), ext('kept')]), applied);
  await caller.post('/users/delete', { external_ids: ['kept'] });
  await caller.post('/users/delete', { external_ids: ['again'] });
};

/** A request about a deleted person that waits in Redis at the loss: it begins somebody new. */
export const waiting = { attributes: [{ ...ext('again'), plan: 'new' }] };

const gone = [...early, ...late, 'renamed', 'renamed-now', 'kept', 'merged'];

interface Found {
  external_id: string;
  custom_attributes?: { plan?: string };
}

const patienceMs = 30_000;

/** Asked again while a process that has just started does not answer in time. */
const find = async (client: Client, ids: readonly string[]): Promise<Found[]> => {
  const body = { external_ids: ids, fields_to_export: ['external_id', 'custom_attributes'] };
  let found: Found[] = [];
  const isAnswered = async () => {
    const answer = await client.call({ path: '/users/export/ids', body, timeoutMs: 20_000 });
    if (isAccepted(answer)) found = (JSON.parse(answer.body) as { users: Found[] }).users;
    return isAccepted(answer);
  };
  if ((await until(patienceMs, isAnswered, 250)) === undefined) throw new Error('an export was not answered');
  return found;
};

/** How many of the deleted are there. */
export const goneFound = async (client: Client): Promise<number> => (await find(client, gone)).length;

/** The plan of the person who came back by a request of their own; nothing when nobody is there. */
export const planOfAgain = async (client: Client): Promise<string | undefined> =>
  (await find(client, ['again']))[0]?.custom_attributes?.plan;
