/** Over real sockets, with a server that has its moods. */
import type { ServerResponse } from 'node:http';
import { until, usePeer } from '@roster/testkit';
import type { Outcome } from './answer.ts';
import { createTrackClient } from './track-client.ts';

const interrupted = expect.objectContaining({ name: 'AbortError' });

describe('sending', () => {
  let asked: { key: string; at: number }[] = [];
  let moods: ((response: ServerResponse) => void)[] = [];
  const ok = (response: ServerResponse) => response.writeHead(201).end('{"message":"success"}');
  const says =
    (status: number, body: object, headers = {}) =>
    (response: ServerResponse) =>
      response.writeHead(status, { 'x-request-id': 'r1', ...headers }).end(JSON.stringify(body));
  const answer = (status: number, headers = {}, message = 'no') =>
    says(status, { message, code: 'NO' }, headers);

  const peer = usePeer((request, response) => {
    asked.push({ key: String(request.headers['idempotency-key']), at: Date.now() });
    request.resume().on('end', () => (moods.shift() ?? ok)(response));
  });
  beforeEach(() => {
    [asked, moods] = [[], []];
  });

  const applied = (more: Partial<Outcome> = {}): Outcome => ({
    state: 'applied',
    reason: '',
    entries: {},
    notes: [],
    ...more,
  });
  const client = (more = {}) => {
    const one = createTrackClient({
      url: peer.url,
      key: 'k',
      giveUpAfterMs: 5_000,
      signal: new AbortController().signal,
      ...more,
    });
    const track = (json: string, idempotencyKey: string, isWaiting = false) =>
      one.send({ path: '/users/track', json, idempotencyKey, until: isWaiting ? 'applied' : 'kept' });
    return { ...one, track };
  };

  it('is repeated under the same key through overload, faults and broken connections', async () => {
    moods = [answer(503, { 'Retry-After': '0' }), answer(500), (response) => response.destroy()];
    expect(await client().track('{}', 'key-1')).toEqual({ status: 201, message: 'success', errors: [] });
    expect(asked.map(({ key }) => key)).toEqual(['key-1', 'key-1', 'key-1', 'key-1']);
  });

  it('comes back when it is applied, if it is asked to wait, and is sent again when the answer does not say so', async () => {
    const isApplied = says(201, { message: 'success', state: 'applied' });
    const kept = { status: 201, message: 'success', errors: [], outcome: applied() };
    moods = [isApplied];
    expect(await client().track('{}', 'a', true)).toEqual(kept);
    expect(asked).toHaveLength(1);
    moods = [ok, ok, isApplied];
    expect(await client().track('{}', 'b', true)).toEqual(kept);
    expect(asked.map(({ key }) => key)).toEqual(['a', 'b', 'b', 'b']);
  });

  it('gives up when what was taken is not applied for long enough', async () => {
    moods = Array.from({ length: 100 }, () => ok);
    await expect(client({ giveUpAfterMs: 1 }).track('{}', 'a', true)).rejects.toThrow(
      /what it has taken is not applied/,
    );
  });

  it('tells what became of each entry, also when the first answer does not say so', async () => {
    const entries = { events: [{ result: 'updated' }, { result: 'ignored', reason: 'no_such_user' }] };
    const notes = [{ input_array: 'attributes', index: 0, field: 'phone', reason: 'wrong' }, 1];
    const report = (state: string) => says(200, { message: 'success', state, entries, notes });
    const events = entries.events.map((entry) => ({ reason: '', ...entry }));
    const outcome = applied({ entries: { events }, notes: ['phone: wrong'] });
    moods = [report('applied')];
    expect(await client().track('{}', 'a', true)).toMatchObject({ outcome });
    moods = [ok, report('queued'), answer(503, { 'Retry-After': '0' }), report('applied')];
    expect(await client().track('{}', 'b', true)).toMatchObject({ status: 200, message: 'success', outcome });
    expect(asked.map(({ key }) => key)).toEqual(['a', 'b', 'b', 'b', 'b']);
    moods = [says(201, { state: 'failed', reason: 'crash' })];
    expect(await client().track('{}', 'd', true)).toMatchObject({
      outcome: { state: 'failed', reason: 'crash' },
    });
  });

  it('is asked again under the same key until it is known what became of it', async () => {
    const errors = [{ type: 'taken', code: 'ALIAS_NAME_TAKEN', input_array: 'user_aliases', index: 0 }];
    moods = [answer(202, {}, 'queued'), says(201, { errors })];
    const sending = { path: '/users/alias/new', json: '{}', idempotencyKey: 'a', until: 'result' } as const;
    expect(await client().send(sending)).toMatchObject({ status: 201, errors });
    expect(asked.map(({ key }) => key)).toEqual(['a', 'a']);
  });

  it('tells which renames were not done', async () => {
    const rename_errors = [[1, 'new_external_id is already in use']];
    moods = [says(201, { rename_errors })];
    const { errors } = await client().send({ path: '/users/external_ids/rename', json: '{}' });
    expect(errors).toMatchObject([
      { index: 1, code: 'NOT_RENAMED', type: 'new_external_id is already in use' },
    ]);
  });

  it.each([
    [400, true],
    [201, true],
    [403, false],
    [401, false],
  ])('asks once whether the key may: %s', async (status, may) => {
    moods = [answer(503, { 'Retry-After': '0' }), answer(status)];
    const one = client();
    expect([await one.may('/users/merge'), await one.may('/users/merge')]).toEqual([may, may]);
    expect(asked).toHaveLength(2);
  });

  it('waits as long as a rate limit says, and so do the others', async () => {
    moods = [answer(429, { 'Retry-After': '1' })];
    const pauses: string[] = [];
    const { track } = client({ onPause: (_: number, why: string) => pauses.push(why) });
    const first = track('{}', 'a');
    await until(() => pauses.length > 0);
    await Promise.all([first, track('{}', 'b')]);
    const [refused, ...later] = asked;
    expect(later.every(({ at }) => at - (refused?.at ?? 0) >= 950)).toBe(true);
    expect([later.length, pauses]).toEqual([2, ['429 no']]);
  });

  it('gives up without an answer for long enough', async () => {
    moods = Array.from({ length: 100 }, () => (response: ServerResponse) => void response.destroy());
    await expect(client({ giveUpAfterMs: 300 }).track('{}', 'a')).rejects.toThrow(
      /has not taken a request for 0 s/,
    );
  });

  it('makes no pause longer than two hours, whatever it is told, and none to its end when it is to stop', async () => {
    moods = [answer(429, { 'Retry-After': '99999999' })];
    const stop = new AbortController();
    const pauses: number[] = [];
    const onPause = (ms: number) => {
      pauses.push(ms);
      setTimeout(() => stop.abort(), 10);
    };
    await expect(client({ signal: stop.signal, onPause }).track('{}', 'a')).rejects.toThrow(interrupted);
    expect(pauses).toEqual([7_200_000]);
  });

  it('is given up when a 503 asks for more than there is patience for', async () => {
    moods = [answer(503, { 'Retry-After': '6' })];
    await expect(client().track('{}', 'a')).rejects.toThrow(/has not taken a request for 5 s \(503 no\)/);
    expect(asked).toHaveLength(1);
  });

  it('finishes what is on the wire when it is told to stop, and does not repeat it', async () => {
    const stopping =
      (stop: AbortController, mood: (response: ServerResponse) => void) => (response: ServerResponse) => {
        stop.abort();
        mood(response);
      };
    const [one, other] = [new AbortController(), new AbortController()];
    moods = [stopping(one, ok), stopping(other, answer(503))];
    expect(await client({ signal: one.signal }).track('{}', 'a')).toMatchObject({ status: 201 });
    await expect(client({ signal: other.signal }).track('{}', 'b')).rejects.toThrow(interrupted);
    expect(asked).toHaveLength(2);
  });

  it('takes no page of something between for an acceptance', async () => {
    moods = [(response) => response.writeHead(200).end('<html>')];
    expect(await client().track('{}', 'a')).toMatchObject({ status: 201 });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['a refusal', answer(400, {}, 'bad'), { status: 400, message: 'bad', errors: [] }],
    [
      'something that is not ours',
      (response: ServerResponse) => response.writeHead(404).end('<html>'),
      { status: 404, message: '<html>', errors: [] },
    ],
  ])('comes back with %s', async (_, mood, expected) => {
    moods = [mood];
    expect(await client().track('{}', 'a')).toEqual(expected);
  });

  it.each([
    [200, { 'X-Roster-Fresh': 'true' }, true],
    [201, { 'X-Roster-Fresh': 'false' }, false],
    [503, {}, false],
    [403, {}, 'unknown'],
  ])('knows whether everything is applied: %s %j', async (status, headers, applied) => {
    moods = [answer(status, headers)];
    expect(await client().untilApplied(100)).toBe(applied);
    expect(asked).toHaveLength(1);
  });
});
