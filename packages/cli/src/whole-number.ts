import { InvalidArgumentError } from 'commander';

/** For an option that takes a number. */
export const wholeNumber =
  (from: number, to: number) =>
  (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isInteger(value) || value < from || value > to)
      throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`);
    return value;
  };
