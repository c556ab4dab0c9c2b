// The end of a trial: everything accepted is applied, once, as the documents of MongoDB show.
import { deadLetters } from './queue-state.ts';
import { type Balance, imbalance, reconcile } from './reconcile.ts';
import type { Chapter } from './story.ts';
import type { System } from './system.ts';
import { type Comparison, compare, differences, expected, tallyOf } from './tally.ts';
import { until } from './wait.ts';

type Stored = Pick<System, 'mongo' | 'redis'>;

/** The sentence for the findings when something is still queued or at work after so long. */
export const unfinished = async ({ quiet }: Pick<System, 'quiet'>, ms: number): Promise<string[]> =>
  (await quiet(ms)) ? [] : [`the queue was not empty after ${ms / 1_000} s`];

/** Likewise when somebody is still to be erased. */
export const unswept = async ({ mongo }: Stored, ms: number): Promise<string[]> => {
  const isSwept = async () => (await mongo.collection('sweeps').countDocuments()) === 0;
  return (await until(ms, isSwept, 250)) === undefined
    ? [`the sweep was not done within ${ms / 1_000} s`]
    : [];
};

/** No request of a story is at fault for anything. */
const epitaph = async ({ redis }: Stored): Promise<string[]> => {
  const [first, ...more] = await deadLetters(redis);
  if (!first) return [];
  return [
    `${more.length + 1} innocent requests became dead letters, the first for ${first.code}: ${first.reason}`,
  ];
};

export interface Effects {
  comparison: Comparison;
  balance: Balance;
  broken: string[];
}

/** Holds the story that was accepted against what is stored. `more` was accepted, too. */
export const judgeStory = async (
  system: Stored,
  accepted: ReadonlyMap<Chapter, string>,
  more: readonly string[] = [],
): Promise<Effects> => {
  const comparison = compare(expected(accepted.keys()), await tallyOf(system.mongo));
  const balance = await reconcile({ accepted: [...accepted.values(), ...more], ...system });
  const broken = [...differences(comparison), ...imbalance(balance), ...(await epitaph(system))];
  return { comparison, balance, broken };
};
