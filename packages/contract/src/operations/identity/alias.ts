import { type Static, Type } from '@sinclair/typebox';
import { aliasPart, externalId, hasGoodIdentifier, userAlias } from '../../entries/identifiers.ts';
import { type EntryRule, example, operation } from '../../operation.ts';
import { objects } from '../../people.ts';
import { maybe, objectShape } from '../../shape.ts';
import { queuedAnswer } from '../answers.ts';
import { refusedEntry } from '../examples.ts';
import { aliasAnswer, order, resultRow } from './common.ts';
import { aliasErrors, entryKind, externalIdErrors, hasGoodIdentifiers, listOfEntries } from './entries.ts';

/** An alias with its two parts in the entry itself. */
const hasGoodAlias: EntryRule = (entry, settings) => {
  const { alias_label, alias_name, old_alias_name, new_alias_name } = entry;
  for (const name of [alias_name, old_alias_name, new_alias_name]) {
    if (name === undefined) continue;
    const found = hasGoodIdentifier(
      { user_alias: { alias_name: name, alias_label: alias_label ?? '' } },
      settings,
    );
    if (found) return found;
  }
  return undefined;
};

const newAlias = objectShape(
  'NewAlias',
  'An alias for the person who has the external id, or for a new person.',
  { external_id: maybe(externalId), ...userAlias.properties },
);

const userAliases = entryKind({
  array: 'user_aliases',
  counter: 'aliases_processed',
  schema: newAlias,
  rules: [hasGoodIdentifiers, hasGoodAlias],
  errors: [...externalIdErrors, 'ALIAS_TOO_LARGE', 'ALIAS_NAME_TAKEN'],
});

export type NewAlias = Omit<Static<typeof newAlias>, 'external_id'> & { external_id?: string };

export const usersAliasNew = operation({
  ...resultRow,
  id: 'users.alias.new',
  path: '/users/alias/new',
  summary: 'Give people aliases, or create people who have nothing else',
  description:
    `${order}With an \`external_id\` the alias is added to the person who has it; when no person has it, nothing happens (\`no_such_user\`). Without one, a person is created who has ` +
    'only this alias. A person has one alias for each label: an alias that is already there stays (`label_taken`). A name that belongs to another person is refused. Adding an alias that the person already has is accepted.',
  request: { body: Type.Object({ user_aliases: listOfEntries(userAliases, 'Aliases to add.') }) },
  entries: [userAliases],
  people: {
    lists: {
      user_aliases: objects(({ external_id, alias_label, alias_name }: NewAlias) => [
        { user_alias: { alias_label, alias_name } },
        ...(external_id === undefined ? [] : [{ external_id }]),
      ]),
    },
  },
  responses: { 201: aliasAnswer, 202: queuedAnswer },
  rejections: ['TOO_MANY_ENTRIES'],
  examples: [
    example('One for a known person, and a new person', {
      body: {
        user_aliases: [
          { external_id: 'ada', alias_name: 'a-17', alias_label: 'crm' },
          { alias_name: 'visitor-4', alias_label: 'web' },
        ],
      },
      201: { aliases_processed: 2 },
    }),
    example('A refused entry', {
      body: { user_aliases: [{ alias_name: '', alias_label: 'web' }] },
      201: {
        aliases_processed: 0,
        message: 'success',
        errors: [
          refusedEntry('user_aliases[0].alias_name must not be empty', 'FIELD_INVALID', 'user_aliases'),
        ],
      },
    }),
  ],
});

const aliasUpdate = objectShape('AliasUpdate', 'Another name for an alias.', {
  alias_label: aliasPart('Label of the alias.'),
  old_alias_name: aliasPart('The name it has.'),
  new_alias_name: aliasPart('The name it gets.'),
});

const aliasUpdates = entryKind({
  array: 'alias_updates',
  counter: 'aliases_processed',
  schema: aliasUpdate,
  rules: [hasGoodAlias],
  errors: [...aliasErrors, 'ALIAS_NAME_TAKEN'],
});

export type AliasUpdate = Static<typeof aliasUpdate>;

export const usersAliasUpdate = operation({
  ...resultRow,
  id: 'users.alias.update',
  path: '/users/alias/update',
  summary: 'Rename aliases',
  description: `${order}If no person has the alias, nothing happens (\`no_such_user\`). A new name that is already in use under this label is refused.`,
  request: { body: Type.Object({ alias_updates: listOfEntries(aliasUpdates, 'Names to change.') }) },
  entries: [aliasUpdates],
  people: {
    lists: {
      alias_updates: objects(({ alias_label, old_alias_name, new_alias_name }: AliasUpdate) =>
        [old_alias_name, new_alias_name].map((alias_name) => ({ user_alias: { alias_label, alias_name } })),
      ),
    },
  },
  responses: { 201: aliasAnswer, 202: queuedAnswer },
  rejections: ['TOO_MANY_ENTRIES'],
  examples: [
    example('Another name', {
      body: { alias_updates: [{ alias_label: 'crm', old_alias_name: 'a-17', new_alias_name: 'a-18' }] },
      201: { aliases_processed: 1 },
    }),
  ],
});
