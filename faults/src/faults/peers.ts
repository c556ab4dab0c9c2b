// Peers of one workspace are silent, endless, slow or lie: what another workspace sends and syncs beside that goes on as before.
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { shareAlike } from '../harness/share-alike.ts';
import { until } from '../harness/wait.ts';
import { type Case, cases } from './peers/cases.ts';
import { type Good, openGood, openGoodPeers, type Rates, type Round } from './peers/good.ts';
import { envOf, hostileId, openHostile, type Placed, settingsOf } from './peers/hostile.ts';
import { openNames } from './peers/names.ts';
import { openPeer, type Peer } from './peers/peer.ts';
import { type Watched, watchProcesses } from './peers/watch.ts';

const services = ['ingress', 'track', 'messaging', 'sender', 'integrations'];

/** Of its rate without such peers beside. */
const leastShare = 0.7;
/** Of each process. */
const mostMegabytes = 400;
/** A busy machine is slow once, a peer each time: a case that was slow is played again, and the mean of all counts. */
const mostTries = 3;
const reachMs = 60_000;

interface Playing extends Placed {
  peer: Case['peer'];
  server: Peer;
}

const idOf = (name: string): string => name.replaceAll(' ', '-');

const credentialOf = (name: string): string => `ROSTER_CREDENTIAL_${name.replaceAll(' ', '_').toUpperCase()}`;

const shareOf = (rate: keyof Rates, beside: Rates, alone: readonly Rates[]): number =>
  (beside[rate] * alone.length) / alone.reduce((all, one) => all + one[rate], 0);

interface Played {
  shares: Rates;
  after: Round;
  broken: string[];
  watched: Watched;
  touched: number;
}

interface Scene {
  good: Good;
  hostile: Awaited<ReturnType<typeof openHostile>>;
  watch: ReturnType<typeof watchProcesses>;
}

const judge = (touched: number, { ends, peaks }: Watched): string[] => [
  ...(touched > 0 ? [] : ['nobody came to the peer']),
  ...[...ends].map(([name, times]) => `${name} has ended ${times} times`),
  ...[...peaks].filter(([, mb]) => mb > mostMegabytes).map(([name, mb]) => `${name} had ${mb} MB`),
];

const slow = ({ messages, rows }: Rates): string[] =>
  Object.entries({ messages, rows })
    .filter(([, share]) => share < leastShare)
    .map(([what, share]) => `the rate of ${what} is ${share.toFixed(2)} of that without it`);

const meanOf = (all: readonly Played[]): Rates => {
  const mean = (rate: keyof Rates): number =>
    all.reduce((sum, { shares }) => sum + shares[rate], 0) / all.length;
  return { messages: mean('messages'), rows: mean('rows') };
};

/** Half of what is asked for is no noise. */
const mayBeNoise = (shares: Rates): boolean =>
  slow(shares).length > 0 && Math.min(shares.messages, shares.rows) > leastShare / 2;

/** Alone was measured before, and is measured afterwards. */
const play = async ({ good, hostile, watch }: Scene, one: Playing, before: Round): Promise<Played> => {
  const { server } = one;
  const touchedBefore = server.touched();
  watch.begin();
  server.begin();
  const end = await hostile.begin(one);
  await until(reachMs, async () => server.touched() > touchedBefore, 20);
  const beside = await good.round();
  const watched = watch.end();
  const touched = server.touched() - touchedBefore;
  await end();
  server.end();
  const after = await good.round();
  const share = (rate: keyof Rates): number => shareOf(rate, beside, [before, after]);
  return {
    shares: { messages: share('messages'), rows: share('rows') },
    after,
    broken: [...judge(touched, watched), ...beside.broken, ...after.broken],
    watched,
    touched,
  };
};

const inWords = ({ shares: { messages, rows }, watched, touched }: Played): string => {
  const peaks = [...watched.peaks].filter(([, mb]) => mb > 0).map(([name, mb]) => `${name} ${mb}`);
  return `messages ${messages.toFixed(2)}, rows ${rows.toFixed(2)}; ${touched} came; MB: ${peaks.join(', ')}`;
};

const openPlaying = async (
  trial: Trial,
  chosen: readonly Case[],
  names: Awaited<ReturnType<typeof openNames>>,
) =>
  Promise.all(
    chosen.map(async (one): Promise<Playing> => {
      const server = await trial.opened(openPeer(one, names));
      const place = { id: idOf(one.name), at: server.at, credential: credentialOf(one.name) };
      return { ...one, server, place };
    }),
  );

interface How {
  instead: Record<string, string>;
  /** Of all cases. */
  only?: readonly string[];
}

const openScene = async (trial: Trial, { instead }: How, chosen: readonly Case[]) => {
  const names = await trial.opened(openNames());
  const playing = await openPlaying(trial, chosen, names);
  const peers = await openGoodPeers(trial);
  const system = await trial.system({
    services,
    instead,
    preload: `name-server?at=${names.at}`,
    supervise: true,
    env: { ...peers.env, ...envOf(playing) },
  });
  const isAlike = services.map((name) => shareAlike(system.part(name).pid)).every(Boolean);
  if (!isAlike) trial.say('sender and integrations take less of the machine than others');
  const good = await openGood(trial, system, peers);
  const client = await system.newWorkspace(hostileId, settingsOf(playing));
  const hostile = await openHostile(system, client, playing);
  const watch = watchProcesses(system, services, 'integrations');
  trial.atEnd(watch.close);
  return { scene: { good, hostile, watch }, playing };
};

const chosenOf = ({ quick, rows }: Trial, { only = rows }: How): readonly Case[] => {
  const unknown = only?.filter((row) => cases.every(({ name }) => name !== row)) ?? [];
  if (unknown.length > 0) throw new Error(`there is no row ${unknown.join(', ')}`);
  return cases.filter(({ name, isQuick }) => (only ? only.includes(name) : isQuick || !quick));
};

const attempt = async (trial: Trial, how: How): Promise<Findings> => {
  const { scene, playing } = await openScene(trial, how, chosenOf(trial, how));
  const broken: string[] = [];
  const figures: Findings['figures'] = {};
  // The code of the services is not compiled yet.
  await scene.good.round();
  let alone = await scene.good.round();
  for (const one of playing) {
    const all: Played[] = [];
    do {
      const played = await play(scene, one, alone);
      trial.say(`${one.name}: ${inWords(played)}`);
      all.push(played);
      alone = played.after;
    } while (mayBeNoise(meanOf(all)) && all.length < mostTries);
    const shares = meanOf(all);
    figures[one.name] = `${shares.messages.toFixed(2)}/${shares.rows.toFixed(2)}`;
    const sentences = [...all.flatMap((played) => played.broken), ...slow(shares)];
    broken.push(...sentences.map((sentence) => `${one.name}: ${sentence}`));
  }
  return { figures, broken };
};

export const peers = faultOf<How>(
  attempt,
  [{ instead: {} }, { instead: { sender: 'sender-sharing-no-names' }, only: ['names silent'] }],
  {
    name: 'peers',
    alone: true,
    onlyByName: true,
    limitMinutes: 20,
    title:
      'name servers, databases, providers, buckets and mail servers of one workspace are silent, endless, slow or lie: another one keeps 0.7 of its rate, no process ends, memory is bounded',
    without: 'a share of look-ups for each workspace',
    breaks: /names silent: the rate of messages/,
  },
);
