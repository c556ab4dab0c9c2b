/** What the operations of the queue `messaging` have in common. */
import { isCleanText } from '../formats/text.ts';
import type { BodyRule } from '../operation.ts';
import { templateFault } from '../rejections/error-shapes.ts';
import { Rejection, type RejectionCode } from '../rejections/rejections.ts';
import { listOf, optional, text } from '../shape.ts';
import { readRow as exportRow } from './read-row.ts';

export const readRow = { ...exportRow, queue: 'messaging' } as const;

/** Its worker keeps which key made the change. */
export const writeRow = { ...readRow, method: 'POST', kind: 'write', success: 201, signed: true } as const;

/** Not refused: another service may know the name, and a content block may make it. */
export const unknownNames = optional({
  faults: listOf(
    templateFault,
    'Names in the Liquid that are not variables of Roster or groups of the workspace. They are rendered as nothing. At most 10.',
  ),
});

export const notBlank = { pattern: '\\S' };

export const uniqueName = (more: string, codes?: Record<string, RejectionCode>) =>
  text(`Fewer than 100 letters (A to Z), digits, \`-\` and \`_\`; unique in the workspace.${more}`, {
    pattern: '^[A-Za-z0-9_-]+$',
    maxLength: 99,
    ...(codes && { 'x-errors': codes }),
  });

/** Of less than so many bytes. */
export const template = (
  description: string,
  bytes: number,
  code: 'CONTENT' | 'PREFERENCE_CENTER_PAGE' | 'PREFERENCE_CENTER_CONFIRMATION',
) =>
  text(description, {
    ...notBlank,
    maxLength: bytes - 1,
    'x-max-bytes': bytes - 1,
    'x-errors': {
      blank: `${code}_BLANK`,
      type: `${code}_NOT_A_STRING`,
      maxLength: `${code}_TOO_LARGE`,
      'x-max-bytes': `${code}_TOO_LARGE`,
    } satisfies Record<string, RejectionCode>,
  });

/** Texts are stored as they are. */
export const refuseUnclean =
  (...members: readonly string[]): BodyRule =>
  (body) => {
    const wrong = members.find((name) => typeof body[name] === 'string' && !isCleanText(body[name]));
    return wrong === undefined
      ? undefined
      : new Rejection('BODY_INVALID', { message: `${wrong} must be well-formed text without NUL` });
  };
