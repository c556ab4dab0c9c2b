// How the work of a workspace leads to a peer: as messages to many people, or as syncs of tables.
import { appleKey } from '@roster/testkit';

/** Where a peer of a case is, and under which names the workspace knows it. */
export interface Place {
  /** Of the app or connection. */
  id: string;
  /** Host and port, or the zone of a name. */
  at: string;
  /** The variable that holds the credential. */
  credential: string;
}

interface MessageRoad {
  secret?(place: Place): string;
  channels?(place: Place): object;
  /** Of the nth schedule: each may name other hosts. */
  messages(place: Place, n: number): object;
  /** Its people have their devices in this app alone. */
  ownPeople?: true;
}

export interface SyncRoad {
  secret(place: Place): string;
  connection(place: Place): object;
  table?: string;
}

export const userId = `{{\${user_id}}}`;

const envOf = ({ credential }: Place) => ({ env: credential });

const webhook = (url: string) => ({ webhook: { url, request_method: 'POST', body: userId } });

export const messageRoads = {
  webhook: { messages: ({ at }) => webhook(`http://${at}/`) },
  /** Each message goes to another host. */
  'webhook by name': { messages: ({ at }, n) => webhook(`http://${n}-${userId}.${at}/`) },
  sms: {
    secret: ({ at }) =>
      JSON.stringify({ url: `http://${at}/`, json: { to: '{to}', text: '{body}' }, id: 'id' }),
    channels: (place) => ({ sms: { provider: envOf(place) } }),
    messages: ({ id }) => ({ sms: { app_id: id, subscription_group_id: 'texts', body: 'Sale' } }),
  },
  email: {
    secret: ({ at }) => `smtp://${at}`,
    channels: (place) => ({ email: { smtp: envOf(place) } }),
    messages: ({ id }) => ({
      email: { app_id: id, from: 'news@example.com', subject: 'Sale', body: 'Sale' },
    }),
  },
  push: {
    secret: () => appleKey.key,
    channels: (place) => ({
      ios_push: { ...appleKey, key: envOf(place), url: `http://${place.at}` },
    }),
    messages: () => ({ ios_push: { alert: 'Sale' } }),
    ownPeople: true,
  },
} as const satisfies Record<string, MessageRoad>;

const database = (kind: 'postgresql' | 'mysql' | 'mongodb'): SyncRoad => ({
  secret: ({ at }) => `${kind}://someone:secret@${at}/shop`,
  connection: (place) => ({ id: place.id, kind, url: envOf(place), tls: 'off' }),
  table: 'people',
});

const bucket = (endpoint: (place: Place) => string): SyncRoad => ({
  secret: () => 'secret',
  connection: (place) => ({
    id: place.id,
    kind: 's3',
    endpoint: endpoint(place),
    tls: 'off',
    bucket: 'exports',
    format: 'ndjson',
    access_key: envOf(place),
    secret_key: envOf(place),
  }),
});

export const syncRoads = {
  postgresql: database('postgresql'),
  mysql: database('mysql'),
  mongodb: database('mongodb'),
  s3: bucket(({ at }) => `http://${at}`),
  's3 by name': bucket(({ id, at }) => `http://${id}.${at}:9000`),
} as const satisfies Record<string, SyncRoad>;

export type RoadName = keyof typeof messageRoads | keyof typeof syncRoads;

export const messageRoad = (name: RoadName): MessageRoad | undefined =>
  name in messageRoads ? messageRoads[name as keyof typeof messageRoads] : undefined;

export const syncRoad = (name: RoadName): SyncRoad | undefined =>
  name in syncRoads ? syncRoads[name as keyof typeof syncRoads] : undefined;
