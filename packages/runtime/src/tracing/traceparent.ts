/** A span in another process, as text: https://www.w3.org/TR/trace-context/#traceparent-header */
import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';

/** Later versions may add parts at the end. Version ff is none. */
const pattern = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Of version 00; a later one that is much longer is not read. */
const longest = 256;

export const readTraceparent = (text: unknown): SpanContext | undefined => {
  if (typeof text !== 'string' || text.length > longest) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(text) ?? [];
  if (version === '00' && more !== undefined) return undefined;
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(found) ? found : undefined;
};

export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

export const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
