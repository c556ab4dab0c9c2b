// Types of the operations, and the interface of the functions, from the table.
import { entryErrors, operations, publishedKeyword, rejections, rejectionsOf } from '@roster/contract';
import { table } from '../dist/parts/table.js';
import { comment, createTypes } from './schema-types.mjs';

const codeType = (name, codes) =>
  `type ${name} =\n${Object.keys(codes)
    .map((code) => `  | '${code}'`)
    .join('\n')};`;

const generic = `
/** What an operation is sent: \`Body<'users.track'>\`. */
type Body<Id extends OperationId> = Operations[Id] extends { body: infer Sent } ? Sent : never;
/** What an operation answers: \`Answer<'users.track'>\`. */
type Answer<Id extends OperationId> = Operations[Id]['answer'];
/** The errors of an operation beyond those that any may have: \`Codes<'users.track'>\`. */
type Codes<Id extends OperationId> = Operations[Id]['codes'];
type OperationId = keyof Operations;
${codeType('RejectionCode', rejections)}
${codeType('EntryErrorCode', entryErrors)}
type Query<Id extends OperationId> = Operations[Id] extends { query: infer Asked } ? Asked : never;`;

const union = (texts) => (texts.length === 0 ? 'never' : texts.join(' | '));

const answerOf = ({ responses }, typeOf) => {
  const kinds = Object.entries(responses).filter(([status]) => Number(status) < 300);
  return union(
    kinds.map(([status, schema]) => (status === '204' ? 'Record<string, never>' : typeOf(schema, '    '))),
  );
};

/** A number is written as text by the client. */
const acceptingNumbers = (query) => ({
  ...query,
  properties: Object.fromEntries(
    Object.entries(query.properties).map(([name, schema]) => [
      name,
      schema.type === 'string' && !schema.enum && !schema[publishedKeyword]?.enum
        ? { ...schema, type: ['string', 'number'] }
        : schema,
    ]),
  ),
});

const operationType = (row, typeOf) => {
  const { body, query } = row.request;
  const lines = [
    ...(body ? [`body: ${typeOf(body, '    ')};`] : []),
    ...(query ? [`query: ${typeOf(acceptingNumbers(query), '    ')};`] : []),
    `answer: ${answerOf(row, typeOf)};`,
    `codes: ${union([...new Set(row.rejections)].map((code) => `'${code}'`))};`,
  ];
  return `  '${row.id}': {\n${lines.map((line) => `    ${line}`).join('\n')}\n  };`;
};

const argumentsOf = ({ id, path, request }) => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`),
  ...(request.body ? [`body: Body<'${id}'>`] : []),
  ...(request.query ? [`query${(request.query.required ?? []).length > 0 ? '' : '?'}: Query<'${id}'>`] : []),
  'options?: CallOptions',
];

/** The member of its answer that holds the rows, where it answers in pages. */
const listOf = (id) => table.find((row) => row.id === id)?.paging?.list;

const wordsOf = (row, indent) => {
  const own = row.rejections.map((code) => `\`${code}\`: ${rejections[code].remedy}`);
  return comment(
    [
      row.summary,
      row.description,
      `\`${row.method} ${row.path}\`${row.permission === 'scim' ? '' : `, permission \`${row.permission}\``}.`,
      ...(listOf(row.id) === undefined ? [] : ['`for await` goes through the rows of all pages.']),
      ...(own.length > 0 ? [`Errors of its own:\n${own.map((line) => `- ${line}`).join('\n')}`] : []),
      `${rejectionsOf(row).length} errors in all: docs/errors.md.`,
    ].join('\n\n'),
    indent,
  );
};

/** The rows whose ids begin with these words, by their next word. */
const treeOf = (rows, words, indent) => {
  const deeper = rows.filter(({ id }) => id.split('.').length > words.length);
  const next = [...new Set(deeper.map(({ id }) => id.split('.')[words.length]))];
  return next.flatMap((word) => {
    const path = [...words, word];
    const below = rows.filter(({ id }) => id === path.join('.') || id.startsWith(`${path.join('.')}.`));
    const row = below.find(({ id }) => id === path.join('.'));
    const inner = [
      ...(row ? signaturesOf(row, `${indent}  `) : []),
      ...treeOf(
        below.filter((one) => one !== row),
        path,
        `${indent}  `,
      ),
      ...(path.join('.') === 'subscription' ? [shortOf(rows, `${indent}  `)] : []),
    ];
    return [...(row ? [comment(row.summary, indent)] : []), `${indent}${word}: {`, ...inner, `${indent}};`];
  });
};

const shortOf = (rows, indent) => {
  const row = rows.find(({ id }) => id === 'subscription.status.set');
  return [
    `${indent}/** Short for \`subscription.status.set\`. */`,
    `${indent}set: {`,
    ...signaturesOf(row, `${indent}  `),
    `${indent}};`,
  ].join('\n');
};

const signaturesOf = (row, indent) => {
  const list = listOf(row.id);
  const answer = `Answer<'${row.id}'>`;
  const rows = list === undefined ? '' : ` & AsyncIterable<${answer}['${list}'][number]>`;
  return [wordsOf(row, indent), `${indent}(${argumentsOf(row).join(', ')}): Promise<${answer}>${rows};`];
};

export const operationTypes = () => {
  const { typeOf, named } = createTypes();
  const types = operations.map((row) => operationType(row, typeOf));
  const calls = treeOf(operations, [], '  ');
  return [
    ...named(),
    `interface Operations {\n${types.join('\n')}\n}`,
    generic.trim(),
    `/** One function for each operation, under its id. */\ninterface Calls {\n${calls.join('\n')}\n}`,
  ].join('\n\n');
};
