/** Whatever is wrong with a request: its exact status, code and sentence, nothing stored, and the next good one is served. */
import { type EntryErrorCode, entryErrors } from '@roster/contract';
import { attributes } from './bad/attributes.ts';
import { events } from './bad/events.ts';
import { purchases } from './bad/purchases.ts';
import type { Refused } from './bad/refused.ts';
import { requests } from './bad/requests.ts';
import { fingerprint } from './stored.ts';
import { type Answered, type System, startSystem } from './system.ts';

jest.setTimeout(60_000);

let system: System;

beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const good = { events: [{ external_id: 'bystander', name: 'seen', time: '2026-01-01' }] };
const nothingValid = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.";

/** Sends it, looks whether anything came of it, and whether the next one is served as if nothing had been. */
const refused = async (path: string, body: unknown): Promise<Answered> => {
  const before = await fingerprint(system);
  const answer = await system.send(path, { body });
  expect(await fingerprint(system)).toBe(before);
  expect(answer.headers.get('x-request-id')).toMatch(/^x/);
  expect((await system.track(good)).body).toMatchObject({ events_processed: 1, state: 'applied' });
  return answer;
};

const holds = async (kind: string, { entry, code, sentence }: Refused): Promise<void> => {
  const { status, body } = await refused('/users/track', { [kind]: [entry] });
  expect({ status, body }).toEqual({
    status: 400,
    body: { message: nothingValid, errors: [{ type: sentence, code, input_array: kind, index: 0 }] },
  });
};

describe('an attribute object', () => {
  it.each(attributes)('$title', (row) => holds('attributes', row));
});

describe('an event', () => {
  it.each(events)('$title', (row) => holds('events', row));
});

describe('a purchase', () => {
  it.each(purchases)('$title', (row) => holds('purchases', row));
});

describe('a request', () => {
  it.each(requests)('$path: $title', async ({ path, body, message, code }) => {
    const answer = await refused(path, body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    const errors = answer.body.errors as { code: string }[] | undefined;
    expect(errors?.[0]?.code).toBe(code);
  });
});

describe('a refused entry among good ones', () => {
  it.each([...attributes.slice(0, 200)])('$title', async ({ entry, code, sentence }) => {
    const answer = await system.track({
      attributes: [{ external_id: 'bystander', n: { inc: 1 } }, entry],
      ...good,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      attributes_processed: 1,
      events_processed: 1,
      errors: [
        {
          type: sentence.replace('attributes[0]', 'attributes[1]'),
          code,
          input_array: 'attributes',
          index: 1,
        },
      ],
      entries: { attributes: [{}, { result: 'refused', reason: code }] },
    });
  });
});

it('is refused in at least 250 ways, and every code of the entries of a track request is among them', () => {
  const all = [...attributes, ...events, ...purchases];
  expect(all.length + requests.length).toBeGreaterThanOrEqual(250);
  const seen = new Set(all.map(({ code }) => code));
  const elsewhere: EntryErrorCode[] = ['ALIAS_NAME_TAKEN', 'PRIORITIZATION_INVALID'];
  const missing = Object.keys(entryErrors).filter(
    (code) => !seen.has(code) && !elsewhere.includes(code as never),
  );
  expect(missing).toEqual([]);
});
