/** Plays a history against the real system and looks at what is there afterwards, all over HTTP. */
import { type Answer, type Client, isAccepted, requestIdOf } from '../harness/client.ts';
import { sleep, until } from '../harness/wait.ts';
import type { Step } from './explain.ts';
import { aliases, externalIds, type History, renamedIds, type Sent } from './history.ts';
import { type AliasRef, nameOf, type Operation, type Person, type Ref, written } from './model.ts';

export interface Played {
  steps: Step[];
  /** Everybody who can be named, as the model would write them; undefined when nobody could tell. */
  seen: string | undefined;
  /** Ids of the accepted requests. */
  accepted: string[];
  /** Promises that were broken whatever the order was. */
  broken: string[];
}

interface Call {
  path: string;
  body: unknown;
}

const time = () => new Date().toISOString();

/** Each history has people of its own, so that many can be played at the same time. */
const namesIn = (history: string) => ({
  ext: (id: string) => `${history}-${id}`,
  alias: ({ label, name }: AliasRef) => ({ alias_label: label, alias_name: `${history}-${name}` }),
  ref(who: Ref) {
    return 'ext' in who ? { external_id: this.ext(who.ext) } : { user_alias: this.alias(who.alias) };
  },
});

type Names = ReturnType<typeof namesIn>;

const callOf = (operation: Operation, names: Names): Call => {
  switch (operation.do) {
    case 'track': {
      const who = names.ref(operation.who);
      const create = 'user_alias' in who && operation.create ? { _update_existing_only: false } : {};
      return {
        path: '/users/track',
        body: {
          attributes: [{ ...who, ...create, colour: operation.token, visits: { inc: 1 } }],
          events: [{ ...who, name: operation.token, time: time() }],
        },
      };
    }
    case 'alias-new':
      return {
        path: '/users/alias/new',
        body: {
          user_aliases: [
            {
              ...names.alias(operation.alias),
              ...(operation.ext !== undefined && { external_id: names.ext(operation.ext) }),
            },
          ],
        },
      };
    case 'alias-update':
      return {
        path: '/users/alias/update',
        body: {
          alias_updates: [
            {
              alias_label: operation.label,
              old_alias_name: names.alias({ label: '', name: operation.from }).alias_name,
              new_alias_name: names.alias({ label: '', name: operation.to }).alias_name,
            },
          ],
        },
      };
    case 'identify':
      return {
        path: '/users/identify',
        body: {
          aliases_to_identify: [
            { external_id: names.ext(operation.ext), user_alias: names.alias(operation.alias) },
          ],
          merge_behavior: operation.merge ? 'merge' : 'none',
        },
      };
    case 'merge':
      return {
        path: '/users/merge',
        body: {
          merge_updates: [
            {
              identifier_to_merge: names.ref(operation.from),
              identifier_to_keep: names.ref(operation.into),
            },
          ],
        },
      };
    case 'delete':
      return {
        path: '/users/delete',
        body:
          'ext' in operation.who
            ? { external_ids: [names.ext(operation.who.ext)] }
            : { user_aliases: [names.alias(operation.who.alias)] },
      };
    case 'rename':
      return {
        path: '/users/external_ids/rename',
        body: {
          external_id_renames: [
            { current_external_id: names.ext(operation.from), new_external_id: names.ext(operation.to) },
          ],
        },
      };
  }
};

const isPassing = ({ status }: Answer): boolean => status === 0 || status === 503 || status === 429;

/** A careful caller: the same request with the same key until it is answered. */
const answered = async (client: Client, call: Call, key: string, wait: boolean): Promise<Answer> => {
  const until = performance.now() + 60_000;
  for (;;) {
    const answer = await client.call({
      path: call.path,
      body: call.body,
      idempotencyKey: key,
      timeoutMs: 20_000,
      ...(wait && { headers: { prefer: 'wait=15' } }),
    });
    if (!isPassing(answer) || performance.now() > until) return answer;
    await sleep(100);
  }
};

interface Moment {
  step: Omit<Step, 'after'>;
  sent: number;
  /** When it had certainly taken effect, or when the fence knew of it; undefined when nobody can tell. */
  effective?: number;
  id: string;
  refused?: string;
}

/** `queued`: it will be applied, but nobody said when. */
const isQueued = ({ status, body }: Answer): boolean => status === 202 && body.includes('"state":"queued"');

const send = async (
  client: Client,
  { operation, wait }: Sent,
  names: Names,
  key: string,
): Promise<Moment> => {
  const sent = performance.now();
  const waits = operation.do === 'merge' && wait;
  const answer = await answered(client, callOf(operation, names), key, waits);
  const isAsync = (operation.do === 'merge' && !waits) || isQueued(answer);
  return {
    step: { operation, perhaps: !isAccepted(answer) && isPassing(answer) },
    sent,
    ...(isAccepted(answer) && !isAsync && { effective: performance.now() }),
    id: requestIdOf(answer),
    ...(!isAccepted(answer) &&
      !isPassing(answer) && { refused: `${operation.do} was answered ${answer.status}: ${answer.body}` }),
  };
};

