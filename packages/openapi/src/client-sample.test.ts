import { type OperationOf, operationOf, operations as table } from '@roster/contract';
import { clientSample } from './client-sample.ts';
import { openapi } from './openapi.ts';

const operations: readonly OperationOf<string>[] = table;

/** What stands between the parentheses of the call. */
const argumentsIn = (sample: string): unknown[] => {
  const [, id = '', args = ''] = /await roster\.([\w.]+)\((.*)\);\nconsole/s.exec(sample) ?? [];
  return [id, ...new Function(`return [${args}]`)()];
};

it('names the parameters of the path, then the body, then the query, as the client takes them', () => {
  const [id, centerId, userId] = argumentsIn(clientSample(operationOf('preference_center.user.get')));
  const { params } = operationOf('preference_center.user.get').examples[0]?.request ?? {};
  expect([id, centerId, userId]).toEqual(['preference_center.user.get', ...Object.values(params ?? {})]);
});

it.each(operations)('$id: is a program with the example as it is', (operation) => {
  const { examples } = operation;
  const taken = examples.find(({ response }) => response.status < 300) ?? examples[0];
  const { params = {}, body, query } = taken?.request ?? {};
  const [called, ...args] = argumentsIn(clientSample(operation));
  expect(called).toBe(operation.id);
  for (const value of Object.values(params)) expect(args).toContainEqual(value);
  if (body) expect(args).toContainEqual(body);
  if (query) expect(args.at(-1)).toEqual(query);
});

it('stands in the document for every operation', () => {
  for (const operation of Object.values(openapi().paths).flatMap((path) => Object.values(path)))
    expect(operation['x-codeSamples']).toEqual([expect.objectContaining({ label: 'Node (@roster/client)' })]);
});
