/** Which requests are traced: a share of those without a trace of their own, and those whose caller traces them. */
import type { SpanContext } from '@opentelemetry/api';
import { isSampled } from './traceparent.ts';

export interface ChoiceOptions {
  /** Of the requests without a traceparent. */
  share: number;
  /** Requests that are traced because their callers say so, in a second: callers could say it of each. */
  mostAsked?: number;
  random?(): number;
  now?(): number;
}

export const createChoice = ({
  share,
  mostAsked = 20,
  random = Math.random,
  now = Date.now,
}: ChoiceOptions) => {
  let second = 0;
  let asked = 0;
  const hasRoom = (): boolean => {
    const current = Math.floor(now() / 1000);
    if (current !== second) asked = 0;
    second = current;
    asked += 1;
    return asked <= mostAsked;
  };
  return (parent: SpanContext | undefined): boolean =>
    parent ? isSampled(parent) && hasRoom() : random() < share;
};
