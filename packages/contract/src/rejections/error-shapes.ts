/** What a request that failed is answered, as schemas. */
import { Type } from '@sinclair/typebox';
import type { Dialect } from '../operation.ts';
import { shape, text } from '../shape.ts';

export const entryError = shape(
  'EntryError',
  Type.Object(
    {
      type: text('What is wrong, as a sentence. Sentences may be reworded.'),
      code: text('What is wrong, as a stable code.'),
      input_array: text('The array of the request that holds the entry.'),
      index: Type.Integer({ minimum: 0, description: 'Position of the entry in that array, from 0.' }),
    },
    { description: 'One refused entry. Only its first cause is told.' },
  ),
);

export const templateFault = shape(
  'TemplateFault',
  Type.Object(
    {
      reason: text('What is wrong, as a sentence.'),
      line: Type.Optional(Type.Integer({ minimum: 1, description: 'Line of the template, from 1.' })),
      column: Type.Optional(Type.Integer({ minimum: 1, description: 'Column in that line, from 1.' })),
    },
    { description: 'One place that is wrong; the whole template, without line and column.' },
  ),
);

const errorBody = shape(
  'ErrorBody',
  Type.Object(
    {
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
    },
    { description: 'Answer to a request that failed as a whole.' },
  ),
);

const activityErrorBody = shape(
  'ActivityError',
  Type.Object(
    {
      error: text('What is wrong.'),
      message: Type.Optional(text('The same; absent when the body is not JSON.')),
      code: Type.Optional(
        text('What is wrong, as a stable code of the list of errors; absent when the body is not JSON.'),
      ),
    },
    { description: 'Why a request about a live activity was refused.' },
  ),
);

const scimErrorBody = shape(
  'ScimError',
  Type.Object(
    {
      schemas: Type.Array(text('`urn:ietf:params:scim:api:messages:2.0:Error`.'), {
        description: 'What kind of message this is.',
      }),
      detail: text('What is wrong, as a sentence.'),
      status: Type.Integer({ description: 'The status of the answer.' }),
      scimType: Type.Optional(text('What is wrong, as a keyword of RFC 7644 3.12.')),
    },
    { description: 'Answer to a SCIM request that failed.' },
  ),
);

/** The body of an error in each dialect. */
export const errorShapes = {
  rest: errorBody,
  scim: scimErrorBody,
  activity: activityErrorBody,
} as const satisfies Record<Dialect, unknown>;
