// Writes examples/postman_collection.json from docs/openapi.json (`npm run docs`), or with --check tells whether it is up to date. Bruno imports it too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

const file = join(root, 'examples/postman_collection.json');
const { info, paths } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));

const json = { key: 'Content-Type', value: 'application/json' };
const scimOrigin = { key: 'X-Request-Origin', value: '{{scimOrigin}}' };
const bearer = (token) => ({ type: 'bearer', bearer: [{ key: 'token', value: token, type: 'string' }] });

const isScim = ({ security = [] }) => security.some((one) => 'scimToken' in one);

/** `{id}` in OpenAPI is `:id` in a collection. */
const urlOf = (path, parameters = []) => {
  const of = (place) =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name, description }) => ({ key: name, value: '', description }));
  const plain = path.replace(/\{(\w+)\}/g, ':$1');
  return {
    raw: `{{url}}${plain}`,
    host: ['{{url}}'],
    path: plain.slice(1).split('/'),
    query: of('query').map((one) => ({ ...one, disabled: true })),
    variable: of('path'),
  };
};

const firstExample = ({ requestBody }) =>
  Object.values(Object.values(requestBody?.content ?? {})[0]?.examples ?? {})[0]?.value;

const itemOf = (method, path, operation) => {
  const body = firstExample(operation);
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      ...(isScim(operation) && { auth: bearer('{{scimToken}}') }),
      header: [...(body === undefined ? [] : [json]), ...(isScim(operation) ? [scimOrigin] : [])],
      url: urlOf(path, operation.parameters),
      ...(body !== undefined && { body: { mode: 'raw', raw: JSON.stringify(body, null, 2) } }),
    },
  };
};

const folders = new Map();
for (const [path, methods] of Object.entries(paths))
  for (const [method, operation] of Object.entries(methods)) {
    const [tag] = operation.tags ?? [];
    if (tag) folders.set(tag, [...(folders.get(tag) ?? []), itemOf(method, path, operation)]);
  }

const collection = {
  info: {
    name: info.title,
    description: 'Generated from docs/openapi.json by `npm run docs`. Do not edit.',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: bearer('{{key}}'),
  variable: [
    { key: 'url', value: 'http://127.0.0.1:8080' },
    { key: 'key', value: '' },
    { key: 'scimToken', value: '' },
    { key: 'scimOrigin', value: 'https://idp.example.com' },
  ],
  item: [...folders].map(([name, item]) => ({ name, item })),
};

const text = `${JSON.stringify(collection, null, 1)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error(
    'examples/postman_collection.json is not what docs/openapi.json makes of it: run `npm run docs`.',
  );
  process.exitCode = 1;
}
