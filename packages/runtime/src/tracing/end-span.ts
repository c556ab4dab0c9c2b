import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';

/** The name of the error alone: its message may hold values of a request. */
const typeOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

export const endSpan = (span: Span, error?: unknown): void => {
  if (error !== undefined) {
    span.setAttribute(ATTR_ERROR_TYPE, typeOf(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
};
