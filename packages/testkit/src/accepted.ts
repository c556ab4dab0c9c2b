/** Requests as the ingress would have accepted them, in a workspace with a few groups and apps. */
import {
  type AcceptedRequest,
  type Operation,
  type OperationId,
  operationOf,
  operations,
} from '@roster/contract';
import { aJudgeSettings, createLateJudge } from '@roster/judge';
import { later } from './store.ts';

const judge = later(() => createLateJudge());

const settings = aJudgeSettings({
  groups: new Map([
    ['news', 'email'],
    ['demo-news', 'email'],
    ['alerts', 'sms'],
    ['texts', 'sms'],
    ['demo-texts', 'sms'],
  ]),
  apps: new Set(['app', 'demo-app']),
});

const requestOf = (
  op: OperationId,
  body: AcceptedRequest['body'],
  at: number,
  ws = 'demo',
): AcceptedRequest => ({
  id: `r${at.toString(36)}-00000000`,
  ws,
  op,
  at,
  body,
});

/** Throws the rejection of a body that is refused. */
export const accepted = (op: OperationId, body: unknown, at: number, ws = 'demo'): AcceptedRequest => {
  const operation = operationOf(op);
  const verdict = judge(operation, { body }, settings);
  if (!verdict.ok) throw verdict.rejection;
  return requestOf(op, verdict.accepted.body, at, ws);
};

export interface AcceptedExample {
  op: OperationId;
  title: string;
  request: AcceptedRequest;
}

/** Of every operation of a queue, the examples that are accepted. */
export const acceptedExamples = (queue: Operation['queue']): AcceptedExample[] =>
  operations
    .filter((operation) => operation.queue === queue)
    .flatMap((operation) =>
      operation.examples.flatMap(({ title, request }): AcceptedExample[] => {
        const { id: op } = operation;
        const verdict = judge(operation, request, settings);
        return verdict.ok ? [{ op, title, request: requestOf(op, verdict.accepted.body, 1) }] : [];
      }),
    );
