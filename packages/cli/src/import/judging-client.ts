/** Answers as the server would that has nothing to do yet: requests are judged, and nothing is sent. */
import {
  bodyShapeFault,
  holdsLong,
  type JudgeSettings,
  type OperationOf,
  operations,
  parseExact,
  Rejection,
  rejectionBody,
  scan,
} from '@roster/contract';
import { createJudge, type Judge } from '@roster/judge';
import { type Answer, answerOf } from './answer.ts';
import { anyWorkspace } from './any-workspace.ts';
import type { TrackClient } from './track-client.ts';

const paths = ['/users/track', '/users/alias/new', '/users/merge', '/users/external_ids/rename'];
const known = operations.filter(({ path, method }) => method === 'POST' && paths.includes(path));

const rejectionOf = (operation: OperationOf<string>, bytes: Buffer): Rejection | undefined =>
  bytes.length > operation.bodyLimit ? new Rejection('BODY_TOO_LARGE') : bodyShapeFault(scan(bytes));

const answerTo = (
  judge: Judge,
  operation: OperationOf<string>,
  json: string,
  settings: JudgeSettings,
): Answer => {
  const bytes = Buffer.from(json);
  const rejection = rejectionOf(operation, bytes);
  if (rejection) return answerOf(rejection.status, rejectionBody(rejection));
  const body = parseExact(bytes);
  const verdict = judge(operation, { body, depth: scan(bytes).depth, exact: holdsLong(body) }, settings);
  if (verdict.ok) return answerOf(verdict.answer.status, verdict.answer.body);
  return answerOf(verdict.rejection.status, rejectionBody(verdict.rejection));
};

export const createJudgingClient = (batchSize: number): TrackClient => {
  const judge = createJudge(known);
  const settings = anyWorkspace(batchSize);
  return {
    may: async () => true,
    known: async () => () => true,
    async send({ path, json }) {
      const operation = known.find((one) => one.path === path);
      if (!operation) throw new Error(`no operation is at ${path}`);
      return answerTo(judge, operation, json, settings);
    },
  };
};
