// T31: whatever happens at once, what is there afterwards is what one order of the accepted requests gives.
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { keepDoing } from '../harness/wait.ts';
import { afterDeletion, found, goingAlias } from '../oracle/found.ts';
import { type History, historyOf, timesEach } from '../oracle/history.ts';
import { type Plan, playTrial, type Shape } from '../oracle/trial.ts';

const many: Shape = { workspaces: 24, hands: 4, atOnce: 24 };

/**
 * All in one workspace wait for each other: it takes longer, and more requests are late, as what goes wrong without a protection needs.
 * Controls play so, and short trials like their controls.
 */
const one: Shape = { workspaces: 1, hands: 24, atOnce: 60 };

/** For trials that count: small parts, so that kills fall into all of them. */
const few: Shape = { workspaces: 3, hands: 6, atOnce: 6 };

/** `timesFound`: so often those that once failed are played. `share`: of the random histories, while workers are killed. */
interface Size {
  histories: number;
  timesFound: number;
  share: number;
  killTimes?: number;
  shape: Shape;
}

const counting: Size = { histories: 24, timesFound: 1, share: 1, killTimes: 4, shape: few };
const quick: Size = { histories: 150, timesFound: 5, share: 1 / 3, shape: one };
const full: Size = { histories: 2_000, timesFound: 10, share: 1 / 10, shape: many };
const control: Size = { histories: 600, timesFound: 10, share: 0, shape: one };

const sizeOf = (trial: Trial): Size => (trial.counting ? counting : trial.quick ? quick : full);

const firstSeedOf = (trial: Trial): number => trial.seedOr(Math.floor(Date.now() / 1000) % 1_000_000);

const historiesOf = (first: number, { histories, timesFound }: Size): History[] => [
  ...timesEach(timesFound, found),
  ...Array.from({ length: histories }, (_, i) => historyOf(first + i)),
];

const attempt = async (trial: Trial): Promise<Findings> => {
  const usual = sizeOf(trial);
  const { histories = usual.histories } = trial;
  const first = firstSeedOf(trial);
  trial.say(
    `seeds ${first} to ${first + histories - 1}; again with: npm run faults -- identity --seed ${first} --histories ${histories}`,
  );
  const { unexplained, ...findings } = await playTrial(trial, {
    histories: historiesOf(first, { ...usual, histories }),
    shape: usual.shape,
    withKills: Math.ceil(histories * usual.share),
    ...(usual.killTimes && { killTimes: usual.killTimes }),
    shrinks: true,
  });
  if (unexplained.length > 0)
    findings.broken.push(`no order explains the seeds ${unexplained.map(({ seed }) => seed).join(', ')}`);
  return findings;
};

/** What is forgotten at once protects nothing. */
const withoutTombstones = ({ mongo }: System): (() => Promise<void>) =>
  keepDoing(() => mongo.collection('tombstones').deleteMany({}), 5);

/** Callers are told early that an identity request is queued, and go on; it is applied then. */
const lateIdentity = { RESULT_TIMEOUT_SECONDS: '1.5' };

interface Unprotected extends Pick<Plan, 'instead' | 'env' | 'spoil'> {
  /** Played before the others. */
  aimed?: History;
}

/** Each of them in turn: without it some history must stay unexplained. */
const protections: Record<string, Unprotected> = {
  'the fence and the transaction': { instead: { identity: 'identity-naive' } },
  'the fence': { instead: { identity: 'identity-without-fence' } },
  tombstones: {
    instead: { track: 'track-patient-late', identity: 'identity-late' },
    env: lateIdentity,
    aimed: goingAlias,
    spoil: withoutTombstones,
  },
  'the wait for what was accepted before': { instead: { track: 'track-hasty' } },
  'since when a person has a contact': { instead: { track: 'track-patient-forgetful' } },
  'the wait for deletions': {
    instead: { track: 'track-patient-unnoticing', identity: 'identity-late' },
    env: lateIdentity,
    aimed: afterDeletion,
  },
  'the order of record': { instead: { track: 'track-flaky-unstamped-impatient' } },
};

const attemptWithout = async (trial: Trial, { aimed, ...plan }: Unprotected) => {
  const histories = [...timesEach(60, aimed ? [aimed] : []), ...historiesOf(firstSeedOf(trial), control)];
  return (await playTrial(trial, { ...plan, histories, shape: control.shape, isControl: true })).figures;
};

export const identity: Fault = {
  name: 'identity',
  title:
    'random histories of all that says who is who and what counts, workers killed meanwhile: one order of the accepted requests, in which whatever was sent after an answer comes after it, explains what is there',
  inGate: true,
  run: attempt,
  control: {
    without: 'each protection in turn; in a short trial the fence and the transaction',
    breaks: /^without any of these histories are unexplained/,
    async run(trial): Promise<Findings> {
      const all = Object.entries(protections).slice(0, trial.quick ? 1 : undefined);
      const figures: Findings['figures'] = {};
      for (const [name, unprotected] of all) {
        const seen = await attemptWithout(trial, unprotected);
        figures[`without ${name}`] = `${seen.unexplained} of ${seen.histories} unexplained`;
        trial.say(`without ${name}: ${figures[`without ${name}`]}`);
        if (seen.unexplained === 0) return { figures, broken: [] };
      }
      const names = all.map(([name]) => name).join(', ');
      return { figures, broken: [`without any of these histories are unexplained: ${names}`] };
    },
  },
};
