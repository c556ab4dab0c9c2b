/** Hostile filters, paths and values: understood or refused, never anything else, and quickly. */
import { isRejection } from '@roster/contract';
import fc from 'fast-check';
import type { Resource } from '../attributes/attribute.ts';
import { canonical } from '../attributes/canonical.ts';
import { userAttributes } from '../attributes/user-attributes.ts';
import { view } from '../attributes/view.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { acme } from '../testbed.ts';
import { compileFilter } from './compile-filter.ts';
import { parseFilter } from './parse-filter.ts';

const attributes = userAttributes(acme);
const ada: Resource = {
  schemas: ['s'],
  id: '1',
  userName: 'ada@acme.test',
  active: true,
  emails: [{ value: 'ada@acme.test', type: 'work', primary: true }],
  meta: { created: '2026-01-01T00:00:00Z' },
};

const odd = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'a.b',
  '$set',
  '$where',
  '',
  '.',
  '..',
  'x'.repeat(256),
  'a\u0000',
];
const words = [
  ...odd,
  ...'userName emails name active meta.created eq ne co sw ew gt lt ge le pr and or not ( ) [ ] . : "a" "" true null 5 -1e9'.split(
    ' ',
  ),
  'emails[type eq "work"].value',
  '"',
  '\\',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName',
];
const sentence = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, fc.string({ maxLength: 8 })), {
    maxLength: 25,
  })
  .chain((parts) => fc.constantFrom(' ', '').map((space) => parts.join(space)));

/** Refused in our own words, or done. */
const settled = (work: () => unknown): void => {
  try {
    work();
  } catch (error) {
    if (!isRejection(error)) throw error;
    expect(error.status).toBe(400);
  }
};

/** A refused PATCH leaves the resource as it is. */
const asRefused = (error: unknown): typeof ada => {
  settled(() => {
    throw error;
  });
  return ada;
};

/** What `canonical` may leave of a user. */
const settable = 'externalId userName name displayName active emails department permissions'.split(' ');

const runs = { numRuns: 5000 };

afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

describe('whatever is sent', () => {
  it('as a filter', () => {
    fc.assert(
      fc.property(sentence, (text) => settled(() => compileFilter(attributes, parseFilter(text))(ada))),
      runs,
    );
  });

  it('as a path and value of a PATCH: the resource itself is never touched, and its form stays', async () => {
    const before = structuredClone(ada);
    const op = fc.constantFrom('add' as const, 'replace' as const, 'remove' as const);
    const value = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...words), fc.jsonValue()),
      fc.constant(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')),
    );
    const work = { spend: () => {}, breathe: () => undefined };
    await fc.assert(
      fc.asyncProperty(op, fc.option(sentence, { nil: undefined }), value, async (kind, path, sent) => {
        const operation = { op: kind, value: sent as never, ...(path !== undefined && { path }) };
        const patched = await applyPatch(attributes, ada, [operation], work).catch(asRefused);
        settled(() => {
          const after = canonical(attributes, patched);
          expect(settable).toEqual(expect.arrayContaining(Object.keys(after)));
        });
        expect(ada).toEqual(before);
      }),
      runs,
    );
  });

  it('as a user', () => {
    const body = fc.dictionary(
      fc.constantFrom(...words, 'displayName', 'permissions', 'department'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(body, (sent) => settled(() => canonical(attributes, sent))),
      runs,
    );
  });

  it('as names of attributes to send', () => {
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 4 }), (names) => {
        expect(view(attributes, { only: names })(ada).id).toBe('1');
        expect(view(attributes, { without: names })(ada).id).toBe('1');
      }),
      runs,
    );
  });
});
