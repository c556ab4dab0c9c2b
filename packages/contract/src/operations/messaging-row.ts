/** What the operations of the queue `messaging` have in common. */
import { isCleanText } from '../formats/text.ts';
import type { BodyRule } from '../operation.ts';
import { templateFault } from '../rejections/error-shapes.ts';
import { Rejection } from '../rejections/rejections.ts';
import { listOf, optional } from '../shape.ts';
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

export const longestName = 99;
export const usualName = /^[A-Za-z0-9_-]+$/;

/** Texts are stored as they are. */
export const refuseUnclean =
  (...members: readonly string[]): BodyRule =>
  (body) => {
    const wrong = members.find((name) => typeof body[name] === 'string' && !isCleanText(body[name]));
    return wrong === undefined
      ? undefined
      : new Rejection('BODY_INVALID', { message: `${wrong} must be well-formed text without NUL` });
  };
