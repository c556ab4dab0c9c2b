// Tiny requests about people with large profiles: the memory of the workers and the latency of other workspaces do not depend on them.
import { callBeside, isApplied, latecomers } from '../harness/beside.ts';
import type { Call } from '../harness/client.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import type { Db } from '../harness/mongo.ts';
import { figuresOf, leastSpent, once, overBars, type Times } from '../harness/spent.ts';

const people = 15;
const attributes = 110_000;
/** Of fifteen such people one request may load this many. */
const leastChanged = 2;

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

interface Kind {
  service: string;
  /** About all of them. */
  large: Call;
  small(n: number): Call;
}

const otherNews = { id: 'other-news', name: 'News', channel: 'email' };
const headers = { prefer: 'wait=30' };

const kinds = {
  'an update': {
    service: 'track',
    large: { headers, body: { attributes: names.map((external_id) => ({ external_id, colour: 'red' })) } },
    small: (n) => ({ body: { attributes: [{ external_id: `small-${n}`, colour: 'blue' }] } }),
  },
  'an alias': {
    service: 'identity',
    large: {
      headers,
      path: '/users/alias/new',
      body: {
        user_aliases: names.map((external_id) => ({
          external_id,
          alias_label: 'web',
          alias_name: external_id,
        })),
      },
    },
    small: (n) => ({
      path: '/users/alias/new',
      body: { user_aliases: [{ alias_label: 'web', alias_name: `small-${n}` }] },
    }),
  },
  'a subscription': {
    service: 'subscription',
    large: {
      headers,
      path: '/subscription/status/set',
      body: {
        subscription_group_id: 'demo-news',
        subscription_state: 'subscribed',
        external_id: names,
      },
    },
    small: () => ({
      path: '/subscription/status/set',
      body: {
        subscription_group_id: otherNews.id,
        subscription_state: 'subscribed',
        external_id: ['small-0'],
      },
    }),
  },
} satisfies Record<string, Kind>;

const services = ['ingress', ...Object.values(kinds).map(({ service }) => service)];

/** The attribute goes to as many people as one request may load. All people have the alias, the subscription and all earlier attributes. */
const missingIn = async (mongo: Db): Promise<string[]> => {
  const expected: Record<string, [Record<string, unknown>, number]> = {
    'new attribute': [{ custom: { $elemMatch: { k: 'colour', v: 'red' } } }, leastChanged],
    alias: [{ 'aliases.label': 'web' }, people],
    subscription: [{ 'consents.0': { $exists: true } }, people],
    'last attribute': [{ [`custom.${attributes - 1}.k`]: `fat-${attributes - 1}` }, people],
  };
  const missing: string[] = [];
  for (const [what, [having, least]] of Object.entries(expected)) {
    const count = await mongo.collection('profiles').countDocuments({ ws: 'demo', ...having });
    if (count < least) missing.push(`${count} of ${people} people have their ${what}, not ${least}`);
  }
  return missing;
};

/** Both workspaces, and the big people of one of them. */
const open = async (trial: Trial, instead: Record<string, string> = {}) => {
  const system = await trial.system({ services, instead, inMemory: true });
  const other = await system.newWorkspace('other', { subscription_groups: [otherNews] });
  await store(system.mongo);
  await system.mongo
    .collection<{ _id: string }>('workspaces')
    .updateOne({ _id: 'demo' }, { $set: { 'track.max_profile_bytes': 12 * 1024 * 1024 } });
  return { system, other };
};

const attempt = async (trial: Trial, times: Times): Promise<Findings> => {
  const { system, other } = await open(trial);
  const before = services.map((name) => system.part(name).pid);
  const findings: Findings = { figures: {}, broken: [] };
  for (const [what, { large, small }] of Object.entries(kinds)) {
    let notApplied = 0;
    const send = async (): Promise<void> => {
      if (!isApplied(await system.client.call({ ...large, timeoutMs: 40_000 }))) notApplied++;
    };
    const sendAgain = async (): Promise<void> => {
      for (let n = 0; n < times.least; n++) await send();
    };
    const spent = await leastSpent(system, services, times, send);
    findings.broken.push(...overBars(what, spent));
    Object.assign(findings.figures, figuresOf(what, spent));
    const beside = await callBeside(other, small, sendAgain());
    findings.broken.push(...latecomers(what, beside));
    if (notApplied > 0) findings.broken.push(`${what}: ${notApplied} large requests were not applied`);
    findings.figures[`${what} of another, ms`] = beside.slowestMs;
  }
  for (const [place, name] of services.entries()) {
    const part = system.part(name);
    if (!part.alive() || part.pid !== before[place]) findings.broken.push(`${name} died`);
  }
  findings.broken.push(...(await missingIn(system.mongo)));
  return findings;
};

/** Only updates load attributes: an alias and a subscription take no more without the limits. */
const control = async (trial: Trial): Promise<Findings> => {
  const what = 'an update';
  const { system } = await open(trial, { track: 'track-unbounded' });
  const spent = await leastSpent(system, services, once, () =>
    system.client.call({ ...kinds[what].large, timeoutMs: 40_000 }),
  );
  const died = system.part('track').alive() ? [] : [`${what}: track died`];
  return { figures: figuresOf(what, spent), broken: [...overBars(what, spent), ...died] };
};

export const bigProfiles: Fault = {
  name: 'big-profiles',
  onlyByName: true,
  alone: true,
  timing: / of another workspace waited /,
  title:
    'fifteen people of 11 MB each, changed by tiny requests: no process dies or grows, nobody else waits',
  run: (trial) => attempt(trial, trial.quick ? { least: 3, most: 9 } : { least: 8, most: 16 }),
  control: {
    without: 'limits of what a transaction loads',
    breaks: / died$| took \d+ MB in /,
    run: control,
  },
};
