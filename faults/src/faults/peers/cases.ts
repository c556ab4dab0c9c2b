// Each peer in each way of misbehaving: one row.
import { apns } from './apns.ts';
import type { Behave } from './behave.ts';
import { databases } from './databases.ts';
import { http } from './http.ts';
import type { RoadName } from './roads.ts';
import { s3 } from './s3.ts';
import { smtp } from './smtp.ts';

export interface Case {
  name: string;
  road: RoadName;
  /** A server of its own, or a zone of the name server. */
  peer: { behave: Behave } | { zone: string };
  /** Among the short trials. */
  isQuick: boolean;
}

const servers: readonly (readonly [peer: string, road: RoadName, modes: Readonly<Record<string, Behave>>])[] =
  [
    ['webhook', 'webhook', http],
    ['sms', 'sms', http],
    ['smtp', 'email', smtp],
    ['apns', 'push', apns],
    ['postgresql', 'postgresql', databases.postgresql],
    ['mysql', 'mysql', databases.mysql],
    ['mongodb', 'mongodb', databases.mongodb],
    ['s3', 's3', s3],
  ];

const quick = [
  ...['names silent', 'webhook silent', 'webhook endless', 'smtp silent', 'apns slow'],
  ...['postgresql lying', 'mongodb endless', 's3 silent', 's3 as many tags as it has bytes'],
];

const isQuick = (name: string): boolean => quick.includes(name);

const ofServers = servers.flatMap(([peer, road, modes]) =>
  Object.entries(modes).map(([mode, behave]) => {
    const name = `${peer} ${mode}`;
    return { name, road, peer: { behave }, isQuick: isQuick(name) };
  }),
);

const ofNames = (peer: string, road: RoadName): Case[] =>
  ['silent', 'endless', 'slow', 'lying'].map((zone) => {
    const name = `${peer} ${zone}`;
    return { name, road, peer: { zone: `${zone}.example` }, isQuick: isQuick(name) };
  });

export const cases: readonly Case[] = [
  ...ofNames('names', 'webhook by name'),
  ...ofNames('names of s3', 's3 by name'),
  ...ofServers,
];
