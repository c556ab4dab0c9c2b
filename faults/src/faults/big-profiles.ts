// Tiny requests about people whose profiles are large: the memory of the workers, and the time of others, don't depend on it.
import { type Beside, callBeside, latecomers, quietMs } from '../harness/beside.ts';
import { type Answer, type Call, isAccepted } from '../harness/client.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import type { Db } from '../harness/mongo.ts';
import { mostMegabytes } from '../harness/process-costs.ts';
import type { System } from '../harness/system.ts';

const people = 15;
const attributes = 110_000;
const mostRss = 400;

const nameOf = (n: number): string => `big-${n}`;
const names = Array.from({ length: people }, (_, n) => nameOf(n));

/** Eleven megabytes, put there behind the service's back: no request makes it so large any more. */
const store = async (mongo: Db): Promise<void> => {
  const custom = Array.from({ length: attributes }, (_, n) => ({ k: `fat-${n}`, v: 'x'.repeat(50), at: 1 }));
  const rest = { ws: 'demo', fields: {}, lists: {}, consents: [], created_at: 1, updated_at: 1 };
  for (const name of names) {
    const profile = { _id: name, external_id: name, ...rest, custom };
    const claim = { _id: `demo:e:${name}`, profile: name, at: 1 };
    await mongo.collection<typeof profile>('profiles').insertOne(profile);
    await mongo.collection<typeof claim>('identities').insertOne(claim);
  }
};

const waiting = { prefer: 'wait=30' };
const track: Call = {
  headers: waiting,
  body: { attributes: names.map((external_id) => ({ external_id, colour: 'red' })) },
};
const aliases: Call = {
  path: '/users/alias/new',
  body: {
    user_aliases: names.map((external_id) => ({ external_id, alias_label: 'web', alias_name: external_id })),
  },
};
const smallTrack = (n: number): Call => ({
  headers: waiting,
  body: { attributes: [{ external_id: `small-${n}`, colour: 'blue' }] },
});
const smallAlias = (n: number): Call => ({
  path: '/users/alias/new',
  body: { user_aliases: [{ alias_label: 'web', alias_name: `small-${n}` }] },
});

const smallAliasBefore = (n: number): Call => smallAlias(-n - 1);

const services = ['track', 'identity'];

const pidsOf = (system: System): number[] => services.map((name) => system.part(name).pid);

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ services: ['ingress', ...services], instead });
  const other = await system.newWorkspace('other');
  await store(system.mongo);
  const quiet = [await quietMs(other, smallTrack), await quietMs(other, smallAliasBefore)] as const;
  const before = pidsOf(system);
  const rounds = trial.quick ? 2 : 8;

  const besides = async (call: Call, smallOf: (n: number) => Call): Promise<[Beside, Answer[]]> => {
    const answers: Answer[] = [];
    const work = async () => {
      for (let n = 0; n < rounds; n++) answers.push(await system.client.call({ ...call, timeoutMs: 30_000 }));
    };
    return [await callBeside(other, smallOf, work()), answers];
  };
  const [besideTrack, tracked] = await besides(track, smallTrack);
  const [besideAlias, aliased] = await besides(aliases, smallAlias);

  const broken = [
    ...latecomers('an update', besideTrack, quiet[0]),
    ...latecomers('an alias', besideAlias, quiet[1]),
  ];
  const memory = pidsOf(system).map(mostMegabytes);
  for (const [place, name] of services.entries()) {
    const rss = memory[place] ?? 0;
    const isGone = !system.part(name).alive() || system.part(name).pid !== before[place];
    if (isGone) broken.push(`${name} died`);
    else if (rss > mostRss) broken.push(`${name} took ${rss} MB`);
  }
  const unanswered = [...tracked, ...aliased].filter((answer) => !isAccepted(answer)).length;
  if (unanswered > 0) broken.push(`${unanswered} of the large requests were not applied in time`);
  const counted = await system.mongo
    .collection('profiles')
    .countDocuments({ 'aliases.label': 'web', ws: 'demo' });
  if (counted !== people) broken.push(`${counted} of ${people} people got their alias`);
  const whole = await system.mongo
    .collection('profiles')
    .countDocuments({ ws: 'demo', [`custom.${attributes - 1}.k`]: `fat-${attributes - 1}` });
  if (whole !== people) broken.push(`only ${whole} people have all their attributes`);
  return {
    figures: {
      'track MB': memory[0] ?? 0,
      'identity MB': memory[1] ?? 0,
      'slowest update of another one, ms': besideTrack.slowestMs,
      'slowest alias of another one, ms': besideAlias.slowestMs,
    },
    broken,
  };
};

export const bigProfiles: Fault = {
  name: 'big-profiles',
  onlyByName: true,
  title:
    'fifteen people of 11 MB each, changed by tiny requests: no process dies or grows, nobody else waits',
  run: (trial) => attempt(trial, {}),
  control: {
    without: 'limits of what a transaction loads',
    breaks: / died$| took \d+ MB$/,
    run: (trial) => attempt(trial, { track: 'track-unbounded', identity: 'identity-unbounded' }),
  },
};
