import type { TracingConfig } from '../variables.ts';
import type { TracingOptions } from './create-tracing.ts';
import type { Tracing } from './tracing.ts';

type Opening = Omit<TracingOptions, 'endpoint' | 'share'> & { config: TracingConfig };

/** Undefined without a collector: the SDK is not even loaded then. */
export const openTracing = async ({ config, ...options }: Opening): Promise<Tracing | undefined> => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = config;
  if (endpoint === '') return undefined;
  const { createTracing } = await import('./create-tracing.ts');
  return createTracing({ ...options, endpoint, share });
};
