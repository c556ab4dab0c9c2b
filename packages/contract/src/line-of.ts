/** What a worker does with each operation of its queue stands in one map: here the line of a request is found. */
import { deadLetterCodes } from './rejections/dead-letters.ts';

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
