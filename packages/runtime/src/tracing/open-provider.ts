/** The SDK of OpenTelemetry: spans wait in memory, bounded, and go to the collector in batches. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { type Watching, watchExporter } from './watched-exporter.ts';

export interface ProviderOptions extends Watching {
  service: string;
  /** The collector: spans go to `/v1/traces` there, as JSON. */
  endpoint: string;
  /** How long one batch may take, with its repetitions. */
  patienceMs?: number;
  /** A batch leaves so long after its first span at the latest. */
  everyMs?: number;
}

/** About a kilobyte each. What does not fit is dropped. */
const mostWaiting = 2048;

/** Links of a turn, and bytes of a value, have bounds of their own. */
const spanLimits = { attributeCountLimit: 32, attributeValueLengthLimit: 256, linkCountLimit: 64 };

export const openProvider = (options: ProviderOptions): TracerProvider => {
  const { service, endpoint, patienceMs = 5_000, everyMs = 2_000 } = options;
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = watchExporter(new OTLPTraceExporter({ url, timeoutMillis: patienceMs }), options);
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: mostWaiting,
    maxExportBatchSize: 512,
    scheduledDelayMillis: everyMs,
    exportTimeoutMillis: patienceMs + 1_000,
  });
  return new TracerProvider({
    // Only requests that were chosen have spans at all: see choice.ts.
    sampler: new AlwaysOnSampler(),
    resource: defaultResource().merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: `roster-${service}` })),
    spanLimits,
    spanProcessors: [processor],
  });
};
