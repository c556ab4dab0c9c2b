/** Refusals whose sentences name what is wrong. */
import { nearest, Rejection } from '@roster/contract';
import type { TemplateFault } from '@roster/liquid';

const including = {
  CONTENT_BLOCK_INCLUDED_UNKNOWN: 'Content references',
  MESSAGE_BLOCK_UNKNOWN: 'A message includes',
  PREFERENCE_CENTER_BLOCK_UNKNOWN: 'Preference Center HTML uses',
} as const;

export type IncludedUnknown = keyof typeof including;

export const includedUnknown = (code: IncludedUnknown, name: string): Rejection =>
  new Rejection(code, { message: `${including[code]} a Content Block that does not exist: ${name}` });

const mostNamed = 10;

/** Those that the workspace has, so that a wrong letter is seen. */
const listed = (names: readonly string[]): string => {
  const [some, more] = [names.slice(0, mostNamed).join(', '), names.length - mostNamed];
  return more > 0 ? `${some} and ${more} more` : some;
};

export const linkedCenterUnknown = (
  code: 'MESSAGE_CENTER_UNKNOWN' | 'CONTENT_BLOCK_CENTER_UNKNOWN',
  name: string,
  known: readonly string[],
): Rejection => {
  const what = code === 'MESSAGE_CENTER_UNKNOWN' ? 'A message' : 'Content';
  return new Rejection(code, {
    message: `${what} links to a Preference Center that does not exist: ${name}. The workspace has: ${listed(known)}`,
  });
};

export const inUse = ({ type, name }: { type: string; name: string }): Rejection =>
  new Rejection('CONTENT_BLOCK_IN_USE', { message: `Content Block is in use by ${type} ${name}` });

export const malformed = ({ kind: _, ...told }: TemplateFault): Rejection =>
  new Rejection('CONTENT_MALFORMED', { faults: [told] });

const wordsOf = ({ reason, line, column }: TemplateFault, member: string): string =>
  `${member}${line === undefined ? '' : `, line ${line}, column ${column ?? 1}`}: ${reason}`;

export const messageInvalid = (fault: TemplateFault, member: string): Rejection =>
  new Rejection('MESSAGE_LIQUID_INVALID', { message: wordsOf(fault, member) });

export const centerInvalid = (fault: TemplateFault, member: string): Rejection =>
  new Rejection('PREFERENCE_CENTER_LIQUID_INVALID', {
    message: `Preference Center HTML contains malformed liquid: ${wordsOf(fault, member)}`,
  });

/** A state in Liquid may have any name. */
const longestShown = 64;

export const centerGroupUnknown = (id: string, known: readonly string[]): Rejection => {
  const near = nearest(id, known);
  const help =
    near === undefined ? `. The workspace has: ${listed(known) || 'none'}` : `: did you mean ${near}?`;
  return new Rejection('PREFERENCE_CENTER_GROUP_UNKNOWN', {
    message: `Preference Center HTML names a subscription group that does not exist: ${id.slice(0, longestShown)}${help}`,
  });
};
