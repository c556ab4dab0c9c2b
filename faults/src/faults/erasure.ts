// T33: a text that stands in all data about a person is nowhere after their deletion. MongoDB's journal and oplog are not
// looked at: they keep what was removed until they are overwritten.
import { type Caller, createCaller } from '../harness/caller.ts';
import { type Client, isAccepted, requestIdOf } from '../harness/client.ts';
import { unfinished, unswept } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { deadLetters } from '../harness/queue-state.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import {
  aliasOf,
  ext,
  happening,
  identifying,
  merging,
  renaming,
  renamingAliases,
} from '../harness/sayings.ts';
import type { System } from '../harness/system.ts';
import {
  packNothing,
  rewriteRedisFiles,
  type Traces,
  tracesInFiles,
  tracesInMongo,
  tracesInMonitor,
  tracesInRedis,
} from '../harness/trace.ts';
import { sleep, until } from '../harness/wait.ts';

const marker = 'zq7xmarker';
const digits = '5557391846';
const texts = [marker, digits];

const id = `${marker}-id`;
const email = `${marker}@example.com`;
const phone = `+1${digits}`;
const device = `${marker}-device-0123456789`;
const time = '2026-01-01T12:00:00Z';

/** Every kind of data about a person. */
const everything = {
  external_id: id,
  email,
  phone,
  first_name: marker,
  last_name: marker,
  home_city: marker,
  image_url: `https://example.com/${marker}.png`,
  attributed_ad: marker,
  attributed_adgroup: marker,
  attributed_campaign: marker,
  attributed_source: marker,
  facebook: { id: marker, likes: [marker] },
  twitter: { id: marker, screen_name: marker },
  email_subscribe: 'opted_in',
  push_subscribe: 'subscribed',
  subscription_groups: [{ subscription_group_id: 'demo-news', subscription_state: 'subscribed' }],
  push_tokens: [{ app_id: 'demo-app', token: `${marker}-token`, device_id: device }],
  plan: marker,
  [`${marker} name`]: true,
  tags: [marker, `${marker}-2`],
  visits: { inc: 3 },
  address: { street: marker, [`${marker}_member`]: 1 },
  pets: [{ id: 1, name: marker }],
};

const occurrence = {
  ...ext(id),
  time,
  app_id: 'demo-app',
  properties: { [`${marker}_name`]: { inner: [marker] } },
};

/** Without a key: an answer that is remembered for one names the ids until it is forgotten (docs/adr/identity.md). */
const rename = async (client: Client, caller: Caller): Promise<void> => {
  const path = '/users/external_ids/rename';
  const answer = await client.call({ path, body: renaming(`${marker}-first`, id) });
  if (!isAccepted(answer)) throw new Error(`the rename was answered ${answer.status}: ${answer.body}`);
  caller.accepted.push(requestIdOf(answer));
};

const story = async (client: Client, caller: Caller): Promise<void> => {
  const track = (body: object) => caller.post('/users/track', body);
  await track(happening(ext(`${marker}-first`), `${marker}-first`));
  await rename(client, caller);
  await track({
    attributes: [everything],
    events: [{ ...occurrence, name: `${marker} event` }],
    purchases: [{ ...occurrence, product_id: `${marker}-product`, currency: 'USD', price: 5 }],
  });
  // What is ignored leaves a note.
  await track({ attributes: [{ ...ext(id), plan: { inc: 1 }, facebook: { [marker]: 1 } }] });
  await track(happening(aliasOf('web', `${marker}-visitor`), `${marker}-visited`));
  await caller.post('/users/identify', identifying('merge', [aliasOf('web', `${marker}-visitor`), id]));
  await track(happening(ext(`${marker}-other`), `${marker}-other`));
  await caller.post('/users/merge', merging([ext(`${marker}-other`), ext(id)]), { wait: 30 });
  const alias = aliasOf(`${marker}-label`, `${marker}-name`).user_alias;
  await caller.post('/users/alias/new', { user_aliases: [{ ...alias, external_id: id }] });
  await caller.post(
    '/users/alias/update',
    renamingAliases(`${marker}-label`, [`${marker}-name`, `${marker}-now`]),
  );
  const set = (more: object) => ({ subscription_state: 'unsubscribed', ...more });
  await caller.post('/subscription/status/set', set({ subscription_group_id: 'demo-news', email }));
  await caller.post('/subscription/status/set', set({ subscription_group_id: 'demo-texts', phone }));
};

