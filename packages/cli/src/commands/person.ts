/** All about one person: `roster person show`. */
import { parseExact, present, stringifyExact } from '@roster/contract';
import { type ConsentChange, consentHistory, contactKeysOf, type Profile, statesOf } from '@roster/profile';
import {
  type EventRow,
  type PurchaseRow,
  type SendDocument,
  type Store,
  shownReason,
  shownState,
} from '@roster/store';
import { type Family, type WorkspaceTools, wholeNumber } from '../command.ts';
import { shownOf } from '../export/lines.ts';
import { findPerson, type PersonOptions, personFlags } from '../found-person.ts';
import { isRecord, recordsIn } from '../json.ts';
import type { Result } from '../result.ts';
import { type Columns, linesOf, plain, section, table, timeOfStamp } from '../shown.ts';

interface Options extends PersonOptions {
  /** So many of each list. */
  most: number;
}

/** With the moment at which each state began, not at which it was last stated. */
const sinceBegun = (states: ReturnType<typeof statesOf>, history: readonly ConsentChange[]) =>
  states.map((state) => ({ ...state, at: history.find(({ k }) => k === state.k)?.at ?? state.at }));

const profileOf = (profile: Profile, consents: ReturnType<typeof statesOf>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shownOf({ profile, consents })).filter(([, value]) => value !== undefined),
  );

const newestOf = async <Row extends { time: Date }>(
  rows: AsyncIterable<Row>,
  most: number,
): Promise<Row[]> => {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all.toSorted((one, other) => other.time.getTime() - one.time.getTime()).slice(0, most);
};

/** Properties are kept as JSON text. */
const propertiesOf = ({ properties }: { properties?: string }) =>
  properties === undefined ? {} : { properties: parseExact(properties) };

const shownEvent = (row: EventRow) => ({ name: row.name, time: row.time, ...propertiesOf(row) });

const shownPurchase = ({ product_id, price, currency, quantity, time, ...row }: PurchaseRow) => ({
  product_id,
  price,
  currency,
  quantity,
  time,
  ...propertiesOf(row),
});

const shownSend = (row: SendDocument) => ({
  id: row._id,
  channel: row.channel,
  state: shownState(row),
  at: row.at,
  ...present({ reason: row.reason, words: row.words }),
  ...(row.due && { due: row.due, tries: row.tries }),
});

/** Newest first. */
const sendsTo = ({ messages }: Store, ids: readonly string[], most: number): Promise<SendDocument[]> =>
  messages.sends.find({ profile: { $in: [...ids] } }, { sort: { expires: -1 }, limit: most }).toArray();

const allAbout = async (store: Store, person: Profile, most: number) => {
  const ids = [person._id, ...(person.absorbed ?? [])];
  const contacts = await store.contactConsents.read(contactKeysOf(person));
  const history = consentHistory(person, contacts);
  return {
    profile: profileOf(person, sinceBegun(statesOf(person, contacts), history)),
    consent: history.map(({ k, from, to, at }) => ({ consent: k, from, to, accepted_at: timeOfStamp(at) })),
    events: (await newestOf(store.events.of(ids, {}, most), most)).map(shownEvent),
    purchases: (await newestOf(store.purchases.of(ids, {}, most), most)).map(shownPurchase),
    sends: await sendsTo(store, ids, most),
  };
};

type About = Awaited<ReturnType<typeof allAbout>>;

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const valueLine = ([name, value]: [string, unknown]): string =>
  `${name}: ${typeof value === 'string' ? value : stringifyExact(value)}`;

/** They have sections of their own. */
const apart: ReadonlySet<string> = new Set([
  'custom_attributes',
  'subscription_groups',
  'devices',
  'push_tokens',
]);

const tableSection = <Row>(title: string, rows: readonly Row[], columns: Columns<Row>): string[] =>
  section(title, rows.length === 0 ? [] : table(rows, columns).trimEnd().split('\n'));

const json = (value: unknown): string => (value === undefined ? '' : stringifyExact(value));

const inWords = ({ profile, consent, events, purchases, sends }: About): string => {
  const { custom_attributes, subscription_groups, devices, push_tokens } = profile;
  const fields = Object.entries(profile).filter(([name, value]) => !apart.has(name) && !isEmpty(value));
  const attributes = isRecord(custom_attributes) ? Object.entries(custom_attributes) : [];
  return linesOf([
    ...fields.map(valueLine),
    ...section('attributes', attributes.map(valueLine)),
    ...tableSection('subscription groups', recordsIn(subscription_groups), {
      GROUP: ({ id }) => id,
      ...plain('state', 'since'),
    }),
    ...tableSection('consent, newest first', consent, {
      ACCEPTED: ({ accepted_at }) => accepted_at,
      ...plain('consent', 'from'),
      TO: ({ to }) => to ?? 'removed',
    }),
    ...section('devices', [...recordsIn(devices), ...recordsIn(push_tokens)].map(json)),
    ...tableSection('last events', events, {
      ...plain('time', 'name'),
      PROPERTIES: ({ properties }) => json(properties),
    }),
    ...tableSection('last purchases', purchases, {
      TIME: ({ time }) => time,
      PRODUCT: ({ product_id }) => product_id,
      PRICE: ({ price, currency }) => `${price} ${currency}`,
      QUANTITY: ({ quantity }) => quantity,
      PROPERTIES: ({ properties }) => json(properties),
    }),
    ...tableSection('last messages', sends, {
      SINCE: ({ at }) => at,
      STATE: shownState,
      ID: ({ _id }) => _id,
      REASON: shownReason,
    }),
  ]);
};

const show = async (
  { store, ws }: WorkspaceTools,
  id: string | undefined,
  options: Options,
): Promise<Result> => {
  const about = await allAbout(store, await findPerson(store, ws, id, options), options.most);
  return {
    json: { workspace: ws, ...about, sends: about.sends.map(shownSend) },
    text: inWords(about),
    notes: [about.sends.length > 0 && '"roster sends show <id>" shows a message.'],
  };
};

const help = `
What is stored now; what was accepted a moment ago may not be applied yet. "roster consent" also says by which request a consent changed.

Examples:
  $ roster person show ada
  $ roster person show --email ada@example.com --most 50
  $ roster person show --alias crm:17 --json`;

export const personCommands: Family = {
  about: 'people: what is stored about one of them',
  example: 'roster person show ada',
  commands: {
    show: {
      about: 'profile, groups, consent, last events, purchases and messages of a person',
      args: { '[external id]': 'the external id of the person, or the service id' },
      workspace: 'the workspace the person is in',
      flags: {
        ...personFlags,
        '--most <number>': wholeNumber('so many events, purchases and messages', [1, 1000], 10),
      },
      help,
      run: show,
    },
  },
};
