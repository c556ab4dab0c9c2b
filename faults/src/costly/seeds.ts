// Where the search starts: what the schema of an operation allows, its examples, and shapes that are hard on any JSON reader.
import type { Operation } from '@roster/contract';
import type { Genome, Step } from './genome.ts';
import { hardBodies } from './hard-bodies.ts';
import { attributes, setThenChange } from './palette.ts';
import { adapted, objectOf, schemaOf, sprout } from './sprout.ts';
import { bigPeople, bigUsers, sharers } from './steps.ts';
import { objectWith, type Term, termOf, text } from './term.ts';

/** As large as a workspace usually lets them be, and far beyond that. */
const sizes = [2, 7] as const;

const stepFor = ({ queue, id }: Operation, size: number): Step => {
  if (queue === 'scim') return bigUsers(size, 200);
  return bigPeople(id === 'requests.read' ? 1 : size);
};

const planted = ({ id, request }: Operation, isFull: boolean): Genome => {
  const query = request.query && objectOf(schemaOf(request.query), isFull).object;
  return {
    operation: id,
    title: isFull ? 'everything the schema names' : 'what the schema asks for',
    ...(query && { query }),
    ...(request.body && { body: objectOf(schemaOf(request.body), isFull) }),
  };
};

const exampleOf = ({ id, examples }: Operation): Genome[] =>
  examples.slice(0, 2).map(({ title, request: { query, body } }) => ({
    operation: id,
    title: `example: ${title}`,
    ...(query && {
      query: Object.fromEntries(
        Object.entries(query).map(([name, value]) => [name, adapted(termOf(value), name)]),
      ),
    }),
    ...(body !== undefined && { body: adapted(termOf(body), '') }),
  }));

/** In each list of the body one good entry beside as many empty ones as are allowed. */
const emptyEntries = (operation: Operation): Genome[] =>
  (operation.entries ?? []).map(({ array, schema }) => ({
    operation: operation.id,
    title: `empty entries in ${array}`,
    body: objectWith({
      [array]: { row: [sprout(schemaOf(schema), array, false), ...Array<Term>(49).fill(termOf({}))] },
    }),
    headers: { 'idempotency-key': 'key-{n}-{t}' },
  }));

const withAttributes = (operation: Operation): Genome[] => {
  if (!operation.entries?.some(({ array }) => array === 'attributes')) return [];
  const many = { name: 'k{i}', value: attributes[4] ?? termOf([]), count: 100 };
  const entry: Term = { object: { external_id: text('p{n}-{i}') }, more: [many] };
  const entries: [string, Term][] = [
    ['many custom attributes', { list: entry, count: 10 }],
    ['objects are set, then removed', { row: setThenChange('$remove', 2_000) }],
    ['objects are set, then changed', { row: setThenChange('$update', 1_000) }],
  ];
  return entries.map(([title, list]) => ({
    operation: operation.id,
    title,
    body: { object: { attributes: list } },
  }));
};

/** A thousand operations, each of which adds so many emails. */
export const addingEmails = (count: number): Term => {
  const emails: Term = { list: termOf({ value: '{n}-{o}-{i}@example.com', type: 'work' }), count };
  return objectWith({
    schemas: termOf(['urn:ietf:params:scim:api:messages:2.0:PatchOp']),
    Operations: { list: objectWith({ op: 'add', path: 'emails', value: emails }), count: 1_000 },
  });
};

/** Bodies of SCIM are open: the lists in them are not in the schema. */
const withOperations = ({ id }: Operation): Genome[] =>
  id === 'scim.users.change'
    ? [{ operation: id, title: 'many operations', before: [bigUsers(1, 20)], body: addingEmails(10) }]
    : [];

/** Fifteen entries instead of the few of an example. */
const multiplied = (term: Term): Term => {
  if ('row' in term) return { list: term.row[0] ?? termOf({}), count: 15 };
  if (!('object' in term)) return term;
  const members = Object.entries(term.object).map(([name, value]) => [name, multiplied(value)]);
  return { ...term, object: Object.fromEntries(members) };
};

/** About more than an example is, and about what these steps make. */
const enlarged = (genome: Genome, about: string, ...before: Step[]): Genome => ({
  ...genome,
  ...(genome.body && { body: multiplied(genome.body) }),
  title: `${genome.title}, about ${about}`,
  before,
});

/** The email of the first person of a request is that of three thousand. */
const withSharers = (genomes: readonly Genome[], { queue }: Operation): Genome[] =>
  genomes
    .filter(({ body, query }) => queue !== 'scim' && /email/.test(JSON.stringify([body, query])))
    .slice(0, 1)
    .map((genome) => enlarged(genome, 'an email of many', sharers(3)));

const withSteps = (genomes: readonly Genome[], operation: Operation): Genome[] =>
  genomes.flatMap((genome) =>
    sizes.map((size) => enlarged(genome, `big ones (${size})`, stepFor(operation, size))),
  );

export const seedsOf = (operation: Operation): Genome[] => {
  const { path, request } = operation;
  const plain = [planted(operation, false), ...exampleOf(operation), planted(operation, true)];
  const id = path.startsWith('/requests') ? '{request}' : '{id}';
  return [
    ...plain,
    ...emptyEntries(operation),
    ...withAttributes(operation),
    ...withOperations(operation),
    ...withSteps(plain.slice(1, 2), operation),
    ...withSharers(plain, operation),
    ...(request.body ? hardBodies(operation) : []),
  ].map((genome) => ({ ...genome, ...(path.includes('{id}') && { params: { id } }) }));
};
