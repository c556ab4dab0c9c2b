/** `roster compare` between a double of the hosted service and Roster: calls by its proxy, and what it tells of them. */
import { until } from '@roster/testkit';
import { startRoster } from './run-roster.ts';
import type { System } from './system.ts';

export interface Report {
  operations: Record<string, { requests: number; same: number; places: Record<string, number> }>;
  notCompared: Record<string, number>;
}

export type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<void>;

interface Between {
  system: System;
  env(): Readonly<Record<string, string>>;
  /** The address of the double. */
  from(): string;
  inFolder(name: string): string;
}

const callTo =
  (url: string): Call =>
  async (method, path, body) => {
    const headers = { authorization: 'Bearer hosted', 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    await answer.arrayBuffer();
  };

export const createComparing = ({ system, env, from, inFolder }: Between) => {
  let marks = 0;

  /** Roster gets them one after the other: when this one is applied, what came before is compared. */
  const settle = async (call: Call): Promise<void> => {
    const last = `last-${++marks}`;
    await call('POST', '/users/track', { attributes: [{ external_id: last, seen: true }] });
    await until(() => system.exported(last, ['external_id']));
  };

  /** Each call begins when the one before it is answered. */
  const compared = async (calls: (call: Call) => Promise<void>): Promise<Report> => {
    const unsent = inFolder(`unsent-${marks}.ndjson`);
    const args = ['compare', '--from', from(), '--port', '0', '--unsent', unsent, '--json'];
    const { said, ended } = startRoster(env(), args);
    const [, url = ''] = await until(() => /(http:\S+) goes on/.exec(said.err));
    const call = callTo(url);
    await calls(call);
    await settle(call);
    process.emit('SIGINT');
    const code = await ended;
    if (code !== 0) throw new Error(said.err);
    return JSON.parse(said.out);
  };

  /** Reads right behind writes about a person, by three operations in turn. */
  const readsBehindWrites = async (times: number) => {
    const before = marks;
    const report = await compared(async (call) => {
      for (let visits = 1; visits <= times; visits++) {
        await call('POST', '/users/track', changeOf(visits));
        await reads[visits % reads.length]?.(call, 'busy');
        if (visits % 20 === 0) await settle(call);
      }
    });
    const compares = Object.values(report.operations).map(({ requests }) => requests);
    const all = [...compares, ...Object.values(report.notCompared)].reduce((sum, one) => sum + one, 0);
    return { differences: differencesIn(report), counted: all - (marks - before) };
  };
  return { compared, readsBehindWrites };
};

export const differencesIn = ({ operations: all }: Report) =>
  Object.fromEntries(
    Object.entries(all).flatMap(([id, { places }]) => (Object.keys(places).length > 0 ? [[id, places]] : [])),
  );

/** Those that the export of docs/migrate.md takes along. */
export const movedFields =
  'external_id user_aliases email phone first_name last_name dob gender home_city country language time_zone last_coordinates ' +
  'email_subscribe push_subscribe custom_attributes devices push_tokens apps uninstalled_at attributed_ad attributed_adgroup ' +
  'attributed_campaign attributed_source campaigns_received canvases_received cards_clicked random_bucket created_at';

export type Read = (call: Call, id: string) => Promise<void>;

export const exporting =
  (fields: string): Read =>
  (call, id) =>
    call('POST', '/users/export/ids', { external_ids: [id], fields_to_export: fields.split(' ') });
export const byExport = exporting(`${movedFields} custom_events purchases total_revenue`);
export const byStatus: Read = (call, id) =>
  call('GET', `/subscription/status/get?subscription_group_id=demo-news&external_id=${id}`);
export const byGroups: Read = (call, id) => call('GET', `/subscription/user/status?external_id=${id}`);

const reads = [byExport, byStatus, byGroups];

const changeOf = (visits: number) => {
  const subscription_state = visits % 2 === 0 ? 'subscribed' : 'unsubscribed';
  const state = { subscription_group_id: 'demo-news', subscription_state };
  return {
    attributes: [{ external_id: 'busy', visits, subscription_groups: [state] }],
    events: [{ external_id: 'busy', name: 'visited', time: new Date().toISOString() }],
  };
};
