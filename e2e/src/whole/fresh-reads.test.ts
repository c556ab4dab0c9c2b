/** Every operation that reads, as the document promises its header `X-Roster-Fresh`: those about people have it, also when they find nobody. */
import { type Operation, operations } from '@roster/contract';
import { useWorkspace } from '../shared.ts';

const system = useWorkspace('fresh-reads');

const reads = operations.filter(({ kind, auth }) => kind === 'read' && auth !== 'scim');

const exampleOf = ({ examples, path, method, success }: Operation) => {
  const {
    params = {},
    query,
    body,
  } = examples.find(({ response }) => response.status === success)?.request ?? {};
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return { method: method.toLowerCase() as 'get' | 'post', url, query, body: body as object | undefined };
};

it.each(reads)('$id', async (operation) => {
  const { method, url, query = {}, body } = exampleOf(operation);
  const answer = await system.insist((caller) => caller[method](url).query(query).send(body));
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers['x-roster-fresh']).toBe(operation.fresh ? 'true' : undefined);
});

it('promises the header where it is sent', async () => {
  const { body: document } = await system.insist((caller) => caller.get('/openapi.json'));
  const promised = reads.filter(({ path, method, success }) => {
    const { headers } = document.paths[path][method.toLowerCase()].responses[success];
    return 'X-Roster-Fresh' in headers;
  });
  expect(promised).toEqual(reads.filter(({ fresh }) => fresh));
});
