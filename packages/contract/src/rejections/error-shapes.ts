/** What a request that failed is answered, as schemas. */
import { Type } from '@sinclair/typebox';
import type { Dialect } from '../operation.ts';
import { count, objectShape, text } from '../shape.ts';

export const entryError = objectShape('EntryError', 'One refused entry. Only its first cause is told.', {
  type: text('What is wrong, as a sentence. Sentences may be reworded.'),
  code: text('What is wrong, as a stable code.'),
  input_array: text('The array of the request that holds the entry.'),
  index: count('Position of the entry in that array, from 0.'),
});

export const templateFault = objectShape(
  'TemplateFault',
  'One place that is wrong; the whole template, without line and column.',
  {
    reason: text('What is wrong, as a sentence.'),
    line: Type.Optional(Type.Integer({ minimum: 1, description: 'Line of the template, from 1.' })),
    column: Type.Optional(Type.Integer({ minimum: 1, description: 'Column in that line, from 1.' })),
  },
);

const errorBody = objectShape('ErrorBody', 'Answer to a request that failed as a whole.', {
  message: text('What is wrong, as a sentence. Sentences may be reworded.'),
  code: text('What is wrong, as a stable code of the list of errors.'),
  errors: Type.Optional(
    Type.Array(entryError, { description: 'The refused entries, when entries were refused.' }),
  ),
  faults: Type.Optional(
    Type.Array(templateFault, {
      description: 'What is wrong, where the message does not say it: in malformed Liquid, for example.',
    }),
  ),
});

const activityErrorBody = objectShape('ActivityError', 'Why a request about a live activity was refused.', {
  error: text('What is wrong.'),
  message: Type.Optional(text('The same; absent when the body is not JSON.')),
  code: Type.Optional(
    text('What is wrong, as a stable code of the list of errors; absent when the body is not JSON.'),
  ),
});

const scimErrorBody = objectShape('ScimError', 'Answer to a SCIM request that failed.', {
  schemas: Type.Array(text('`urn:ietf:params:scim:api:messages:2.0:Error`.'), {
    description: 'What kind of message this is.',
  }),
  detail: text('What is wrong, as a sentence.'),
  status: Type.Integer({ description: 'The status of the answer.' }),
  scimType: Type.Optional(text('What is wrong, as a keyword of RFC 7644 3.12.')),
});

/** The body of an error in each dialect. */
export const errorShapes = {
  rest: errorBody,
  scim: scimErrorBody,
  activity: activityErrorBody,
} as const satisfies Record<Dialect, unknown>;
