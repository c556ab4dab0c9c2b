/**
 * Members of a body with rejections of their own: `x-errors` of their schema names the code for each of its keywords, and for `blank`, which
 * is white space alone, or nothing where something is required.
 */
import { isRejectionCode, type JsonObject, Rejection, type RejectionCode } from '@roster/contract';
import type { TObject } from '@sinclair/typebox';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { errorIn } from './sentences.ts';

export interface CodedMember {
  name: string;
  isRequired: boolean;
  blank: RejectionCode | undefined;
  isShaped: ValidateFunction;
}

const codeIn = (schema: Record<string, unknown> | undefined, keyword: string): RejectionCode | undefined => {
  const code: unknown = (schema?.['x-errors'] as Record<string, unknown> | undefined)?.[keyword];
  return typeof code === 'string' && isRejectionCode(code) ? code : undefined;
};

export const codedMembers = (
  body: TObject | undefined,
  lookUp: (name: string) => ValidateFunction,
): CodedMember[] =>
  Object.entries(body?.properties ?? {}).flatMap(([name, schema]) =>
    schema['x-errors'] === undefined
      ? []
      : [
          {
            name,
            isRequired: body?.required?.includes(name) ?? false,
            blank: codeIn(schema, 'blank'),
            isShaped: lookUp(name),
          },
        ],
  );

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** In the order of the schema. What has no code is left to the schema of the whole body. */
export function codedFault(members: readonly CodedMember[], body: JsonObject): Rejection | undefined {
  for (const { name, isRequired, blank, isShaped } of members) {
    const value = body[name];
    if (value === undefined && !isRequired) continue;
    if (blank && isBlank(value)) return new Rejection(blank);
    const error = value === undefined ? undefined : errorIn(isShaped, value);
    const code = error && codeIn(error.parentSchema, error.keyword);
    if (code) return new Rejection(code);
  }
  return undefined;
}
