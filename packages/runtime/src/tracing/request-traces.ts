/** In the ingress: a span of each request that was chosen, and one of its write into the queue. */
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import { bullmq, messaging, own } from './attributes.ts';
import type { createChoice } from './choice.ts';
import { endSpan } from './end-span.ts';
import { readTraceparent, traceparentOf } from './traceparent.ts';
import type { RequestTrace, Tracing } from './tracing.ts';

const sendIn =
  (tracer: Tracer, request: Span): RequestTrace['send'] =>
  async (queue, write) => {
    const attributes = {
      [messaging.system]: bullmq,
      [messaging.destination]: queue,
      [messaging.operation]: 'add',
      [messaging.type]: 'send',
    };
    const options = { kind: SpanKind.PRODUCER, attributes };
    const span = tracer.startSpan(`add ${queue}`, options, trace.setSpan(ROOT_CONTEXT, request));
    try {
      const sent = await write(traceparentOf(span.spanContext()));
      if ('id' in sent && typeof sent.id === 'string') span.setAttribute(messaging.id, sent.id);
      endSpan(span);
      return sent;
    } catch (error) {
      endSpan(span, error);
      throw error;
    }
  };

const endOf =
  (span: Span): RequestTrace['end'] =>
  (status, { id, ws, entries } = {}) => {
    if (status !== undefined) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
    if (id !== undefined) span.setAttribute(own.request, id);
    if (ws !== undefined) span.setAttribute(own.workspace, ws);
    if (entries !== undefined) span.setAttribute(own.entries, entries);
    if (status === undefined || status >= 500) {
      span.setAttribute(ATTR_ERROR_TYPE, status === undefined ? 'aborted' : String(status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };

export const createRequestTraces =
  (tracer: Tracer, isChosen: ReturnType<typeof createChoice>): Tracing['request'] =>
  ({ id, method, path }, traceparent) => {
    const parent = traceparent === undefined ? undefined : readTraceparent(traceparent);
    if (!isChosen(parent)) return undefined;
    const attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      [ATTR_HTTP_ROUTE]: path,
      [ATTR_URL_SCHEME]: 'http',
      [own.operation]: id,
    };
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const span = tracer.startSpan(`${method} ${path}`, { kind: SpanKind.SERVER, attributes }, context);
    return { send: sendIn(tracer, span), end: endOf(span) };
  };
