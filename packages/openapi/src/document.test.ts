import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  entryErrors,
  operationOf,
  operations,
  permissions,
  rejectionBody,
  rejections,
  rejectionsOf,
} from '@roster/contract';
import { aJudgeSettings, createAnswerCheck, createJudge } from '@roster/judge';
import { openapi } from './openapi.ts';
import { findDrift, pages, writePages } from './write-pages.ts';

const document = openapi();
const settings = aJudgeSettings({
  suspiciousExternalIds: new Set(['null']),
  groups: new Map([['demo-news', 'email']]),
  apps: new Set(['demo-app']),
});

const examples = operations.flatMap((operation) =>
  operation.examples.map((example) => ({ name: `${operation.id}: ${example.title}`, operation, example })),
);

describe('examples', () => {
  const judge = createJudge();
  const wrongWith = createAnswerCheck();

  it.each(examples)('$name: the request is judged as the answer says', ({ operation, example }) => {
    const verdict = judge(operation, example.request, settings);
    const { status, body } = example.response;
    if (verdict.ok && operation.answer === 'receipt') expect(verdict.answer).toEqual({ status, body });
    else if (verdict.ok)
      expect(
        operation.responses[status] !== undefined ||
          rejectionsOf(operation).some((code) => rejections[code].status === status),
      ).toBe(true);
    else
      expect({ status: verdict.rejection.status, body: rejectionBody(verdict.rejection) }).toEqual({
        status,
        body,
      });
  });

  it.each(examples)('$name: the answer has its documented shape', ({ operation, example }) => {
    expect(wrongWith(operation, example.response.status, example.response.body)).toBeUndefined();
  });

  it('are there for every operation', () => {
    expect(operations.filter((operation) => operation.examples.length === 0)).toEqual([]);
  });

  it('a wrong answer is found', () => {
    const track = operationOf('users.track');
    expect(wrongWith(track, 201, { message: 'success', events_processed: 0 })).toBe(
      'events_processed must be at least 1',
    );
    expect(wrongWith(track, 201, {})).toBe("'message' is required");
    expect(wrongWith(track, 299, {})).toBe('users.track does not document status 299');
  });
});

describe('the document', () => {
  it('is valid OpenAPI 3.1', () => {
    // The validator is an ES module only, which jest does not load: it runs in a process of its own.
    const script = `
      import { Validator } from '@seriousme/openapi-schema-validator';
      let text = '';
      for await (const chunk of process.stdin) text += chunk;
      process.stdout.write(JSON.stringify(await new Validator().validate(JSON.parse(text))));`;
    const input = JSON.stringify(document);
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: __dirname,
      input,
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual({ valid: true });
  });

  it('refers only to what it holds', () => {
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
    const missing = references.filter((reference) => {
      const path = reference.slice('"$ref":"#/'.length, -1).split('/');
      return (
        path.reduce<unknown>(
          (node, part) => (node as Record<string, unknown> | undefined)?.[part],
          document,
        ) === undefined
      );
    });
    expect(references.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  it('describes every schema, property and parameter', () => {
    expect(undescribed(document.components.schemas, '')).toEqual([]);
    expect(undescribed(document.paths, '')).toEqual([]);
  });

  it('names a stable code of the catalogue wherever a schema names one', () => {
    const named = [...JSON.stringify(document).matchAll(/"x-errors":(\{[^}]*\})/g)].flatMap(
      ([, text = '{}']) => Object.values(JSON.parse(text)),
    );
    expect(named.length).toBeGreaterThan(10);
    const known = { ...entryErrors, ...rejections };
    expect(named.filter((code) => !Object.hasOwn(known, String(code)))).toEqual([]);
  });

  it('tells of every operation how large its body may be, by its row', () => {
    const sizes = new Map([
      [6 * 1024 * 1024, '6 MB'],
      [4 * 1024 * 1024, '4 MB'],
      [2 * 1024 * 1024, '2 MB'],
      [512 * 1024, '512 KB'],
    ]);
    for (const { path, method, bodyLimit, request } of operations) {
      const told = document.paths[path]?.[method.toLowerCase()]?.responses['413']?.description ?? '';
      if (request.body) expect(told).toContain(`larger than ${sizes.get(bodyLimit)}.`);
    }
    expect(pages().get('errors.md')).toContain('6 MB on `/users/track`');
  });

  it('documents every status that an operation can answer with', () => {
    for (const operation of operations) {
      const documented = Object.keys(
        document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses ?? {},
      );
      const possible = [
        operation.success,
        ...rejectionsOf(operation).map((code) => rejections[code].status),
      ].map(String);
      expect(documented).toEqual(expect.arrayContaining(possible));
    }
  });
});

/** Schemas without a description: anything with a type, and every parameter. */
function undescribed(node: unknown, place: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, description } = node as { type?: unknown; description?: unknown };
  const isSchema = typeof type === 'string' || (Array.isArray(type) && !place.endsWith('/required'));
  const isEnvelope = place.endsWith('application/json/schema') || place.endsWith('/value');
  const own = isSchema && !isEnvelope && typeof description !== 'string' ? [place] : [];
  // Parts of a rule about members that are described where they stand.
  const apart = new Set(['examples', 'x-refused-examples', 'x-errors', 'anyOf']);
  const inner = Object.entries(node).filter(([name]) => !apart.has(name));
  return [...own, ...inner.flatMap(([name, value]) => undescribed(value, `${place}/${name}`))];
}

describe('the table of operations', () => {
  it('has no two rows with one id, nor with one method and path', () => {
    const ids = operations.map(({ id }) => id);
    const places = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(places).size).toBe(places.length);
  });

  it('uses one name for an operation and its permission', () => {
    for (const { id, permission } of operations)
      if (permissions.some((known) => known === id)) expect(permission).toBe(id);
    expect(
      Object.values(document.paths)
        .flatMap((methods) => Object.values(methods))
        .map(({ operationId }) => operationId),
    ).toEqual(operations.map(({ id }) => id));
  });

  it('has a schema for its success', () => {
    expect(operations.filter(({ success, responses }) => !responses[success])).toEqual([]);
  });

  it('gives each pool one limit', () => {
    const pools = new Map(operations.map(({ limit }) => [limit.pool, limit]));
    expect(
      operations.filter(({ limit }) => JSON.stringify(pools.get(limit.pool)) !== JSON.stringify(limit)),
    ).toEqual([]);
  });

  it('declares the parameters of its path', () => {
    for (const { path, request } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(request.params?.properties ?? {})).toEqual(inPath);
    }
  });
});

