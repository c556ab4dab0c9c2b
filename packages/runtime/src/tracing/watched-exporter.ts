/** Counts the spans that reach the collector and those that do not, and logs the first failure of a row of them. */
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

export interface Watching {
  metrics: Metrics;
  log: Log;
}

export const watchExporter = (exporter: SpanExporter, { metrics, log }: Watching): SpanExporter => {
  const spans = metrics.counter({
    name: 'roster_trace_spans_total',
    help: 'Spans by their end: sent, or lost because the collector did not take them.',
    labels: ['end'],
    known: ['sent', 'lost'],
  });
  let well = true;
  return {
    export: (batch, done) =>
      exporter.export(batch, (result) => {
        const isSent = result.code === 0;
        spans.with(isSent ? 'sent' : 'lost').inc(batch.length);
        if (isSent && !well) log.info('the collector takes traces again');
        if (!isSent && well) log.warn({ err: result.error }, 'the collector does not take traces');
        well = isSent;
        // A failure is told above; the SDK would report each one.
        done({ code: 0 });
      }),
    shutdown: () => exporter.shutdown(),
  };
};
