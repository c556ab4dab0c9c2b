/** What a request that failed is answered, as schemas. */
import type { Static } from '@sinclair/typebox';
import { count, listOf, maybe, objectShape, optional, text, whole } from '../shape.ts';

export const entryError = objectShape('EntryError', 'One refused entry. Only its first cause is told.', {
  type: text('What is wrong, as a sentence. Sentences may be reworded.'),
  code: text('What is wrong, as a stable code.'),
  input_array: text('The array of the request that holds the entry.'),
  index: count('Position of the entry in that array, from 0.'),
});

export type EntryError = Static<typeof entryError>;

export const templateFault = objectShape(
  'TemplateFault',
  'One place that is wrong; the whole template, without line and column.',
  {
    reason: text('What is wrong, as a sentence.'),
    line: maybe(whole('Line of the template, from 1.', { minimum: 1 })),
    column: maybe(whole('Column in that line, from 1.', { minimum: 1 })),
  },
);

export type TemplateFault = Static<typeof templateFault>;

const errorBody = objectShape('ErrorBody', 'Answer to a request that failed as a whole.', {
  message: text('What is wrong, as a sentence. Sentences may be reworded.'),
  code: text('What is wrong, as a stable code of the list of errors.'),
  ...optional({
    errors: listOf(entryError, 'The refused entries, when entries were refused.'),
    faults: listOf(
      templateFault,
      'What is wrong, where the message does not say it: in malformed Liquid, for example.',
    ),
  }),
});

const activityErrorBody = objectShape('ActivityError', 'Why a request about a live activity was refused.', {
  error: text('What is wrong.'),
  ...optional({
    message: text('The same; absent when the body is not JSON.'),
    code: text('What is wrong, as a stable code of the list of errors; absent when the body is not JSON.'),
  }),
});

const scimErrorBody = objectShape('ScimError', 'Answer to a SCIM request that failed.', {
  schemas: listOf(text('`urn:ietf:params:scim:api:messages:2.0:Error`.'), 'What kind of message this is.'),
  detail: text('What is wrong, as a sentence.'),
  status: whole('The status of the answer.'),
  scimType: maybe(text('What is wrong, as a keyword of RFC 7644 3.12.')),
});

export type ScimError = Static<typeof scimErrorBody>;

/** The body of an error in each dialect. */
export const errorShapes = { rest: errorBody, scim: scimErrorBody, activity: activityErrorBody } as const;

/** The format of errors and the content types. */
export type Dialect = keyof typeof errorShapes;