describe('the generated pages', () => {
  it('name every operation, every fatal code in use and every entry error in use', () => {
    const [api = '', errors = ''] = ['api.md', 'errors.md'].map((name) => pages().get(name));
    for (const operation of operations) {
      expect(api).toContain(`<a id="${operation.id}"></a>`);
      for (const code of rejectionsOf(operation))
        expect(errors).toContain(`| \`${code}\` | ${rejections[code].status} |`);
      for (const code of (operation.entries ?? []).flatMap((kind) => kind.errors))
        expect(errors).toContain(`| \`${code}\` |`);
    }
  });

  it.each(['`schedule.time`', '`messages.email.subject`', '`messages.ios_push.alert`'])(
    'name the member %s of an object inside of a body, with its meaning',
    (member) => {
      const [line = ''] = (pages().get('api.md') ?? '')
        .split('\n')
        .filter((one) => one.startsWith(`| ${member}`));
      expect(line.split('|').at(-2)?.trim()).not.toBe('');
      expect(line).not.toBe('');
    },
  );

  it('link only to anchors that they have', () => {
    const api = pages().get('api.md') ?? '';
    const anchors = new Set([...api.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id));
    expect([...api.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id).filter((id) => !anchors.has(id))).toEqual(
      [],
    );
  });

  it('are written, found to be as they should be, and missed when they drift', async () => {
    const root = await mkdtemp(join(tmpdir(), 'roster-docs-'));
    const folder = join(root, 'docs');
    await writeFile(join(root, 'README.md'), '# Us\n<!-- endpoints -->\n<!-- /endpoints -->\nthe end\n');
    expect(await findDrift(folder)).toHaveLength(4);
    await writePages(folder);
    expect(await findDrift(folder)).toEqual([]);
    await writeFile(join(folder, 'api.md'), `${await readFile(join(folder, 'api.md'), 'utf8')}more`);
    expect(await findDrift(folder)).toEqual(['docs/api.md is not up to date: run `npm run docs`']);
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    expect(readme).toContain('`POST /users/track`');
    expect(readme.endsWith('<!-- /endpoints -->\nthe end\n')).toBe(true);
    await rm(root, { recursive: true });
  });
});
