/**
 * In a worker: each traced request of a turn has a span in its own trace. The turn and its transactions are one piece of work for all of them: they
 * are in the trace of the first, and the others have a link to it.
 */
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import {
  ATTR_DB_OPERATION_BATCH_SIZE,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
} from '@opentelemetry/semantic-conventions';
import { bullmq, messaging, own } from './attributes.ts';
import { endSpan } from './end-span.ts';
import { isSampled, readTraceparent } from './traceparent.ts';
import type { Traceable, Tracing } from './tracing.ts';

/** Requests of a turn with spans of their own. */
const most = 64;

interface Traced {
  request: Traceable;
  parent: SpanContext;
}

/** The text comes from Redis, where a worker of another version may have put it. */
const tracedIn = (requests: readonly Traceable[]): Traced[] => {
  const found: Traced[] = [];
  for (const request of requests) {
    const parent = request.trace === undefined ? undefined : readTraceparent(request.trace);
    if (parent && isSampled(parent)) found.push({ request, parent });
    if (found.length === most) break;
  }
  return found;
};

const contextOf = (parent: SpanContext): Context => trace.setSpanContext(ROOT_CONTEXT, parent);

export const createTurnTraces = (tracer: Tracer): Pick<Tracing, 'turn' | 'transaction'> => {
  /** The turn that each traced request is in. */
  const turns = new WeakMap<Traceable, Span>();

  const startTurn = (queue: string, first: SpanContext, links: Link[], count: number): Span => {
    const attributes = {
      [messaging.system]: bullmq,
      [messaging.destination]: queue,
      [messaging.operation]: 'process',
      [messaging.type]: 'process',
      [messaging.count]: count,
    };
    const options = { kind: SpanKind.CONSUMER, attributes, links };
    return tracer.startSpan(`process ${queue}`, options, contextOf(first));
  };

  const startOwn = (queue: string, { request, parent }: Traced, turn: Span): Span => {
    const attributes = {
      [messaging.system]: bullmq,
      [messaging.destination]: queue,
      [messaging.id]: request.id,
      [own.operation]: request.op,
    };
    const links = [{ context: turn.spanContext() }];
    return tracer.startSpan(`apply ${request.op}`, { attributes, links }, contextOf(parent));
  };

  return {
    turn(queue, requests) {
      const traced = tracedIn(requests);
      const [first, ...others] = traced;
      if (!first) return undefined;
      const links = traced.map(({ parent }) => ({ context: parent }));
      const turn = startTurn(queue, first.parent, links, requests.length);
      for (const { request } of traced) turns.set(request, turn);
      const spans = [...others.map((one) => startOwn(queue, one, turn)), turn];
      return {
        end(error) {
          for (const span of spans) endSpan(span, error);
        },
      };
    },

    transaction(requests) {
      const turn = turnOf(requests);
      if (!turn) return undefined;
      const attributes = {
        [ATTR_DB_SYSTEM_NAME]: 'mongodb',
        [ATTR_DB_OPERATION_NAME]: 'transaction',
        [ATTR_DB_OPERATION_BATCH_SIZE]: requests.length,
      };
      const options = { kind: SpanKind.CLIENT, attributes };
      const span = tracer.startSpan('transaction', options, trace.setSpan(ROOT_CONTEXT, turn));
      let conflicts = 0;
      return {
        conflict() {
          conflicts += 1;
        },
        end(error) {
          if (conflicts > 0) span.setAttribute(own.conflicts, conflicts);
          endSpan(span, error);
        },
      };
    },
  };

  function turnOf(requests: readonly Traceable[]): Span | undefined {
    const one = requests.find((request) => request.trace !== undefined && turns.has(request));
    return one && turns.get(one);
  }
};
