/** The ways in which a worker refuses, each in one word. */
import { nearest, Rejection, refusal } from '@roster/contract';
import type { TemplateFault } from '@roster/liquid';

export const nameTaken = refusal('CONTENT_BLOCK_NAME_TAKEN');
export const nameFixed = refusal('CONTENT_BLOCK_NAME_FIXED');
export const activeForGood = refusal('CONTENT_BLOCK_ACTIVE');
export const blocksFull = refusal('CONTENT_BLOCKS_FULL');
export const versionsFull = refusal('CONTENT_VERSIONS_FULL');
export const blockUnknown = refusal('CONTENT_BLOCK_UNKNOWN');
export const blockDeleted = refusal('CONTENT_BLOCK_DELETED');
export const blockIdBlank = refusal('CONTENT_BLOCK_ID_BLANK');
export const versionUnknown = refusal('CONTENT_VERSION_UNKNOWN');
export const overtaken = refusal('CONTENT_BLOCK_OVERTAKEN');
export const inItself = refusal('CONTENT_BLOCK_IN_ITSELF');
export const tooManyIncludes = refusal('CONTENT_BLOCK_INCLUDES_TOO_MANY');

export const includedUnknown = (name: string): Rejection =>
  refusal('CONTENT_BLOCK_INCLUDED_UNKNOWN')(
    `Content references a Content Block that does not exist: ${name}`,
  );

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
  refusal('CONTENT_BLOCK_IN_USE')(`Content Block is in use by ${type} ${name}`);

export const malformed = (faults: readonly TemplateFault[]): Rejection =>
  new Rejection('CONTENT_MALFORMED', { faults: faults.map(({ kind: _, ...told }) => told) });

export const centerNameTaken = refusal('PREFERENCE_CENTER_NAME_TAKEN');
export const centerNameFixed = refusal('PREFERENCE_CENTER_NAME_FIXED');
export const centersFull = refusal('PREFERENCE_CENTERS_FULL');
export const centerUnknown = refusal('PREFERENCE_CENTER_UNKNOWN');
export const centerIsDraft = refusal('PREFERENCE_CENTER_DRAFT');
export const personUnknown = refusal('PERSON_UNKNOWN');

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
