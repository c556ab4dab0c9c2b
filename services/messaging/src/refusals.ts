/** Refusals whose sentences name what is wrong. */
import { nearest, Rejection } from '@roster/contract';
import type { TemplateFault } from '@roster/liquid';

export const includedUnknown = (name: string): Rejection =>
  new Rejection('CONTENT_BLOCK_INCLUDED_UNKNOWN', {
    message: `Content references a Content Block that does not exist: ${name}`,
  });

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

export const malformed = (faults: readonly TemplateFault[]): Rejection =>
  new Rejection('CONTENT_MALFORMED', { faults: faults.map(({ kind: _, ...told }) => told) });

export const liquidInvalid = (member: string, { reason, line, column }: TemplateFault): Rejection => {
  const place = line === undefined ? '' : `, line ${line}, column ${column ?? 1}`;
  return new Rejection('PREFERENCE_CENTER_LIQUID_INVALID', {
    message: `Preference Center HTML contains malformed liquid: ${member}${place}: ${reason}`,
  });
};

export const centerBlockUnknown = (name: string): Rejection =>
  new Rejection('PREFERENCE_CENTER_BLOCK_UNKNOWN', {
    message: `Preference Center HTML uses a Content Block that does not exist: ${name}`,
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
