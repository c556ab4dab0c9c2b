/** What liquidjs throws, as a fault with its place. */
import { LiquidError, ParseError, TokenizationError } from 'liquidjs';
import { LiquidFault, type TemplateFault } from './fault.ts';

const longestReason = 200;

/** liquidjs tells of its limits by these words alone. */
const limitWords = /^(memory alloc|template render|parse length) limit exceeded/;

const isOverLimit = (error: unknown): boolean => error instanceof Error && limitWords.test(error.message);

const kindOf = (error: Error): TemplateFault['kind'] => {
  if (isOverLimit(error)) return 'cost';
  return error instanceof ParseError || error instanceof TokenizationError ? 'syntax' : 'value';
};

/** It ends with the place, which has members of its own. */
const reasonOf = ({ message }: Error): string =>
  message.replace(/, line:\d+, col:\d+$/, '').slice(0, longestReason);

/** No stack left, or a text longer than V8 has. */
const isTooMuch = (error: unknown): boolean => error instanceof Error && error.name === 'RangeError';

export const faultOf = (error: unknown): TemplateFault => {
  if (error instanceof LiquidFault) return error.fault;
  if (isTooMuch(error)) return { kind: 'cost', reason: 'it is too much to hold' };
  if (!LiquidError.is(error))
    return { kind: isOverLimit(error) ? 'cost' : 'value', reason: String(error).slice(0, longestReason) };
  const inner = error.originalError;
  if (inner && (inner instanceof LiquidFault || isTooMuch(inner) || LiquidError.is(inner)))
    return faultOf(inner);
  const [line, column] = error.token.getPosition();
  return {
    kind: kindOf(inner ?? error) === 'cost' ? 'cost' : kindOf(error),
    reason: reasonOf(error),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
};
