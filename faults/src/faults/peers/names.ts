// A name server for all hosts of the trial: some zones it serves, others it leaves waiting, floods or lies to. RFC 1035.
import { type NameQuestion, type NameReply, openNameServer } from '@roster/testkit';
import { drip, flood } from './behave.ts';

/** Names that end so are those of the workspace whose peers behave. */
export const goodZone = 'good.example';

const here: NameReply = { records: [{ type: 'A', data: '127.0.0.1' }] };
const none: readonly NameReply[] = [];
const byTcp: NameReply = { truncated: true };

/** The length of a message of 64 KB, and no message. */
const nonsense = Buffer.alloc(4_096, 0xff);

type Answer = (question: NameQuestion) => NameReply | readonly NameReply[] | undefined;

/** What they say by TCP, where a truncated answer sends resolvers. */
const toTcp =
  (behave: typeof drip): Answer =>
  ({ socket }) => {
    if (!socket) return byTcp;
    behave(socket, nonsense);
    return none;
  };

const lies: readonly ((name: string) => NameReply | readonly NameReply[])[] = [
  () => ({ ...here, id: 1 }),
  () => ({ ...here, name: 'other.example' }),
  (name) => ({ records: [{ type: 'CNAME', data: name }] }),
  (name) => ({ records: [{ type: 'CNAME', data: `x.${name}` }] }),
  () => ({ code: 2 }),
  () => ({ code: 5 }),
  () => ({ records: [] }),
  () => ({ records: Array.from({ length: 25 }, () => ({ type: 'A', ttl: 0, data: '127.0.0.1' }) as const) }),
  () => Array.from({ length: 100 }, (_, n) => ({ ...here, id: n })),
  () => ({ records: [{ type: 'AAAA', data: '::1' }] }),
];

let told = 0;

const zones: Readonly<Record<string, Answer>> = {
  good: ({ type }) => (type === 'A' ? here : none.concat({ records: [] })),
  silent: () => undefined,
  endless: toTcp(flood),
  slow: toTcp(drip),
  lying({ name }) {
    told += 1;
    return lies[told % lies.length]?.(name);
  },
};

export const openNames = async () => {
  const server = await openNameServer((question) => {
    const zone = question.name.split('.').at(-2) ?? '';
    return zones[zone]?.(question) ?? (zone in zones ? undefined : { code: 3 });
  });
  const isIn = (zone: string) => (asked: { name: string }) => asked.name.endsWith(zone);
  return {
    at: server.servers[0] ?? '',
    /** How many questions came about this zone. */
    asked: (zone: string): number => server.asked.filter(isIn(zone)).length,
    close: server.close,
  };
};

export type Names = Awaited<ReturnType<typeof openNames>>;
