/** Finds the line of a request in the map of its worker, which has one line for each operation of the queue. */
import { deadLetterCodes } from './dead-letters.ts';

/** A process of another version accepted the request. It becomes a dead letter, which can be retried later. */
class UnknownOperation extends Error {
  readonly code = 'unknown_operation';
  constructor() {
    super(deadLetterCodes.unknown_operation.reason);
  }
}

export const lineOf = <Lines extends object>(lines: Lines, op: string): Lines[keyof Lines] => {
  if (!Object.hasOwn(lines, op)) throw new UnknownOperation();
  return lines[op as keyof Lines];
};
