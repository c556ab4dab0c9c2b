/** The call of `@roster/client` for an operation: the one example that readers of the document can't make by themselves. */
import type { Example, OperationOf } from '@roster/contract';

const isName = /^(\s*)"([a-z_$][\w$]*)":/gim;

/** JSON as it is written in a program: names without quotation marks. A text of JSON has no line breaks. */
const literal = (value: unknown): string => JSON.stringify(value, null, 2).replace(isName, '$1$2:');

const credentials = {
  key: "key: process.env.ROSTER_API_KEY ?? ''",
  scim: "scim: { token: process.env.SCIM_TOKEN ?? '', origin: process.env.SCIM_ORIGIN ?? '' }",
};

/** Parameters of the path in their order, then the body, then the query. */
const argumentsOf = ({ path, request }: OperationOf<string>, example: Example): unknown[] => {
  const { params = {}, body, query } = example.request;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...names.map((name) => params[name] ?? ''),
    ...(request.body ? [body ?? {}] : []),
    ...(query ? [query] : []),
  ];
};

const isTaken = ({ response }: Example): boolean => response.status < 300;

/** Of the first example that is accepted; where there is none, of the first one: its arguments are of the right kinds. */
export const clientSample = (operation: OperationOf<string>): string => {
  const { id, examples, auth = 'key' } = operation;
  const example = examples.find(isTaken) ?? examples[0];
  const args = example ? argumentsOf(operation, example) : [];
  return `import { Roster } from '@roster/client';

const roster = new Roster({
  url: process.env.ROSTER_URL ?? '',
  ${credentials[auth]},
});

const answer = await roster.${id}(${args.map(literal).join(', ')});
console.log(answer);
`;
};
