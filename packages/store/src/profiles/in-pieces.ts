/**
 * Applies a batch in pieces, each of which fits the load budget. Nearly always that is one piece. Otherwise each workspace gets a piece
 * of its own, so that no workspace waits for the large profiles of another one; a piece that is still too large is cut in halves, down to single requests.
 */
import { grouped } from '@roster/profile';
import {
  createLoadBudget,
  type LoadBudget,
  type LoadLimits,
  loadLimits,
  TooMuchToLoad,
} from './load-budget.ts';

/** Runs tasks one after the other, in the order in which they came. */
const createLine = () => {
  let last: Promise<unknown> = Promise.resolve();
  let inLine = 0;
  return {
    isFree: () => inLine === 0,
    async wait<Result>(work: () => Promise<Result>): Promise<Result> {
      inLine += 1;
      const mine = last.then(work, work).finally(() => {
        inLine -= 1;
      });
      // The next one only waits for its end.
      last = mine.catch(() => {});
      return mine;
    },
  };
};

interface Request {
  ws: string;
}

export interface InPiecesOptions {
  limits?: LoadLimits;
  /** The bytes loaded for a workspace, useful or not. */
  onLoaded?(ws: string, bytes: number): void;
}

/** Applies the whole piece or nothing; each attempt has a budget of its own. */
type ApplyPiece<Some extends Request> = (
  piece: readonly Some[],
  newBudget: () => LoadBudget,
) => Promise<void>;

const halves = <Some>(batch: readonly Some[]): Some[][] => {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
};

/** The requests that do not fit into ordinary transactions, by workspace. */
const tooLarge = async <Some extends Request>(
  batch: readonly Some[],
  fitsAsUsual: (piece: readonly Some[]) => Promise<boolean>,
): Promise<Some[][]> => {
  if (await fitsAsUsual(batch)) return [];
  const parts = [...grouped(batch, ({ ws }) => ws).values()];
  if (parts.length < 2) return parts;
  const left: Some[][] = [];
  for (const part of parts) if (!(await fitsAsUsual(part))) left.push(part);
  return left;
};

export const createInPieces = ({ limits = loadLimits, onLoaded }: InPiecesOptions = {}) => {
  const line = createLine();

  /** Whether it fitted. */
  const fits = async <Some extends Request>(
    piece: readonly Some[],
    apply: ApplyPiece<Some>,
    most: number,
    mayCut = true,
  ): Promise<boolean> => {
    let budget: LoadBudget | undefined;
    const newBudget = (): LoadBudget => {
      budget = createLoadBudget(most, { mayCut, wholeUpTo: limits.wholeUpTo });
      return budget;
    };
    try {
      await apply(piece, newBudget);
      return true;
    } catch (error) {
      if (error instanceof TooMuchToLoad) return false;
      throw error;
    } finally {
      for (const [ws, bytes] of budget?.taken ?? []) onLoaded?.(ws, bytes);
    }
  };

  /** Waits outside of a transaction until no other piece loads much. */
  const fitsAlone = <Some extends Request>(piece: readonly Some[], apply: ApplyPiece<Some>) =>
    line.wait(() => fits(piece, apply, limits.large, piece.length > 1));

  /** Returns the requests that have not been applied: they are postponed. */
  return async <Some extends Request>(batch: readonly Some[], apply: ApplyPiece<Some>) => {
    // A single request that loads much would be read twice if it were tried as an ordinary one first.
    const waiting =
      batch.length === 1 && line.isFree()
        ? [[...batch]]
        : await tooLarge(batch, (piece) => fits(piece, apply, limits.ordinary));
    for (let pieces = 0; pieces < limits.mostPieces; ) {
      const piece = waiting.shift();
      if (!piece) break;
      if (await fitsAlone(piece, apply)) pieces += 1;
      else waiting.unshift(...halves(piece));
    }
    return new Set(waiting.flat());
  };
};

export type InPieces = ReturnType<typeof createInPieces>;
