/** Loaded only where a collector is configured: see open-tracing.ts. */
import { createChoice } from './choice.ts';
import { openProvider, type ProviderOptions } from './open-provider.ts';
import { createRequestTraces } from './request-traces.ts';
import type { Tracing } from './tracing.ts';
import { createTurnTraces } from './turn-traces.ts';

export interface TracingOptions extends ProviderOptions {
  /** Of the requests without a trace of their own. */
  share: number;
}

/** A collector that does not answer must not hold up a stop. */
const closeWithinMs = 2_000;

const late = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, closeWithinMs).unref());

export const createTracing = (options: TracingOptions): Tracing => {
  const provider = openProvider(options);
  const tracer = provider.getTracer('roster');
  return {
    request: createRequestTraces(tracer, createChoice(options)),
    ...createTurnTraces(tracer),
    close: () => Promise.race([provider.shutdown().catch(() => {}), late()]),
  };
};
