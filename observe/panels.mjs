/** The Grafana dashboard as a table: rows, panels, and the series of each panel by their legends. `npm run docs` writes it out. */

const rate = (metric, by, selector = '') => `sum by (${by}) (rate(${metric}${selector}[$__rate_interval]))`;
const quantile = (q, metric, by, selector = '') =>
  `histogram_quantile(${q}, ${rate(`${metric}_bucket`, `le, ${by}`, selector)})`;
const mean = (metric, by) => `${rate(`${metric}_sum`, by)} / ${rate(`${metric}_count`, by)}`;

const requests = [
  {
    title: 'Requests by operation',
    unit: 'reqps',
    series: { '{{op}}': rate('roster_http_requests_total', 'op') },
  },
  {
    title: 'Answers that are no success',
    why: '429: limits. 503: Redis, overload, or no worker. 500: a bug.',
    unit: 'reqps',
    series: { '{{status}} {{op}}': rate('roster_http_requests_total', 'op, status', '{status=~"[45].."}') },
  },
  {
    title: 'Time to the answer, 99 in 100',
    unit: 's',
    series: { '{{op}}': quantile(0.99, 'roster_http_request_seconds', 'op') },
  },
];

const queues = [
  {
    title: 'Oldest request, by queue',
    why: 'Lanes called heavy belong to workspaces that send more than their share.',
    unit: 's',
    series: { '{{queue}}': 'max by (queue) (roster_queue_oldest_seconds) > 0' },
  },
  {
    title: 'Wait in the queue, half and 99 in 100',
    why: 'From acceptance to the first turn.',
    unit: 's',
    series: {
      '{{service}} {{lane}} p50': quantile(0.5, 'roster_queue_wait_seconds', 'service, lane'),
      '{{service}} {{lane}} p99': quantile(0.99, 'roster_queue_wait_seconds', 'service, lane'),
    },
  },
  {
    title: 'Jobs by state',
    series: { '{{state}}': 'sum by (state) (roster_queue_jobs)' },
  },
  {
    title: 'Dead letters, and requests that failed',
    series: {
      'dead letters': 'max(roster_dead_letters)',
      'failed in 15 minutes: {{op}}': 'sum by (op) (increase(roster_requests_failed_total[15m])) > 0',
    },
  },
  {
    title: 'Redis',
    unit: 'bytes',
    series: { '{{kind}}': 'max by (kind) (roster_redis_memory_bytes)' },
  },
  {
    title: 'Groups by lane',
    why: 'A group is one write to Redis.',
    unit: 'ops',
    series: { '{{lane}}': rate('roster_ingress_groups_total', 'lane') },
  },
];

const batches = [
  {
    title: 'Requests of a batch and of a group, mean',
    series: {
      '{{service}} batch': mean('roster_batch_requests', 'service'),
      'group of the ingress': mean('roster_ingress_group_requests', 'service'),
    },
  },
  {
    title: 'Time of a batch, 99 in 100',
    unit: 's',
    series: Object.fromEntries(
      ['track', 'identity', 'subscription', 'export', 'messaging'].map((service) => [
        service,
        quantile(0.99, `roster_${service}_turn_seconds`, 'service'),
      ]),
    ),
  },
  {
    title: 'Conflicts, retries and waits',
    unit: 'ops',
    series: {
      '{{service}} conflicts': rate('{__name__=~"roster_[a-z]+_conflicts_total"}', 'service'),
      '{{service}} retries': rate('{__name__=~"roster_[a-z]+_retries_total"}', 'service'),
      '{{service}} postponed': rate('{__name__=~"roster_[a-z]+_waits_total"}', 'service'),
    },
  },
];

const processes = [
  {
    title: 'Longest block of the event loop',
    why: 'Of CPU time; waiting for a busy machine does not count.',
    unit: 's',
    series: { '{{service}}': 'max by (service) (roster_event_loop_block_seconds)' },
  },
  {
    title: 'Event loop lag, 99 in 100',
    unit: 's',
    series: { '{{service}}': 'max by (service) (nodejs_eventloop_lag_p99_seconds)' },
  },
  {
    title: 'CPU',
    why: '1 is one core.',
    series: { '{{service}}': rate('process_cpu_seconds_total', 'service') },
  },
  {
    title: 'Memory',
    unit: 'bytes',
    series: { '{{service}}': 'max by (service) (process_resident_memory_bytes)' },
  },
  {
    title: 'Bytes in flight, by room',
    why: 'Bodies and long replies that ingress processes hold, as a share of what they may hold.',
    unit: 'percentunit',
    max: 1,
    series: { '{{room}}': 'max by (room) (roster_ingress_held_bytes / (roster_ingress_room_bytes > 0))' },
  },
  {
    title: 'Requests that wait for a reply',
    series: { waiting: 'sum(roster_ingress_waiting_requests)' },
  },
];

const work = [
  {
    title: 'Price by workspace, in points',
    why: 'A point is about 100 us of CPU. The dearest workspaces of each process are named.',
    unit: 'ops',
    series: { '{{workspace}}': `topk(20, ${rate('roster_points_total', 'workspace')})` },
  },
  {
    title: 'Messages',
    unit: 'ops',
    series: { '{{channel}} {{state}}': rate('roster_sends_total', 'channel, state') },
  },
  {
    title: 'Syncs of tables',
    series: { '{{end}} in an hour': 'sum by (end) (increase(roster_sync_tries_total[1h]))' },
  },
];

export const rows = {
  Requests: requests,
  Queues: queues,
  Batches: batches,
  Processes: processes,
  Work: work,
};
