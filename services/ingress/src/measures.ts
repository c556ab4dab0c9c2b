/** What the ingress counts and logs of its requests and groups. */
import type { Context } from '@roster/runtime';
import type { Edge } from './edge.ts';

export const observer = ({ metrics, log }: Pick<Context<unknown>, 'metrics' | 'log'>): Edge['observe'] => {
  const requests = metrics.counter({
    name: 'roster_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labels: ['op', 'status'],
  });
  const seconds = metrics.histogram({
    name: 'roster_http_request_seconds',
    help: 'Time from the headers to the answer, by operation.',
    labels: ['op'],
  });
  return (op, status, ms, { id, ws, by, entries }) => {
    requests.with(op, String(status)).inc();
    seconds.with(op).observe(ms / 1000);
    log.info({ op, request: id, ws, key: by, status, ms: Math.round(ms * 100) / 100, entries }, 'request');
  };
};

export const groupCounter = ({ metrics }: Pick<Context<unknown>, 'metrics'>) => {
  const groups = metrics.counter({
    name: 'roster_ingress_groups_total',
    help: 'Groups of requests queued, with those of workspaces that send more than their share in a lane of their own.',
    labels: ['lane'],
  });
  return (heavy: boolean): void => groups.with(heavy ? 'heavy' : 'normal').inc();
};
