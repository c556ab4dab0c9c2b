/** For tests: the least of workers. A request brings names, and each name is kept once, with the request that came first. */
import type { AcceptedRequest } from '@roster/contract';
import type { Store } from '@roster/store';
import type { Entries, Work } from './work.ts';

interface NamesRequest {
  origin: Pick<AcceptedRequest, 'id' | 'ws' | 'at'>;
  names: readonly string[];
}

interface ReadyNames {
  ready: true;
  added: { key: string; request: string; at: number }[];
  results: { origin: NamesRequest['origin']; entries: Entries }[];
}

/** Knows of each name that was asked for whether it is there; planning asks for those it does not know. */
type KnownNames = ReadonlyMap<string, boolean>;

export type NamesWork = Work<NamesRequest, KnownNames, ReadonlySet<string>, ReadyNames>;

const keyOf = (ws: string, name: string): string => `${ws}:e:${name}`;

const plan: NamesWork['plan'] = (requests, known) => {
  const keys = requests.flatMap(({ origin: { ws }, names }) => names.map((name) => keyOf(ws, name)));
  const unknown = new Set(keys.filter((key) => !known.has(key)));
  if (unknown.size > 0) return { ready: false, needs: unknown };
  const added = new Map<string, ReadyNames['added'][number]>();
  const results = requests.map(({ origin, names }) => {
    const external_ids = names.map((name) => {
      const key = keyOf(origin.ws, name);
      if (known.get(key) || added.has(key)) return 'ignored:known' as const;
      added.set(key, { key, request: origin.id, at: origin.at });
      return 'created' as const;
    });
    return { origin, entries: { external_ids } };
  });
  return { ready: true, added: [...added.values()], results };
};

export const namesWork = ({ identities }: Store): NamesWork => ({
  read: ({ id, ws, at, body }) => ({ origin: { id, ws, at }, names: body as string[] }),
  load: async () => new Map(),
  plan,
  async loadMore(session, known, needs) {
    const found = await identities.find({ _id: { $in: [...needs] } }, { session }).toArray();
    const there = new Set(found.map(({ _id }) => _id));
    return new Map([...known, ...[...needs].map((key): [string, boolean] => [key, there.has(key)])]);
  },
  async write(session, { added }) {
    const claims = added.map(({ key, request, at }) => ({ _id: key, profile: request, at }));
    if (claims.length > 0) await identities.insertMany(claims, { session });
  },
  resultsOf: ({ results }) => results,
  daysOf: () => 7,
});
