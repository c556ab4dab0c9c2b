import { isCleanText, isLongerThan, unclean } from './text.ts';

const LONGEST_NAME = 255;
const DOLLAR = 36;

/** Why a text can't be the name of an attribute or property, or `undefined`. Everything else is only data (`__proto__`, dots). */
export function nameFault(name: string): string | undefined {
  if (name.length === 0) return 'must not be empty';
  if (name.charCodeAt(0) === DOLLAR) return 'must not begin with $';
  if (isLongerThan(name, LONGEST_NAME)) return `must not be longer than ${LONGEST_NAME} characters`;
  return isCleanText(name) ? undefined : unclean;
}
