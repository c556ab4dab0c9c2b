/** What was to be written is not as its schema says: a bug. It names members and no values, because it is logged. */
import mongoose from 'mongoose';

const { CastError, StrictModeError, ValidationError } = mongoose.Error;

class Misfit extends Error {
  readonly code = 'misfit';
}

/** Each member with the rule that it breaks; `undefined` for an error of another kind. */
const brokenIn = (error: unknown): string[] | undefined => {
  if (error instanceof ValidationError)
    return Object.values(error.errors).map(({ path, kind }) => `${path} (${kind})`);
  if (error instanceof CastError) return [`${error.path} (${error.kind})`];
  return error instanceof StrictModeError ? [`${error.path} (unknown)`] : undefined;
};

/** Errors of a schema's writes, without the values that mongoose puts into them. */
export const withoutValues = (error: Error, _written: unknown, next: (error?: Error) => void): void => {
  const broken = brokenIn(error);
  next(broken ? new Misfit(`not as its schema says: ${broken.join(', ')}`) : error);
};
