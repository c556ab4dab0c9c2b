// What the interface says happened to people, to hold against the documents.
import { type Answer, type Client, isAccepted } from './client.ts';
import type { People } from './people.ts';
import { sleep } from './wait.ts';

export interface Counted {
  name: string;
  first: string;
  last: string;
  count: number;
}

export interface Exported {
  service_id: string;
  custom_events?: Counted[];
  purchases?: Counted[];
  total_revenue?: number;
}

const fields_to_export = ['service_id', 'custom_events', 'purchases', 'total_revenue'];
const atOnce = 50;

/** A 503 asks to come again, which a busy machine makes likely. */
const answered = async (client: Client, body: unknown): Promise<Answer> => {
  const until = performance.now() + 60_000;
  for (;;) {
    const answer = await client.call({ path: '/users/export/ids', body, timeoutMs: 30_000 });
    if (answer.status !== 503 || performance.now() > until) return answer;
    await sleep(500);
  }
};

/** All people with an external id, by service id. */
export const readExported = async (client: Client, { all }: People): Promise<Map<string, Exported>> => {
  const ids = all.flatMap(({ externalId }) => externalId ?? []);
  const users: Exported[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const body = { external_ids: ids.slice(from, from + atOnce), fields_to_export };
    const answer = await answered(client, body);
    if (!isAccepted(answer)) throw new Error(`an export was answered ${answer.status}: ${answer.body}`);
    users.push(...(JSON.parse(answer.body) as { users: Exported[] }).users);
  }
  return new Map(users.map((user) => [user.service_id, user]));
};
