// Promises about order that one small history each can show: it is played often, at the same time as others, and judged by the oracle.
import { type Fault, type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { History } from '../oracle/history.ts';
import { early, inOrder, lastWins, laterOwner } from '../oracle/named.ts';
import { type Plan, playTrial } from '../oracle/trial.ts';

type Sized<Value> = Record<'quick' | 'full', Value>;

interface Row extends Pick<Plan, 'env'>, Pick<Fault, 'name' | 'title'> {
  histories: readonly History[];
  /** How often each of them is played. */
  times: Sized<number>;
  services: string[];
  /** So many at the same time. */
  hands: number;
  /** So many requests wait in front of them. */
  behind?: Sized<number>;
  instead: Record<string, string>;
  control: { without: string; instead: Record<string, string> };
}

const services = ['ingress', 'track', 'export'];

/** One turn in ten of three track workers fails, except where identity waits for them. */
const rows: Row[] = [
  // T20
  {
    name: 'last-wins',
    title: 'one attribute is set over and over, each time after the answer: the last accepted value stands',
    histories: lastWins,
    times: { quick: 100, full: 500 },
    hands: 20,
    services,
    instead: { track: 'track-flaky' },
    control: { without: 'a fold that ignores stamps', instead: { track: 'track-flaky-unstamped' } },
  },
  {
    name: 'early',
    title: 'an event finds the alias, and an update the email, of a request that was accepted before',
    histories: early,
    times: { quick: 300, full: 3_000 },
    hands: 16,
    services,
    instead: { track: 'track-patient' },
    control: { without: 'the wait for what was accepted before', instead: { track: 'track-hasty' } },
  },
  {
    name: 'later-owner',
    title: 'an entry by an unknown email or phone never goes to a person who gets it later',
    histories: laterOwner,
    times: { quick: 20, full: 300 },
    hands: 16,
    services,
    instead: { track: 'track-patient' },
    control: {
      without: 'the knowledge since when a person has a contact',
      instead: { track: 'track-patient-forgetful' },
    },
  },
  // Callers who wait for the result are told soon that it may take longer: all is sent while the backlog is still there.
  {
    name: 'in-order',
    title: 'track, then at once who that is, behind a backlog: as if one had waited in between',
    histories: inOrder,
    times: { quick: 30, full: 100 },
    hands: 60,
    behind: { quick: 2_000, full: 20_000 },
    services: ['ingress', 'track', 'identity', 'export'],
    env: { RESULT_TIMEOUT_SECONDS: '0.2' },
    instead: { track: 'track-impatient' },
    control: { without: 'the fence', instead: { identity: 'identity-without-fence' } },
  },
];

const attemptOf =
  ({ histories, times, hands, behind, services, env }: Row) =>
  async (trial: Trial, how: Pick<Plan, 'instead' | 'isControl'>): Promise<Findings> => {
    const size = trial.quick ? 'quick' : 'full';
    const all = Array.from({ length: times[size] }, () => histories).flat();
    const { unexplained, ...findings } = await playTrial(trial, {
      histories: all.map((history) => ({ ...history })),
      shape: { workspaces: 1, hands, atOnce: all.length },
      ...how,
      services,
      ...(env && { env }),
      ...(behind && { behind: behind[size] }),
    });
    if (unexplained.length > 0)
      findings.broken.push(`no order explains ${unexplained.length} of ${all.length} histories`);
    return findings;
  };

const faultOfRow = (row: Row): Fault => {
  const { name, title, instead, control } = row;
  const unprotected = { instead: { ...instead, ...control.instead }, isControl: true };
  const words = { name, title, without: control.without, breaks: /^no order explains/ };
  return faultOf(attemptOf(row), { instead }, unprotected, words);
};

export const histories: Fault[] = rows.map(faultOfRow);