interface Exported {
  service_id: string;
  external_id?: string;
  user_aliases?: { alias_label: string; alias_name: string }[];
  custom_attributes?: { colour?: string; visits?: number };
  custom_events?: { name: string; count: number }[];
}

const fields = ['service_id', 'external_id', 'user_aliases', 'custom_attributes', 'custom_events'];

const patienceMs = 120_000;

/** Asks until the answer is fresh: workers that are killed may keep it from being so for a while. */
const exportOf = async (client: Client, body: Record<string, unknown>): Promise<Exported[] | undefined> => {
  let users: Exported[] | undefined;
  await until(patienceMs, async () => {
    const answer = await client.call({
      path: '/users/export/ids',
      body: { ...body, fields_to_export: fields },
      timeoutMs: 20_000,
    });
    const isFresh = isAccepted(answer) && answer.headers['x-roster-fresh'] === 'true';
    if (isFresh) users = (JSON.parse(answer.body) as { users: Exported[] }).users;
    return isFresh;
  });
  return users;
};

/** Asks for each name by itself, so that it is known who answers to what. */
const look = async (client: Client, history: string, names: Names): Promise<string | undefined> => {
  const people = new Map<string, { person: Person; keys: string[] }>();
  const asked: [Ref, Record<string, unknown>][] = [
    ...[...externalIds, ...renamedIds].map((ext): [Ref, Record<string, unknown>] => [
      { ext },
      { external_ids: [names.ext(ext)] },
    ]),
    ...aliases.map((alias): [Ref, Record<string, unknown>] => [
      { alias },
      { user_aliases: [names.alias(alias)] },
    ]),
  ];
  const bare = (text: string) => text.slice(history.length + 1);
  for (const [who, body] of asked) {
    const users = await exportOf(client, body);
    if (!users) return undefined;
    for (const user of users) {
      const known = people.get(user.service_id) ?? { person: personOf(user, bare), keys: [] };
      known.keys.push(nameOf(who));
      people.set(user.service_id, known);
    }
  }
  return [...people.values()]
    .map(({ person, keys }) => withFormer(person, keys))
    .map(written)
    .sort()
    .join('\n');
};

const personOf = (user: Exported, bare: (text: string) => string): Person => ({
  ...(user.external_id !== undefined && { ext: bare(user.external_id) }),
  former: [],
  aliases: (user.user_aliases ?? []).map(({ alias_label, alias_name }) => ({
    label: alias_label,
    name: bare(alias_name),
  })),
  tokens: (user.custom_events ?? []).flatMap(({ name, count }) => Array.from({ length: count }, () => name)),
  ...(user.custom_attributes?.colour !== undefined && { colour: user.custom_attributes.colour }),
  ...(user.custom_attributes?.visits !== undefined && { visits: user.custom_attributes.visits }),
});

/** What leads to a person and is neither their external id nor an alias was their external id before. */
const withFormer = (person: Person, keys: string[]): Person => ({
  ...person,
  former: keys.filter((key) => key !== person.ext && !key.includes('/')),
});

const isDone = async (client: Client, id: string): Promise<boolean> => {
  const answer = await client.call({ path: `/requests/${id}`, method: 'GET' });
  if (!isAccepted(answer)) return false;
  const { state } = JSON.parse(answer.body) as { state?: string };
  return state === 'applied' || state === 'failed';
};

/** Those that are not applied in the end. */
const unapplied = async (client: Client, ids: readonly string[]): Promise<string[]> => {
  let left = [...ids];
  await until(patienceMs, async () => {
    const done = await Promise.all(left.map((id) => isDone(client, id)));
    left = left.filter((_, place) => !done[place]);
    return left.length === 0;
  });
  return left;
};

/** A step comes after another when that one had taken effect before it was sent. */
const ordered = (moments: readonly Moment[]): Step[] =>
  moments.map(({ step, sent }) => ({
    ...step,
    after: moments.flatMap(({ effective }, place) =>
      effective !== undefined && effective <= sent ? [place] : [],
    ),
  }));

export const play = async (client: Client, { phases }: History, name: string): Promise<Played> => {
  const names = namesIn(name);
  const moments: Moment[] = [];
  for (const [number, phase] of phases.entries()) {
    const sending = phase.map((sent, place) => send(client, sent, names, `${name}-${number}-${place}`));
    moments.push(...(await Promise.all(sending)));
  }
  const accepted = moments.map(({ id }) => id);
  const broken = moments.flatMap(({ refused }) => (refused ? [refused] : []));
  const left = await unapplied(client, accepted);
  if (left.length > 0) broken.push(`${left.join(', ')} were not applied within ${patienceMs} ms`);
  const seen = await look(client, name, names);
  if (seen === undefined) broken.push(`no fresh export within ${patienceMs} ms`);
  return { steps: ordered(moments), seen, accepted, broken };
};
