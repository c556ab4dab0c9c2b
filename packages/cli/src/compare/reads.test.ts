/** Reads behind writes, before a hosted service that applies at once and a Roster that says when it has applied all. */
import type { RequestListener } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { textOf } from '@roster/testkit';
import { answering, freshJson, headers, post, proxyOf, success } from './testbed.ts';

const read = { external_ids: ['ada'], fields_to_export: ['external_id'] };
const answerOf = (visits: unknown) => ({
  message: 'success',
  users: [{ external_id: 'ada', custom_attributes: { visits } }],
});

/** Applies a write after so many reads that say that it is not included yet. */
const late = (reads: number): { listener: RequestListener; asked(): number } => {
  const state = { applied: 0, accepted: 0, left: 0, asked: 0 };
  return {
    asked: () => state.asked,
    async listener(request, response) {
      const body = JSON.parse(await textOf(request));
      const isRead = request.url === '/users/export/ids';
      if (!isRead) Object.assign(state, { accepted: body.attributes[0].visits, left: reads });
      else state.asked += 1;
      if (state.left-- <= 0) state.applied = state.accepted;
      const isFresh = String(state.applied === state.accepted);
      const answer = isRead ? answerOf(state.applied) : { message: 'success' };
      response.writeHead(201, { ...freshJson, 'x-roster-fresh': isFresh }).end(JSON.stringify(answer));
    },
  };
};

const writesAndReads = async (url: string, times: number, from = 1): Promise<void> => {
  for (let visits = from; visits < from + times; visits++) {
    await post(`${url}/users/track`, { attributes: [{ external_id: 'ada', visits }] });
    await post(`${url}/users/export/ids`, read);
  }
};

it('finds no difference in 200 reads behind writes', async () => {
  const { url, comparison, proxy } = await proxyOf(late(0).listener, late(1).listener);
  for (let from = 1; from <= 200; from += 100) {
    await writesAndReads(url, 100, from);
    await proxy.settled();
  }
  const { operations, notCompared } = comparison.report();
  expect([operations['users.export.ids'], notCompared]).toEqual([
    { requests: 200, same: 200, places: {} },
    {},
  ]);
}, 120_000);

it.each<[string, RequestListener]>([
  ['says no', late(Number.POSITIVE_INFINITY).listener],
  [
    'does not say it',
    (request, response) =>
      void request
        .resume()
        .on('end', () => response.writeHead(201, { 'x-request-id': 'r1' }).end(JSON.stringify(answerOf(0)))),
  ],
])('asks five times, and tells what is not compared, when Roster %s', async (_, listener) => {
  let reads = 0;
  const { url, comparison, proxy } = await proxyOf(late(0).listener, (request, response) => {
    if (request.url === '/users/export/ids') reads += 1;
    return listener(request, response);
  });
  await writesAndReads(url, 1);
  await proxy.settled();
  const { operations, notCompared } = comparison.report();
  expect([reads, operations['users.export.ids'], notCompared]).toEqual([
    5,
    undefined,
    { 'Roster had not applied everything before it': 1 },
  ]);
});

it('asks again when a person is not found yet', async () => {
  let reads = 0;
  const unknown: RequestListener = (request, response) =>
    void request.resume().on('end', () => {
      const fresh = String(++reads === 2);
      const told = { 'x-roster-fresh': fresh, 'x-roster-error': 'NO' };
      response.writeHead(404, { ...freshJson, ...told }).end('{"message":"no"}');
    });
  const { url, comparison, proxy } = await proxyOf(answering(404, { message: 'no' }), unknown);
  await fetch(`${url}/preference_center/v1/default/url/ada`, { headers });
  await proxy.settled();
  expect([reads, comparison.report().operations['preference_center.user.get']?.same]).toEqual([2, 1]);
});

it('does not compare a receipt with a result', async () => {
  const { url, comparison, proxy } = await proxyOf(success, answering(202, { state: 'queued' }));
  await post(`${url}/content_blocks/create`, {});
  await proxy.settled();
  expect(comparison.report()).toEqual({
    operations: {},
    notCompared: { 'Roster had not applied it yet': 1 },
  });
});

