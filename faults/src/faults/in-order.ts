// Track, and the moment it was answered something about who that is: it must come out as if one had waited in between. In front of it
// lies a backlog, so the second request is there long before the first could be applied.
import { type Caller, createCaller } from '../harness/caller.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { few } from '../harness/identity-invariants.ts';
import { keyOf, type People, readPeople, tokensOf } from '../harness/people.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { aliasOf, ext, happening, identifying, merging, renaming, together } from '../harness/sayings.ts';
import { eachOf } from '../harness/wait.ts';

/** Two requests, the second sent when the first was answered, and how it looks if they were applied in this order. */
interface Pair {
  kind: string;
  first: object;
  second: readonly [path: string, body: object];
  isAsIfInOrder(people: People): boolean;
}

/** This person, and no other one of theirs, with just these tokens. */
const has = (people: People, key: string, ...tokens: string[]): boolean => {
  const person = people.find(key);
  const isWhole = tokensOf([person]).join() === tokens.sort().join();
  return (
    isWhole && people.named(key).length === 1 && tokensOf([person], 'purchases').length === tokens.length
  );
};

const isGone = (people: People, key: string): boolean =>
  !people.claims.has(key) && people.named(key).length === 0;

const identifyNew = (n: number): Pair => ({
  kind: 'identify',
  first: happening(aliasOf('web', `new-${n}`), `new-${n}`),
  second: ['/users/identify', identifying('merge', [aliasOf('web', `new-${n}`), `new-${n}`])],
  isAsIfInOrder: (people) =>
    has(people, keyOf.ext(`new-${n}`), `new-${n}`) && has(people, keyOf.alias('web', `new-${n}`), `new-${n}`),
});

const identifyKnown = (n: number): Pair => ({
  kind: 'identify and merge',
  first: together([
    happening(aliasOf('web', `visitor-${n}`), `visited-${n}`),
    happening(ext(`known-${n}`), `known-${n}`),
  ]),
  second: ['/users/identify', identifying('merge', [aliasOf('web', `visitor-${n}`), `known-${n}`])],
  isAsIfInOrder: (people) => has(people, keyOf.ext(`known-${n}`), `visited-${n}`, `known-${n}`),
});

const merge = (n: number): Pair => ({
  kind: 'merge',
  first: together([happening(ext(`away-${n}`), `away-${n}`), happening(ext(`kept-${n}`), `kept-${n}`)]),
  second: ['/users/merge', merging([ext(`away-${n}`), ext(`kept-${n}`)])],
  isAsIfInOrder: (people) =>
    has(people, keyOf.ext(`kept-${n}`), `away-${n}`, `kept-${n}`) && isGone(people, keyOf.ext(`away-${n}`)),
});

const remove = (n: number): Pair => ({
  kind: 'delete',
  first: happening(ext(`gone-${n}`), `gone-${n}`),
  second: ['/users/delete', { external_ids: [`gone-${n}`] }],
  isAsIfInOrder: (people) => isGone(people, keyOf.ext(`gone-${n}`)),
});

const addAlias = (n: number): Pair => ({
  kind: 'alias/new',
  first: happening(ext(`named-${n}`), `named-${n}`),
  second: [
    '/users/alias/new',
    { user_aliases: [{ ...aliasOf('mail', `name-${n}`).user_alias, external_id: `named-${n}` }] },
  ],
  isAsIfInOrder: (people) => has(people, keyOf.alias('mail', `name-${n}`), `named-${n}`),
});

const rename = (n: number): Pair => ({
  kind: 'rename',
  first: happening(ext(`before-${n}`), `before-${n}`),
  second: ['/users/external_ids/rename', renaming(`before-${n}`, `after-${n}`)],
  isAsIfInOrder: (people) =>
    has(people, keyOf.ext(`after-${n}`), `before-${n}`) &&
    has(people, keyOf.ext(`before-${n}`), `before-${n}`),
});

const kinds = [identifyNew, identifyKnown, merge, remove, addAlias, rename];

const send = async (caller: Caller, { first, second: [path, body] }: Pair): Promise<void> => {
  await caller.post('/users/track', first);
  await caller.post(path, body);
};

const pile = (caller: Caller, requests: number): Promise<void> => {
  const all = Array.from({ length: requests }, (_, n) => n);
  return eachOf(all, 100, async (n) => {
    await caller.post('/users/track', { attributes: [{ external_id: `crowd-${n % 5_000}`, step: n }] });
  });
};

const shareInOrder = (pairs: readonly Pair[], people: People) => {
  const wrong = pairs.filter((pair) => !pair.isAsIfInOrder(people));
  const each = [...new Set(pairs.map(({ kind }) => kind))].map((kind) => {
    const all = pairs.filter((pair) => pair.kind === kind).length;
    return [kind, `${all - wrong.filter((pair) => pair.kind === kind).length} of ${all}`] as const;
  });
  return { wrong, figures: Object.fromEntries(each) };
};

/** A caller who waits for the result is told soon that it may take longer: the next pair is sent, and the backlog is still there. */
const env = { RESULT_TIMEOUT_SECONDS: '0.2' };

const attempt = async (trial: Trial, identity: string): Promise<Findings> => {
  const [backlog, rounds] = trial.quick ? [2_000, 30] : [20_000, 100];
  const system = await trial.system({
    services: ['ingress', 'track', 'identity'],
    workers: { track: 2, identity: 2 },
    instead: { identity },
    env,
  });
  const caller = createCaller(system.client, 'in-order');
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  await pile(caller, backlog);
  const pairs = kinds.flatMap((pairOf) => Array.from({ length: rounds }, (_, n) => pairOf(n)));
  await eachOf(pairs, 60, (pair) => send(caller, pair));
  const began = performance.now();
  await Promise.all(system.workers.map((worker) => system.part(worker).start()));
  const ended = await system.quiet(120_000);
  const seconds = (performance.now() - began) / 1_000;
  const { wrong, figures } = shareInOrder(pairs, await readPeople(system.mongo));
  const broken = few(wrong.map(({ kind }) => `track, then ${kind}: not as if in order`));
  if (!ended) broken.push('not everything was applied within 120 s');
  broken.push(...imbalance(await reconcile({ accepted: caller.accepted, ...system })));
  return { figures: { backlog, 'seconds to work it off': seconds, ...figures }, broken };
};

export const inOrder = faultOf(attempt, 'identity-impatient', 'identity-without-fence', {
  name: 'in-order',
  title: 'track, then at once who that is, behind a backlog: as if one had waited in between',
  without: 'the fence',
  breaks: /not as if in order/,
});
