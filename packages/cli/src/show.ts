/** Writes a result, and tells when it could not be seen: a secret that nobody saw has to be ended. */
import { getSystemErrorMap } from 'node:util';
import type { Io } from './io.ts';
import { failed, messageOf } from './result.ts';

const reasonOf = (error: unknown): string => {
  const { errno = 0 } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno)?.[1] ?? messageOf(error);
};

/** The reader of a pipe has what it wanted, as `head` has. */
const isReaderGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';

/** `unseen`: for a text that is shown once, what the person has to do when it cannot be shown. */
export const show = async (io: Io, text: string, unseen?: string): Promise<void> => {
  try {
    if (unseen !== undefined && io.isUnseen?.()) throw new Error('standard output is closed or /dev/null');
    await io.out(text);
  } catch (error) {
    if (isReaderGone(error) && unseen === undefined) return;
    const remedy = unseen === undefined ? '' : ` ${unseen}`;
    throw failed(`the result could not be shown: ${reasonOf(error)}.${remedy}`);
  }
};
