import { SourceError } from './source-error.ts';

/** Fails when the work takes longer; `late` ends the work. */
export const withTimeLimit = async <T>(ms: number, late: () => void, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new SourceError('no_answer', `the server has sent nothing for ${Math.round(ms / 1000)} s`));
      late();
    }, ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
};
