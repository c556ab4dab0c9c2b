/** Kinds of servers, each with its driver, which is loaded when it is needed: all of them take three times as long. */
import { createKind, type Kind } from '../server/kind.ts';
import type { ServerTable } from '../settings.ts';

const kinds: Readonly<Record<ServerTable['kind'], () => Promise<Kind<ServerTable>>>> = {
  postgresql: async () => createKind((await import('../postgresql/postgresql.ts')).postgresql),
  mysql: async () => createKind((await import('../mysql/mysql.ts')).mysql),
  mongodb: async () => createKind((await import('../mongodb/mongodb.ts')).mongodb),
  redshift: async () => createKind((await import('../redshift/redshift.ts')).redshift),
};

export const kindOf = ({ kind }: Pick<ServerTable, 'kind'>): Promise<Kind<ServerTable>> => kinds[kind]();
