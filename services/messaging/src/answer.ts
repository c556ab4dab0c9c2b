import { createAnswering } from '@roster/batch';
import { lineOf } from '@roster/contract';
import type { Templates } from '@roster/liquid';
import type { Tools } from './handler.ts';
import { handlers } from './handlers.ts';

export interface AnswerOptions extends Omit<Tools, 'liquid'> {
  /** What the templates of a workspace cost is charged to it, beyond the price of the request. */
  liquidOf(ws: string): Templates;
}

export const createAnswer = ({ liquidOf, ...tools }: AnswerOptions) =>
  createAnswering<Tools>({
    store: tools.store,
    handlerOf: (op) => lineOf(handlers, op),
    toolsFor: ({ ws }) => ({ ...tools, liquid: liquidOf(ws) }),
  });