it('compares a read without that header where Roster never has it', async () => {
  const body = { message: 'success', count: 0, content_blocks: [] };
  const plain: RequestListener = (_, response) =>
    void response.writeHead(200, { 'x-request-id': 'r1' }).end(JSON.stringify(body));
  const { url, comparison, proxy } = await proxyOf(plain, plain);
  await fetch(`${url}/content_blocks/list`, { headers });
  await proxy.settled();
  expect(comparison.report().operations['content_blocks.list']).toMatchObject({ requests: 1, same: 1 });
});

it('leaves out reads behind a write that did not reach Roster', async () => {
  const { url, comparison, proxy } = await proxyOf(
    late(0).listener,
    (request, response) =>
      request.url === '/users/track'
        ? void request.socket.destroy()
        : void response.writeHead(201, freshJson).end(JSON.stringify(answerOf(0))),
    60_000,
    { retryFor: 0 },
  );
  await writesAndReads(url, 1);
  await proxy.settled();
  expect(comparison.report()).toEqual({
    operations: {},
    notCompared: { 'no answer of Roster': 1, 'a write before it did not reach Roster': 1 },
  });
});

it.each<[string, (text: string) => Buffer]>([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['identity', Buffer.from],
])('compares answers and requests with the encoding %s', async (encoding, encode) => {
  const seen: string[] = [];
  const theirs: RequestListener = (request, response) =>
    void request.resume().on('end', () => {
      response.writeHead(201, { 'content-encoding': encoding, 'content-type': 'application/json' });
      const bytes = encode('{"message":"success","n":1}');
      // Without a length: chunked.
      response.write(bytes.subarray(0, 9), () => response.end(bytes.subarray(9)));
    });
  const { url, comparison, proxy } = await proxyOf(
    theirs,
    answering(201, { message: 'success', n: 2 }, seen),
  );
  await fetch(`${url}/users/track`, {
    method: 'POST',
    headers: { ...headers, 'content-encoding': encoding },
    body: encode('{"events":[]}'),
  });
  await proxy.settled();
  expect(seen).toEqual(['POST /users/track Bearer ours {"events":[]}']);
  expect(comparison.report().operations['users.track']).toMatchObject({ same: 0, places: { n: 1 } });
});

it('sends a write to Roster though its answer has an unknown encoding, and tells that', async () => {
  const seen: string[] = [];
  const { url, comparison, proxy } = await proxyOf(
    (_, response) => void response.writeHead(201, { 'content-encoding': 'zstd' }).end('...'),
    answering(201, {}, seen),
  );
  await post(`${url}/users/track`, {});
  await proxy.settled();
  expect(seen).toHaveLength(1);
  expect(comparison.report().notCompared).toEqual({ 'a body is too large, or has an encoding': 1 });
});

it('tells a HEAD, which has no body', async () => {
  const { url, comparison, proxy } = await proxyOf(success, success);
  await fetch(`${url}/content_blocks/list`, { method: 'HEAD' });
  await proxy.settled();
  expect(comparison.report().notCompared).toEqual({ 'it asks for no body': 1 });
});

it('gives examples with the ids and the time, and names once what each service makes for itself', async () => {
  const answer =
    (id: string, body: object): RequestListener =>
    (_, response) =>
      void response.writeHead(201, { ...freshJson, 'x-request-id': id }).end(JSON.stringify(body));
  const { url, comparison, proxy } = await proxyOf(
    answer('t\u00a01', { n: 1, request_id: 'a' }),
    answer('r1', { n: 2, request_id: 'b' }),
  );
  for (let time = 0; time < 5; time++) await post(`${url}/users/track`, {});
  await proxy.settled();
  const { operations, madeAnew } = comparison.report();
  const example = { request_id: 'r1', their_request_id: 't\u00a01', time: expect.stringMatching(/^20.*Z$/) };
  expect(operations['users.track']?.places).toEqual({ n: 5 });
  expect(operations['users.track']?.examples?.n).toEqual([example, example, example]);
  expect(madeAnew).toEqual(['request_id']);
});
