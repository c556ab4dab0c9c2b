/** A worker that does not say which case of the catalogue its refusal is: the sentence tells, unless it names a place. */
import { errorHeadersOf, type Operation, type RejectionCode, rejections } from '@roster/contract';
import type { Answer } from './answer-headers.ts';

const sentenceIn = (body: string): unknown => {
  const { message, detail, error }: Record<string, unknown> = JSON.parse(body);
  return message ?? detail ?? error;
};

const codeOf = (operation: Operation, { status, body }: Answer): RejectionCode | undefined => {
  const possible = operation.rejections.filter((code) => rejections[code].status === status);
  const sentence = sentenceIn(body);
  return possible.find((code) => rejections[code].message === sentence);
};

export const withItsCase = (operation: Operation, answer: Answer): Answer => {
  if (answer.status < 400 || answer.headers?.['X-Roster-Error']) return answer;
  const code = codeOf(operation, answer);
  if (code === undefined) return answer;
  const { headers } = answer;
  return { ...answer, headers: errorHeadersOf({ code, ...(headers && { headers }) }) };
};
