/** The edge of the SCIM endpoints: who may come in, and how they are answered. What becomes of users is the business of the scim service. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completeCompany, completeSettings, createKey, createScimToken, refreshCopy } from '@roster/access';
import { type AcceptedRequest, operations } from '@roster/contract';
import { type BatchWorker, createBatchWorker, queuesOf } from '@roster/queue';
import { createLog, type Running } from '@roster/runtime';
import { contextOf, testSecret as pepper, until, useFolder, useRedis } from '@roster/testkit';
import request from 'supertest';
import { startIngress } from './start.ts';

const origin = 'https://idp.test';
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

describe('SCIM at the edge', () => {
  let running: Running;
  let worker: BatchWorker;
  let base: string;
  let log: ReturnType<typeof createLog>;
  const seen: AcceptedRequest[] = [];
  const { url, redis } = useRedis(async () => {
    await worker.close();
    await running.stop();
  });
  const logFile = useFolder()('log');
  const token = createScimToken({ company: 'acme', name: 'idp', origins: [origin], pepper });
  const small = createScimToken({ company: 'small', name: 'idp', origins: [origin], pepper });
  const { key, record } = createKey({ ws: 'demo', name: 'all', permissions: ['*'], pepper });

  /** An identity provider with the token of this company. */
  const provider = ({ token: secret } = token) =>
    request.agent(base).set({ authorization: `Bearer ${secret}`, 'x-request-origin': origin });
  type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
  const methodOf = (operation: { method: string }) => operation.method.toLowerCase() as Method;

  beforeAll(async () => {
    const companies = [
      completeCompany({ id: 'acme' }),
      completeCompany({ id: 'small', limits: { scim: { requests: 2, seconds: 3600 } } }),
    ];
    const workspaces = [completeSettings({ id: 'demo' })];
    const scimTokens = [token.record, small.record];
    await refreshCopy(redis, async () => ({ keys: [record], workspaces, scimTokens, companies }));
    const more = { TRACK_PARTITIONS: '1', RESULT_TIMEOUT_SECONDS: '3', DRAIN_SECONDS: '0' };
    log = createLog({ service: 'ingress', level: 'debug', to: logFile });
    running = await startIngress({ ...(await contextOf('ingress', { redisUrl: url }, more)), log });
    base = `http://127.0.0.1:${running.port}`;
    worker = createBatchWorker({
      url,
      queues: queuesOf('scim', 1),
      limits: { requests: 100, entries: 1000, bytes: 1_000_000 },
      isKnown: () => true,
      async apply(requests) {
        seen.push(...requests);
        return requests.map(({ op }) =>
          op === 'scim.users.delete'
            ? { status: 204, body: '' }
            : { status: 200, body: JSON.stringify({ schemas: [], op }), headers: { ETag: 'W/"1"' } },
        );
      },
      classify: () => 'permanent',
      dead: async () => ({ status: 500, body: '{}' }),
    });
  });

  const scim = operations.filter(({ auth }) => auth === 'scim');
  const pathOf = (path: string) => path.replace('{id}', 'someone');

  describe.each(scim.map((one) => [one.id, methodOf(one), pathOf(one.path)] as const))(
    '%s',
    (_id, method, path) => {
      it.each<[string, Record<string, string>, RegExp]>([
        ['a REST key', { authorization: `Bearer ${key}` }, /this is an API key/],
        ['no token', { authorization: '' }, /none was sent/],
        ['another origin', { 'x-request-origin': 'https://evil.test' }, /revoked, or for another origin$/],
        ['an empty origin', { 'x-request-origin': '' }, /X-Request-Origin is missing$/],
        ['half a token', { authorization: `Bearer ${token.token.slice(0, -1)}` }, /it is not whole/],
      ])('is 401 for %s, in its dialect', async (_who, headers, why) => {
        const before = seen.length;
        const detail = expect.stringMatching(
          new RegExp(`^Invalid SCIM token or request origin: .*${why.source}`),
        );
        await provider()
          [method](path)
          .set(headers)
          .expect(401)
          .expect('www-authenticate', 'Bearer')
          .expect(({ body }) => expect(body).toEqual({ schemas: [errorSchema], detail, status: 401 }));
        expect(seen.length).toBe(before);
      });
    },
  );

  it('is 401 with a SCIM token for every operation that wants a key', async () => {
    const message = 'Invalid API key: this is a SCIM token, which is for /scim/v2 only';
    for (const { method, path, dialect } of operations.filter(({ auth }) => auth !== 'scim')) {
      const asked = provider()[methodOf({ method })](pathOf(path)).type('json');
      const answer = await (method === 'GET' ? asked : asked.send('{}'));
      const code = 'API_KEY_INVALID';
      const body = dialect === 'activity' ? { error: message, message, code } : { message, code };
      expect([path, answer.status, answer.body]).toEqual([path, 401, body]);
    }
  });

  it('hands on the token and the company, with the headers that are declared and no others', async () => {
    await provider()
      .put('/scim/v2/Users/abc?attributes=userName')
      .set({ 'if-match': 'W/"3"', 'x-other': 'y' })
      .send({ Custom: { a: 1 } })
      .expect(200)
      .expect('etag', 'W/"1"');
    expect(seen.at(-1)).toMatchObject({
      ws: 'company:acme',
      by: token.record.id,
      op: 'scim.users.replace',
      params: { id: 'abc' },
      query: { attributes: 'userName' },
      body: { Custom: { a: 1 } },
    });
    expect(seen.at(-1)?.headers).toEqual({ 'if-match': 'W/"3"' });
  });

  it('takes GET and DELETE with a content type and no body, and answers 204 without one', async () => {
    await provider().get('/scim/v2/Users/abc').type('json').expect(200);
    const { headers } = await provider().delete('/scim/v2/Users/abc').type('json').expect(204, '');
    expect([headers['content-type'], headers['content-length']]).toEqual([undefined, undefined]);
  });

  it('understands + and any order in a query', async () => {
    await provider().get('/scim/v2/Users?filter=userName+eq+%22a%2Bb%40c.de%22&count=10&startIndex=1');
    expect(seen.at(-1)?.query).toEqual({ filter: 'userName eq "a+b@c.de"', count: '10', startIndex: '1' });
  });

  it.each([
    'application/scim+json',
    'application/scim+json; charset=utf-8',
    'application/json;charset=UTF-8',
  ])('takes %s', async (type) => {
    await provider().post('/scim/v2/Users').type(type).send('{}').expect(200);
  });

  it('speaks application/scim+json to callers that ask for it, in errors too', async () => {
    const asking = provider().accept('application/scim+json, application/json;q=0.9');
    for (const path of ['/scim/v2/Users', '/scim/v2/Nothing'])
      await asking.get(path).expect('content-type', 'application/scim+json; charset=utf-8');
    await provider().get('/scim/v2/Users').expect('content-type', 'application/json; charset=utf-8');
  });

  const json = 'application/json';

  it.each<[Method, path: string, type: string, body: string | undefined, status: number, scimType: string]>([
    ['get', '/scim/v2/Groups', json, undefined, 404, ''],
    ['delete', '/scim/v2/Users', json, undefined, 405, ''],
    ['post', '/scim/v2/Users', json, '{', 400, 'invalidSyntax'],
    ['post', '/scim/v2/Users', json, `{"a":${'['.repeat(90)}${']'.repeat(90)}}`, 400, 'invalidSyntax'],
    ['post', '/scim/v2/Users', 'text/plain', '{}', 415, ''],
    ['post', '/scim/v2/Users', json, `{"a":"${'x'.repeat(1_100_000)}"}`, 413, ''],
    ['get', '/scim/v2/Users?count=many', json, undefined, 400, 'invalidValue'],
  ])('says in SCIM what is wrong: %s %s', async (method, path, type, body, status, scimType) => {
    const answer = await provider()[method](path).type(type).send(body).expect(status);
    expect(answer.body).toEqual({
      schemas: [errorSchema],
      detail: expect.any(String),
      status,
      ...(scimType && { scimType }),
    });
  });

  it('counts the calls of a company, in one pool', async () => {
    const statuses: number[] = [];
    for (const path of ['/scim/v2/Users', '/scim/v2/Schemas', '/scim/v2/Users'])
      statuses.push((await provider(small).get(path)).status);
    expect(statuses).toEqual([200, 200, 429]);
    await provider().get('/scim/v2/Users').expect('x-ratelimit-limit', '5000');
  });

  /** Every value of every key, as text. */
  const valuesInRedis = async (): Promise<string> => {
    const texts: string[] = [];
    for (const key of await redis.keys('*')) {
      const type = await redis.type(key);
      if (type === 'string') texts.push((await redis.get(key)) ?? '');
      if (type === 'hash') texts.push(JSON.stringify(await redis.hgetall(key)));
      if (type === 'list') texts.push(...(await redis.lrange(key, 0, -1)));
      if (type === 'zset') texts.push(...(await redis.zrange(key, '0', '-1')));
      if (type === 'stream') texts.push(JSON.stringify(await redis.xrange(key, '-', '+')));
    }
    return texts.join('\n');
  };
  /** Everything of Redis that lies on the disk, once what is over has been rewritten. */
  const filesOfRedis = async (): Promise<string> => {
    await redis.config('SET', 'aof-use-rdb-preamble', 'no');
    await redis.bgrewriteaof();
    await until(async () => /aof_rewrite_in_progress:0/.test(await redis.info('persistence')));
    const [, folder = ''] = (await redis.config('GET', 'dir')) as string[];
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
    return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join();
  };
  const lady = {
    userName: 'lovelace@acme.test',
    name: { familyName: 'Lovelace' },
    password: 'hunter2',
    'urn:acme:2.0:User': { credentials: [{ initialPassword: 'hunter2' }] },
  };
  const aboutHer = /lovelace|hunter2/i;

  it('leaves nothing of a person in Redis under an idempotency key, and no password even in the queue', async () => {
    const post = (user: object) =>
      provider().post('/scim/v2/Users').set('idempotency-key', 'provision-1').send(user);
    await post(lady).expect(200);
    expect(seen.at(-1)?.again).toBeUndefined();
    const { id, body } = seen.at(-1) as AcceptedRequest;
    expect(JSON.stringify(body)).toContain('lovelace');
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(await valuesInRedis()).not.toMatch(aboutHer);
    expect(await filesOfRedis()).not.toMatch(aboutHer);
    await post(lady).expect(200);
    expect(seen.at(-1)).toMatchObject({ id, again: expect.any(Number) });
    await post({ userName: 'x' }).expect(422);
  });

  const withPassword = encodeURIComponent('userName eq "a" and Password eq "hunter2"');
  const search = (path: string) =>
    provider()
      .post(path)
      .set('idempotency-key', `search-${path}`)
      .send({ filter: 'emails[value pr and password sw "hunter2"]' });

  it.each([
    [
      `GET /scim/v2/Users?filter=${withPassword}`,
      () => provider().get(`/scim/v2/Users?filter=${withPassword}`),
    ],
    ['POST /scim/v2/Users/.search', () => search('/scim/v2/Users/.search')],
    ['POST /scim/v2/.search', () => search('/scim/v2/.search')],
  ])('refuses a filter by a password before it is kept anywhere: %s', async (_way, ask) => {
    const before = seen.length;
    const answer = await ask().expect(400);
    expect(answer.body).toEqual({
      schemas: [errorSchema],
      detail: expect.not.stringContaining('hunter2'),
      status: 400,
      scimType: 'invalidFilter',
    });
    expect(seen.length).toBe(before);
  });

  it.each([
    `/scim/v2/Schemas?filter=${withPassword}`,
    `/scim/v2/Users?password=hunter2&filter=${encodeURIComponent('userName eq "password"')}`,
  ])('hands on nothing of a password that stands elsewhere in a query: %s', async (path) => {
    await provider().get(path).expect(200);
    expect(JSON.stringify(seen.at(-1))).not.toContain('hunter2');
  });

  it('leaves no password of a filter in Redis, on its disk, or in the log', async () => {
    await log.flush();
    const lines = await readFile(logFile, 'utf8');
    expect(lines).toContain('scim.users.list');
    expect(lines).not.toContain('hunter2');
    expect(await valuesInRedis()).not.toContain('hunter2');
    expect(await filesOfRedis()).not.toContain('hunter2');
  });

  it('finds a person in Redis when an answer is kept there (control)', async () => {
    await redis.set(
      'roster:idem:control',
      JSON.stringify({ answer: { status: 200, body: JSON.stringify(lady) } }),
    );
    expect([aboutHer.test(await valuesInRedis()), aboutHer.test(await filesOfRedis())]).toEqual([true, true]);
    await redis.del('roster:idem:control');
  });
});
