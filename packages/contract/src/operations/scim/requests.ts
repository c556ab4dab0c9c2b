/** What is asked besides whole users: parameters, headers, searches and patches. */
import { Type } from '@sinclair/typebox';
import { label, listOf, maybe, plain, publishedKeyword, text, textOrNull } from '../../shape.ts';
import { scimSchemas } from './identifiers.ts';
import { anything, open, schemasMember } from './members.ts';

export const idParameter = {
  params: Type.Object({ id: label('Id of the resource.') }),
};

const attributeNames = 'Names of attributes, separated by commas, such as `userName,name.givenName`.';
export const picking = {
  attributes: maybe(text(`The only attributes to send. ${attributeNames}`, { maxLength: 2000 })),
  excludedAttributes: maybe(text(`Attributes not to send. ${attributeNames}`, { maxLength: 2000 })),
};
const whole = '^[+-]?[0-9]{1,10}$';

/** In any letter case. */
const sortOrders = { pattern: '^([Aa][Ss]|[Dd][Ee][Ss])[Cc][Ee][Nn][Dd][Ii][Nn][Gg]$' };

export const listQuery = Type.Object({
  filter: maybe(text('For example `userName eq "ada@example.com"`: RFC 7644 3.4.2.2.', { maxLength: 4096 })),
  startIndex: maybe(text('Position of the first one, from 1.', { pattern: whole })),
  count: maybe(text('The most users in one answer. Default: 100; at most 200.', { pattern: whole })),
  sortBy: maybe(text('An attribute.', { maxLength: 255 })),
  sortOrder: maybe(text('`ascending` or `descending`.', { maxLength: 20, [publishedKeyword]: sortOrders })),
  ...picking,
});

const someNames = (description: string) =>
  listOf(text('Name of an attribute.', { maxLength: 255 }), description, { maxItems: 100 });

export const searchBody = Type.Object(
  {
    schemas: maybe(schemasMember(`\`${scimSchemas.search}\`.`)),
    filter: maybe(textOrNull('As in the list.', { maxLength: 4096 })),
    startIndex: maybe(plain<number | null>({ type: ['integer', 'null'], description: 'From 1.' })),
    count: maybe(plain<number | null>({ type: ['integer', 'null'], description: 'At most so many.' })),
    sortBy: maybe(textOrNull('An attribute.', { maxLength: 255 })),
    sortOrder: maybe(
      textOrNull('`ascending` or `descending`.', { maxLength: 20, [publishedKeyword]: sortOrders }),
    ),
    attributes: maybe(someNames('The only attributes to send.')),
    excludedAttributes: maybe(someNames('Attributes not to send.')),
  },
  open,
);

export const patchBody = Type.Object(
  {
    schemas: maybe(schemasMember(`\`${scimSchemas.patch}\`. Required.`)),
    Operations: maybe(
      listOf(
        Type.Object(
          {
            op: maybe(text('`add`, `replace` or `remove`, in any letter case.', { maxLength: 20 })),
            path: maybe(textOrNull('Where, such as `emails[type eq "work"].value`.', { maxLength: 1000 })),
            value: maybe(anything('What; without a path, an object of attributes.')),
          },
          { ...open, description: 'One change.' },
        ),
        'The changes, all or none, 200 at most. Required.',
      ),
    ),
  },
  open,
);

export const ifMatch = Type.Object({
  'if-match': maybe(text('Only if this is still the version (`meta.version`).', { minLength: 1 })),
});
export const ifNoneMatch = Type.Object({
  'if-none-match': maybe(text('304 instead of a user that still has this version.', { minLength: 1 })),
});
