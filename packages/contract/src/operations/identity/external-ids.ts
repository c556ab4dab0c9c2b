import { type Static, Type } from '@sinclair/typebox';
import { digitsOf, externalId } from '../../entries/identifiers.ts';
import { type BodyRule, type EntryRule, example, type JsonObject, operation } from '../../operation.ts';
import { objects, oneEach } from '../../people.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { listOf, objectOf, objectShape, plain, text } from '../../shape.ts';
import { queuedAnswer, successAnswer } from '../answers.ts';
import { order, resultRow } from './common.ts';
import {
  entryKind,
  externalIdErrors,
  hasAnyIdentifiers,
  hasGoodIdentifiers,
  listedExternalIds,
  listOfEntries,
} from './entries.ts';

const isNotEmpty =
  (name: string): BodyRule =>
  ({ [name]: list }) =>
    Array.isArray(list) && list.length === 0
      ? new Rejection('LIST_EMPTY', { message: `'${name}' must not be empty` })
      : undefined;

const reasons = (what: string) =>
  listOf(
    plain<[number, string]>({
      type: 'array',
      minItems: 2,
      maxItems: 2,
      items: {
        type: ['integer', 'string'],
        description: 'First the position in the request, from 0, then the reason, as a sentence.',
      },
      description: 'Position and reason.',
    }),
    `${what} that changed nothing, each with its reason.`,
  );

const rename = objectShape('ExternalIdRename', 'Another external id for a person.', {
  current_external_id: externalId,
  new_external_id: externalId,
});

export type Rename = Record<'current_external_id' | 'new_external_id', string>;

const asText = (value: JsonObject[string]): JsonObject[string] =>
  typeof value === 'number' || typeof value === 'bigint' ? digitsOf(value) : value;

const tidyRename = (entry: JsonObject): JsonObject => ({
  ...entry,
  current_external_id: asText(entry.current_external_id),
  new_external_id: asText(entry.new_external_id),
});

const hasGoodIds: EntryRule = ({ current_external_id, new_external_id }, settings) =>
  hasAnyIdentifiers({ external_id: current_external_id }, settings) ??
  hasGoodIdentifiers({ external_id: new_external_id }, settings);

const renames = entryKind({
  array: 'external_id_renames',
  counter: 'renamed',
  schema: rename,
  tidy: tidyRename,
  rules: [hasGoodIds],
  errors: externalIdErrors,
});

const renameAnswer = successAnswer('RenameAnswer', 'What has been renamed, and what not.', {
  external_ids: listOf(
    objectOf('One person who has a new external id.', {
      current_external_id: text('The id before.'),
      new_external_id: text('The id from now on.'),
    }),
    'What has been renamed.',
  ),
  rename_errors: reasons('Entries'),
});

export type RenameAnswer = Static<typeof renameAnswer>;

const limit = (pool: string) => ({ pool, requests: 1000, seconds: 60 });

export const usersExternalIdsRename = operation({
  ...resultRow,
  id: 'users.external_ids.rename',
  path: '/users/external_ids/rename',
  summary: 'Give people other external ids',
  description: `${order}The old id becomes deprecated: it still leads to the person everywhere, until it is removed. The current id must be the person's primary one; the new one must not be in use, neither as a primary nor as a deprecated id.`,
  limit: limit('users.external_ids.rename'),
  request: {
    body: Type.Object({ external_id_renames: listOfEntries(renames, 'Ids to change.', { atLeast: 1 }) }),
  },
  entries: [renames],
  people: {
    lists: {
      external_id_renames: objects(({ current_external_id, new_external_id }: Rename) => [
        { external_id: current_external_id },
        { external_id: new_external_id },
      ]),
    },
  },
  rules: [isNotEmpty('external_id_renames')],
  responses: { 201: renameAnswer, 202: queuedAnswer },
  rejections: ['TOO_MANY_ENTRIES', 'LIST_EMPTY'],
  examples: [
    example('One that works and one that does not', {
      body: {
        external_id_renames: [
          { current_external_id: 'ada', new_external_id: 'ada.lovelace' },
          { current_external_id: 'bob', new_external_id: 'ada.lovelace' },
        ],
      },
      201: {
        message: 'success',
        external_ids: [{ current_external_id: 'ada', new_external_id: 'ada.lovelace' }],
        rename_errors: [[1, 'new_external_id is already in use']],
      },
    }),
  ],
});

const removals = listedExternalIds('removed');

const removeAnswer = successAnswer('RemoveAnswer', 'What has been removed, and what not.', {
  removed_ids: listOf(text('An external id.'), 'Ids that lead nowhere any more.'),
  removal_errors: reasons('Ids'),
});

export type RemoveAnswer = Static<typeof removeAnswer>;

export const usersExternalIdsRemove = operation({
  ...resultRow,
  id: 'users.external_ids.remove',
  path: '/users/external_ids/remove',
  summary: 'Remove deprecated external ids',
  description: `${order}Only ids that became deprecated by a rename can be removed. After that they lead to no person and can be used again.`,
  limit: limit('users.external_ids.remove'),
  request: {
    body: Type.Object({ external_ids: listOfEntries(removals, 'Deprecated ids.', { atLeast: 1 }) }),
  },
  entries: [removals],
  people: { lists: { external_ids: oneEach } },
  rules: [isNotEmpty('external_ids')],
  responses: { 201: removeAnswer, 202: queuedAnswer },
  rejections: ['TOO_MANY_ENTRIES', 'LIST_EMPTY'],
  examples: [
    example('A deprecated id', {
      body: { external_ids: ['ada'] },
      201: {
        message: 'success',
        removed_ids: ['ada'],
        removal_errors: [],
      },
    }),
  ],
});
