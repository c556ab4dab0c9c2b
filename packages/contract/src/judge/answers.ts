/** For tests: holds an answer to the schema that documents it. */
import { judgedOpenapi } from '../document/openapi.ts';
import type { OperationOf } from '../operation.ts';
import { operations as table } from '../operations/index.ts';
import { sentenceOf } from './sentences.ts';
import { createLookUp } from './validators.ts';

export type AnswerCheck = (
  operation: OperationOf<string>,
  status: number,
  body: unknown,
) => string | undefined;

/** The check returns the problem of an answer, or nothing. */
export function createAnswerCheck(operations: readonly OperationOf<string>[] = table): AnswerCheck {
  const document = judgedOpenapi(operations);
  const lookUp = createLookUp(document);
  return ({ id, method, path }, status, body) => {
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses;
    if (!responses?.[status]) return `${id} does not document status ${status}`;
    const place = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
    ];
    const isShaped = lookUp([...place, 'schema']);
    if (isShaped(body)) return undefined;
    const error = isShaped.errors?.at(-1);
    return error ? sentenceOf(error, '') : 'does not have the documented shape';
  };
}
