/** Stands for the hosted service, by its public documentation: its two exports of people, and their subscription groups. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { hostedGroupsOf, textOf } from '@roster/testkit';

type Person = Readonly<Record<string, unknown>>;

const mostIds = 50;

/** A zip file of one stored file. */
const zipOf = (name: string, content: string): Buffer => {
  const [title, data] = [Buffer.from(name), Buffer.from(content)];
  const numbers = Buffer.alloc(26);
  numbers.writeUInt16LE(20, 0);
  numbers.writeUInt32LE(crc32(data), 10);
  numbers.writeUInt32LE(data.length, 14);
  numbers.writeUInt32LE(data.length, 18);
  numbers.writeUInt16LE(title.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), numbers, title, data]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), numbers, Buffer.alloc(14), title]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
};

const linesOf = (people: readonly Person[]): string =>
  people.map((person) => `${JSON.stringify(person)}\n`).join('');

/** As the query names them, by one kind of name, in pages; `undefined`: it is refused. */
const groupsFor = (people: readonly Person[], url: URL): object | undefined => {
  const { searchParams: query } = url;
  const kinds = ['external_id', 'email', 'phone'].filter((kind) => query.has(`${kind}[]`));
  const [kind = '', other] = kinds;
  const names = query.getAll(`${kind}[]`);
  const isE164 = kind !== 'phone' || names.every((name) => /^\+[1-9]\d{7,14}$/.test(name));
  const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)];
  if (other || names.length === 0 || names.length > mostIds || limit > 100 || !isE164) return undefined;
  const found = people.filter((person) => names.includes(String(person[kind])));
  const users = found.slice(offset, offset + limit).map((person) => {
    const { email = null, phone = null, external_id = null } = person;
    return { email, phone, external_id, subscription_groups: hostedGroupsOf(person) };
  });
  return { users, total_count: found.length, message: 'success' };
};

export const createHostedService = (people: readonly Person[], key: string) => {
  const asked: string[] = [];
  /** One of these is answered first. */
  const refusals = [429, 500, 403];

  const refuse = (response: ServerResponse, status: number): void => {
    response.writeHead(status, { 'x-ratelimit-reset': '1' }).end('{"message":"no"}');
  };
  const tell = (response: ServerResponse, body: object): void => {
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  /** One of these that was not answered yet. */
  const refusalOf = (...states: number[]): number | undefined => {
    const at = refusals.findIndex((status) => states.includes(status));
    return at < 0 ? undefined : refusals.splice(at, 1)[0];
  };
  const usersOf = (ids: readonly string[]): object => {
    const users = people.filter(({ external_id }) => ids.some((id) => id === external_id));
    const known = new Set(users.map(({ external_id }) => external_id));
    return { users, invalid_user_ids: ids.filter((id) => !known.has(id)), message: 'success' };
  };
  const giveFile = (response: ServerResponse): void => {
    const refusal = refusalOf(403);
    if (refusal) refuse(response, refusal);
    else response.end(zipOf('114f0226319130e1a4770f2602b5639a.json', linesOf(people)));
  };
  const giveUsers = (response: ServerResponse, ids: readonly string[]): void => {
    const refusal = ids.length > mostIds ? 400 : refusalOf(429, 500);
    if (refusal) refuse(response, refusal);
    else tell(response, usersOf(ids));
  };
  const giveGroups = (response: ServerResponse, { url, headers }: IncomingMessage): void => {
    const isAllowed = headers.authorization === `Bearer ${key}`;
    const found = isAllowed && groupsFor(people, new URL(url ?? '', 'http://hosted'));
    if (found) response.writeHead(200).end(JSON.stringify(found));
    else refuse(response, isAllowed ? 400 : 401);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url, method, headers } = request;
    const body = await textOf(request);
    asked.push(`${method} ${url}`);
    if (url === '/files/people.zip') return giveFile(response);
    if (url?.startsWith('/subscription/user/status')) return giveGroups(response, request);
    const { external_ids, fields_to_export } = JSON.parse(body);
    const isAllowed = headers.authorization === `Bearer ${key}` && Array.isArray(fields_to_export);
    if (!isAllowed) return refuse(response, 401);
    if (url === '/users/export/ids') return giveUsers(response, external_ids);
    const file = `http://${headers.host}/files/people.zip`;
    return tell(response, { message: 'success', object_prefix: 'bb8e2a91', url: file });
  };
  return { answer, asked };
};
