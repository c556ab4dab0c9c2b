/** The metrics and log lines of requests and groups. */
import type { Context } from '@roster/runtime';
import type { Edge } from './edge.ts';
import type { Rooms } from './rooms.ts';

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
  const sizes = metrics.histogram({
    name: 'roster_ingress_group_requests',
    help: 'Requests that one write to Redis carried.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
  });
  return (heavy: boolean, requests: number): void => {
    groups.with(heavy ? 'heavy' : 'normal').inc();
    sizes.with().observe(requests);
  };
};

/** Bytes in flight: of bodies and of replies. Their bounds stand beside them, for the share that is used. */
export const measureRooms = ({ metrics }: Pick<Context<unknown>, 'metrics'>, rooms: Rooms): void => {
  const by = (what: () => Record<string, number>) => () =>
    Object.entries(what()).map(([room, value]) => ({ labels: [room], value }));
  metrics.gauge({
    name: 'roster_ingress_held_bytes',
    help: 'Bytes of bodies and of long replies that this process holds, by room.',
    labels: ['room'],
    read: by(() => bytesOf(rooms.used())),
  });
  metrics.gauge({
    name: 'roster_ingress_room_bytes',
    help: 'Bytes that a room can hold.',
    labels: ['room'],
    read: by(() => bytesOf(rooms.size)),
  });
  metrics.gauge({
    name: 'roster_ingress_waiting_requests',
    help: 'Requests that wait for the reply of a worker.',
    read: () => [{ value: rooms.used().waiting }],
  });
};

const bytesOf = ({ small, large, inHand, replies }: Rooms['size']) => ({
  small,
  large,
  in_hand: inHand,
  replies,
});
