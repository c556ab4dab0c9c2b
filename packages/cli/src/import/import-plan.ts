import { existsSync, statSync } from 'node:fs';
import { wrong } from '../result.ts';
import type { Format } from './source.ts';
import { obstacleOf, readState, type SavedState, statePathOf } from './state-file.ts';
import { keyIdOf, type Target } from './target.ts';

export interface ImportPlan {
  /** `-` is standard input: read once, and without a place to continue from. */
  file: string;
  format: Format;
  /** The settings that shape the requests, in words: an import that continues must use the same. */
  settings: Record<string, string>;
  batchSize: number;
  concurrency: number;
  giveUpAfterMs: number;
  restart: boolean;
  refusedPath: string;
  run?: string | undefined;
  wait: boolean;
  target: Target;
  /** The command that continues, for the person to copy. */
  goOn: string;
}

export const isStdin = ({ file }: Pick<ImportPlan, 'file'>): boolean => file === '-';

export const sizeOf = (plan: ImportPlan): number | undefined => {
  if (isStdin(plan)) return undefined;
  if (!existsSync(plan.file)) throw wrong(`there is no file ${plan.file}.`);
  const found = statSync(plan.file);
  if (!found.isFile()) throw wrong(`${plan.file} is no file. Pipe it in: roster import - < ${plan.file}`);
  return found.size;
};

/** The place to continue from, if the import was begun before. */
export const stateOf = (plan: ImportPlan): SavedState | undefined => {
  const { file, restart, target, settings } = plan;
  if (isStdin(plan) || restart) return undefined;
  const state = readState(statePathOf(file));
  const obstacle = state && obstacleOf(state, { file, key: keyIdOf(target.key), settings });
  if (obstacle) throw wrong(obstacle);
  return state;
};
