/** What exported users name and the workspace does not have: apps and subscription groups. It stays behind, and the people come in. */
import { stringifyExact } from '@roster/contract';
import { isRecord, type JsonObject, recordsIn } from '../json.ts';
import type { Answer } from './answer.ts';
import type { Item } from './batch-ends.ts';
import type { Batch } from './batches.ts';
import { type LeftOut, type LeftOutOf, leftOutOf } from './row.ts';

/** What the server is asked for: by the member that names it. */
interface Named {
  list: 'push_tokens' | 'subscription_groups';
  /** An item of the list with nothing but what names it. */
  item: JsonObject;
}

const unknownCodes = {
  push_tokens: 'BAD_PUSH_TOKEN_APP_ID',
  subscription_groups: 'BAD_SUBSCRIPTION_GROUP_ID',
};

const inToken = ({ app_id, app, platform = null }: JsonObject): JsonObject =>
  app_id == null ? { app: app ?? null, platform } : { app_id };

const inGroup = ({ subscription_group_id, id }: JsonObject): JsonObject => ({
  subscription_group_id: subscription_group_id ?? id ?? null,
});

const namedBy = { push_tokens: inToken, subscription_groups: inGroup };
const lists = ['push_tokens', 'subscription_groups'] as const;

const keyOf = ({ list, item }: Named): string => stringifyExact([list, item]);

const namedIn = ({ value }: Item): Named[] =>
  lists.flatMap((list) => recordsIn(value[list]).map((item) => ({ list, item: namedBy[list](item) })));

/** Refused in any case, for the name of its last member; before that for an app or a group that the workspace does not have. */
const questionOf = ({ list, item }: Named): JsonObject => {
  const rest = list === 'push_tokens' ? { token: 'none' } : { subscription_state: 'subscribed' };
  return { email: 'nobody@example.com', [list]: [{ ...item, ...rest }], $question: true };
};

const mostQuestions = 50;

export type Known = (named: readonly Named[]) => Promise<(one: Named) => boolean>;

/** Asks once for each. */
export const createKnown = (track: (json: string) => Promise<Answer>): Known => {
  const known = new Map<string, boolean>();
  const ask = async (some: readonly Named[]): Promise<void> => {
    const { errors } = await track(stringifyExact({ attributes: some.map(questionOf) }));
    for (const [index, one] of some.entries())
      known.set(
        keyOf(one),
        !errors.some((error) => error.index === index && error.code === unknownCodes[one.list]),
      );
  };
  return async (named) => {
    const asked = new Map(named.map((one) => [keyOf(one), one]));
    const open = [...asked].flatMap(([key, one]) => (known.has(key) ? [] : [one]));
    for (let at = 0; at < open.length; at += mostQuestions) await ask(open.slice(at, at + mostQuestions));
    return (one) => known.get(keyOf(one)) !== false;
  };
};

const lackOf = ({ list, item }: Named): LeftOut => {
  const app = String(item.app_id ?? item.app);
  const id = String(item.subscription_group_id);
  return list === 'push_tokens'
    ? {
        name: `push_tokens of the app ${app}`,
        reason: `the workspace has no such app. Give an app of the settings this name, or map it: --app '${app}=<id of the app>' --restart`,
      }
    : {
        name: `subscription_groups of ${id}`,
        reason: 'the workspace has no such group. Add it to the settings, and import again with --restart',
      };
};

const nobody: LeftOut = {
  name: 'people',
  reason: 'nothing names them but push tokens of apps that the workspace does not have',
};

const withoutUnknown = (item: Item, isKnown: (one: Named) => boolean, leftOut: LeftOutOf[]): Item[] => {
  const leaveOut = (one: LeftOut) => leftOut.push(leftOutOf(item.line, item.value, one));
  const members = Object.entries(item.value).flatMap(([name, value]): [string, JsonObject[string]][] => {
    const list = lists.find((one) => one === name);
    if (!list || !Array.isArray(value)) return [[name, value]];
    const kept = value.filter((one) => {
      const named = isRecord(one) ? { list, item: namedBy[list](one) } : undefined;
      if (!named || isKnown(named)) return true;
      leaveOut(lackOf(named));
      return false;
    });
    return kept.length > 0 ? [[name, kept]] : [];
  });
  const value = Object.fromEntries(members);
  if (value.push_token_import === true && value.push_tokens === undefined) {
    leaveOut(nobody);
    return [];
  }
  return [{ ...item, value, json: stringifyExact(value) }];
};

/** The batch without what the workspace does not have. */
export const withKnownOnly = async (
  batch: Batch,
  { known }: { known: Known },
): Promise<{ batch: Batch; leftOut: LeftOutOf[] }> => {
  const named = batch.items.flatMap((item) => (item.isExported ? namedIn(item) : []));
  if (named.length === 0) return { batch, leftOut: [] };
  const isKnown = await known(named);
  const leftOut: LeftOutOf[] = [];
  if (named.every(isKnown)) return { batch, leftOut };
  const items = batch.items.flatMap((item) =>
    item.isExported && namedIn(item).some((one) => !isKnown(one))
      ? withoutUnknown(item, isKnown, leftOut)
      : [item],
  );
  return { batch: { ...batch, items }, leftOut };
};