/** One letter about this person alone, and one about another person too. */
const leaveDeadLetters = async (caller: Caller, system: System): Promise<number> => {
  const poisoned = { ...ext(id), poison: marker };
  await caller.post('/users/track', { attributes: [poisoned] });
  await caller.post('/users/track', { attributes: [poisoned, { ...ext('another'), plan: 'free' }] });
  await until(20_000, async () => (await deadLetters(system.redis)).length === 2);
  return (await deadLetters(system.redis)).length;
};

/** What is accepted before the deletion still waits when that comes. */
const deleteBehindAJob = async (caller: Caller, system: System): Promise<void> => {
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  await caller.post('/users/track', happening(ext(id), `${marker}-late`));
  await caller.post('/users/track', happening({ email }, `${marker}-later`));
  await caller.post('/users/delete', { external_ids: [id] });
  for (const worker of system.workers) await system.part(worker).start();
};

const ways = [
  { external_ids: [id, `${marker}-first`, `${marker}-other`] },
  { user_aliases: [aliasOf('web', `${marker}-visitor`).user_alias] },
  { email_address: email },
  { phone },
  { device_id: device },
];

/** How many people are found, in whatever way one asks. */
const exported = async (client: Client): Promise<number> => {
  let found = 0;
  for (const way of ways) {
    const body = { ...way, fields_to_export: ['external_id', 'email', 'custom_attributes', 'custom_events'] };
    const answer = await client.roster.call('users.export.ids', { body });
    found += (answer as { users: unknown[] }).users.length;
  }
  return found;
};

const everywhere = async (system: System): Promise<Traces> => ({
  ...(await tracesInMongo(system, texts)),
  ...(await tracesInRedis(system, texts)),
  ...tracesInFiles(system, texts),
  ...(await tracesInMonitor(system, texts)),
});

const sum = (traces: Traces): number => Object.values(traces).reduce((all, some) => all + some, 0);

/** The places where it stands by nature, before: if it were not there, the search would find nothing anywhere. */
const planted = ['mongo profiles', 'mongo events', 'mongo purchases', 'mongo identities', 'mongo contacts'];
const isRedisFile = (place: string): boolean => place.startsWith('data/redis');

const notPlanted = (before: Traces, letters: number): string[] => [
  ...planted.filter((place) => !before[place]).map((place) => `the marker was never in ${place}`),
  ...(Object.keys(before).some(isRedisFile) ? [] : ['the marker was never in the files of Redis']),
  ...(letters === 2 ? [] : [`${letters} dead letters, not 2`]),
];

/** No log and no board may show it even while the person is there. */
const shownBefore = (before: Traces): string[] =>
  Object.entries(before)
    .filter(([place]) => !/^(mongo|redis) /.test(place) && !isRedisFile(place))
    .map(([place, times]) => `${place} shows it ${times} times`);

const attempt = async (trial: Trial, instead: { identity?: string }): Promise<Findings> => {
  const system = await trial.system({
    services: ['ingress', 'track', 'identity', 'subscription', 'export', 'monitor'],
    instead: { track: 'track-poisoned', ...instead },
    env: { LOG_LEVEL: 'debug', RESULT_TIMEOUT_SECONDS: '1' },
  });
  const caller = createCaller(system.client, 'erasure');
  await story(system.client, caller);
  const letters = await leaveDeadLetters(caller, system);
  const late = await unfinished(system, 20_000);
  await packNothing(system);
  const before = await everywhere(system);
  const exportedBefore = await exported(system.client);
  await deleteBehindAJob(caller, system);
  const isQuiet = await system.quiet(30_000);
  late.push(...(instead.identity ? await sleep(2_000, []) : await unswept(system, 60_000)));
  const found = await exported(system.client);
  // A caller names them when it asks for them: an answer may be there before its job is gone.
  late.push(...(await unfinished(system, 20_000)));
  await rewriteRedisFiles(system);
  const after = await everywhere(system);

  const broken = [...notPlanted(before, letters), ...shownBefore(before), ...late];
  if (exportedBefore < 5) broken.push(`only ${exportedBefore} exports found them before`);
  if (!isQuiet) broken.push('not everything was applied within 30 s');
  if (found > 0) broken.push(`${found} exports still find them`);
  broken.push(...Object.entries(after).map(([place, times]) => `the marker is ${times} times in ${place}`));
  broken.push(...imbalance(await reconcile({ accepted: caller.accepted, erases: true, ...system })));
  return {
    figures: { 'marker before': sum(before), 'marker after': sum(after), 'found by export': found },
    broken,
  };
};

export const erasure = faultOf(attempt, [{}, { identity: 'identity-without-sweeps' }], {
  name: 'erasure',
  title: 'a person is deleted: a text that stood everywhere is in no document, file, log, letter and answer',
  without: 'the sweep',
  breaks: /the marker is \d+ times in mongo /,
});
