/** For tests: holds an answer to the schema that documents it. */

import {
  createPublisher,
  errorShapes,
  type OperationOf,
  operations,
  rejections,
  rejectionsOf,
} from '@roster/contract';
import type { TSchema } from '@sinclair/typebox';
import { errorIn, sentenceOf } from './sentences.ts';
import { createLookUp } from './validators.ts';

type AnswerCheck = (operation: OperationOf<string>, status: number, body: unknown) => string | undefined;

const schemasOf = (operation: OperationOf<string>): Readonly<Record<number, TSchema>> => {
  const errors = rejectionsOf(operation).map((code) => [
    rejections[code].status,
    errorShapes[operation.dialect ?? 'rest'],
  ]);
  return { ...Object.fromEntries(errors), ...operation.responses };
};

/** The check says what is wrong with an answer, or nothing. */
export function createAnswerCheck(): AnswerCheck {
  const publisher = createPublisher();
  const answers = Object.fromEntries(
    operations.map((operation) => [
      operation.id,
      Object.fromEntries(
        Object.entries(schemasOf(operation)).map(([status, schema]) => [status, publisher.publish(schema)]),
      ),
    ]),
  );
  const lookUp = createLookUp({ answers, components: { schemas: publisher.components() } });
  return ({ id }, status, body) => {
    if (!answers[id]?.[status]) return `${id} does not document status ${status}`;
    const isShaped = lookUp(['answers', id, String(status)]);
    const error = errorIn(isShaped, body);
    return error && sentenceOf(error, '');
  };
}
