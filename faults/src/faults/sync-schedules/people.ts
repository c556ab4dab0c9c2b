// The people of a schedule, as the services that apply requests leave them: each request once, by its id.
import { bodyOf } from '@roster/integrations-service';
import type { Store, SyncChunkDocument } from '@roster/store';

interface Person {
  attributes: Map<string, unknown>;
}

type Entry = Readonly<Record<string, unknown>>;

const numberIn = ({ properties }: Entry): number => Number((properties as { n?: unknown } | undefined)?.n);

export const createPeople = (store: Pick<Store, 'requests'>) => {
  const people = new Map<string, Person>();
  /** How often each number was counted: an increment, an event, a purchase. */
  const counts = new Map<number, number>();
  const waiting = new Map<string, SyncChunkDocument>();
  const applied = new Set<string>();
  let entries = 0;

  const count = (n: number): void => void counts.set(n, 1 + (counts.get(n) ?? 0));

  const personOf = (id: string): Person => {
    const person = people.get(id) ?? { attributes: new Map() };
    people.set(id, person);
    return person;
  };

  const setOne = ({ attributes }: Person, name: string, value: unknown): void => {
    if (value === null) attributes.delete(name);
    else if (typeof value === 'object') count(Number((value as { inc?: unknown }).inc));
    else attributes.set(name, value);
  };

  /** By the list of a body. */
  const takers: Readonly<Record<string, (entry: Entry) => void>> = {
    attributes({ external_id, ...members }) {
      const person = personOf(String(external_id));
      for (const [name, value] of Object.entries(members)) setOne(person, name, value);
    },
    events: (entry) => count(numberIn(entry)),
    purchases: (entry) => count(numberIn(entry)),
    external_ids: ({ external_id }) => void people.delete(String(external_id)),
  };

  const apply = async (chunk: SyncChunkDocument): Promise<void> => {
    const { request: _id = '', ws, at, op = '' } = chunk;
    if (applied.has(_id)) return;
    applied.add(_id);
    for (const [list, found] of Object.entries(bodyOf(chunk))) {
      const take = takers[list];
      if (!take) throw new Error(`no sync of a schedule sends ${list}`);
      found.forEach(take);
      entries += found.length;
    }
    const [now, expires] = [new Date(), new Date(Date.now() + 1e8)];
    await store.requests.insertOne({ _id, ws, at, op, state: 'applied', applied: now, expires });
  };

  return {
    people,
    counts,
    entries: (): number => entries,
    send: (chunk: SyncChunkDocument): void => void waiting.set(chunk.request ?? '', chunk),
    /** What waits, in the order in which it came. */
    async work(): Promise<void> {
      for (const [id, chunk] of waiting) {
        waiting.delete(id);
        await apply(chunk);
      }
    },
  };
};

export type People = ReturnType<typeof createPeople>;
