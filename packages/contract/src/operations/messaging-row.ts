/** What the operations of the queue `messaging` have in common. */
import { Type } from '@sinclair/typebox';
import type { BodyRule, JsonObject } from '../operation.ts';
import { templateFault } from '../rejections/error-shapes.ts';
import { Rejection, type RejectionCode } from '../rejections/rejections.ts';
import { text } from '../shape.ts';
import type { Json } from '../types.ts';
import { readRow as exportRow } from './read-row.ts';

export const readRow = { ...exportRow, queue: 'messaging' } as const;

/** Its worker keeps which key made the change. */
export const writeRow = { ...readRow, method: 'POST', kind: 'write', success: 201, signed: true } as const;

export const success = text('`success`.');

/** Not refused: another service may know the name, and a content block may make it. */
export const unknownNames = {
  faults: Type.Optional(
    Type.Array(templateFault, {
      description:
        'Names in the Liquid that are not variables of Roster or groups of the workspace. They are rendered as nothing. At most 10.',
    }),
  ),
};

export type Value = Json | undefined;

export const longestName = 99;
export const usualName = /^[A-Za-z0-9_-]+$/;

export const isNoText = (value: Value): boolean => typeof value !== 'string';

export const isTextWhere =
  (is: (value: string) => boolean) =>
  (value: Value): boolean =>
    typeof value === 'string' && is(value);

export const isBlank = (value: Value): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Refuses a body by the first of these that holds for a member of it. */
export const refuseMember =
  (member: string, ...checks: [RejectionCode, (value: Value) => boolean][]): BodyRule =>
  (body: JsonObject) => {
    const value = body[member];
    const [code] = checks.find(([, isWrong]) => isWrong(value)) ?? [];
    return code && new Rejection(code);
  };

/** Tags are made in the settings of the workspace. */
export const refuseTags: BodyRule = ({ tags }, settings) => {
  if (tags === undefined) return undefined;
  if (!Array.isArray(tags)) return new Rejection('TAGS_NOT_AN_ARRAY');
  if (!tags.every((tag) => typeof tag === 'string')) return new Rejection('TAGS_NOT_STRINGS');
  return tags.every((tag) => settings.tags.has(tag)) ? undefined : new Rejection('TAGS_UNKNOWN');
};
