import { Type } from '@sinclair/typebox';
import { tidyIdentifiers, userAlias } from '../../entries/identifiers.ts';
import { type BodyRule, type EntryKind, example, operation } from '../../operation.ts';
import { objects, oneEach } from '../../people.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { count, label, objectShape, optional, publishedKeyword } from '../../shape.ts';
import type { Json, UserAlias } from '../../types.ts';
import { refusedEntries, resultOrQueued } from '../answers.ts';
import { refusedAs } from '../examples.ts';
import { order, resultRow } from './common.ts';
import {
  aliasErrors,
  email,
  emailErrors,
  entryKind,
  hasAnyIdentifiers,
  listedExternalIds,
  listOfEntries,
  phone,
  phoneErrors,
  prefersClearly,
  prioritization,
} from './entries.ts';

const counter = 'deleted';

const externalIds = listedExternalIds(counter);
const serviceIds = entryKind({
  array: 'service_ids',
  counter,
  schema: label('Id that Roster gave the person.'),
  lift: (id) => ({ service_id: String(id) }),
  rules: [hasAnyIdentifiers],
  errors: ['TEXT_NOT_WELL_FORMED'],
});
const userAliases = entryKind({
  array: 'user_aliases',
  counter,
  schema: userAlias,
  tidy: ({ alias_name, alias_label }) => ({ alias_name, alias_label }),
  rules: [(entry, settings) => hasAnyIdentifiers({ user_alias: entry as Json }, settings)],
  errors: aliasErrors,
});

const emailEntry = objectShape('EmailToDelete', 'A person by email.', { email, prioritization });
const phoneEntry = objectShape('PhoneToDelete', 'A person by phone number.', { phone, prioritization });
const byContact = {
  counter,
  rules: [hasAnyIdentifiers, prefersClearly],
  tidy: tidyIdentifiers,
};
const emails = entryKind({ ...byContact, array: 'email_addresses', schema: emailEntry, errors: emailErrors });
const phones = entryKind({ ...byContact, array: 'phone_numbers', schema: phoneEntry, errors: phoneErrors });

const kinds = [externalIds, userAliases, serviceIds, emails, phones];
const arrays = kinds.map(({ array }) => array);

/** Empty lists are sent by those who send them all. */
const isUsed = (list: Json | undefined): boolean => !Array.isArray(list) || list.length > 0;

const namesOneKind: BodyRule = (body) => {
  const given = arrays.filter((name) => body[name] !== undefined);
  if (given.length === 0) return new Rejection('NOTHING_TO_DELETE');
  return given.filter((name) => isUsed(body[name])).length > 1
    ? new Rejection('DELETE_KINDS_CONFLICT')
    : undefined;
};

/** One of the lists, and nothing in the others. */
const onlyThis = (name: string) => ({
  required: [name],
  properties: Object.fromEntries(
    arrays.map((other) => [other, other === name ? { type: 'array' } : { maxItems: 0 }]),
  ),
});

const listed = (kind: EntryKind, description: string) =>
  listOfEntries(kind, description, { tooMany: 'TOO_MANY_IDS_TO_DELETE' });

export const usersDelete = operation({
  ...resultRow,
  id: 'users.delete',
  recorded: 'people.deleted',
  notice: 'deleted',
  path: '/users/delete',
  summary: 'Delete people',
  description:
    `${order}It can't be undone. Profile, aliases, events, purchases and consent are gone for every reader at once and erased shortly after; what was accepted before and arrives late is dropped. ` +
    'As soon as it is answered, with 201 or 202, the identifiers of these people are free: requests that are sent later are about a new person. ' +
    'A request uses one of the five lists, with at most 50 ids. When more than one person is left for an email or phone, no person is deleted (`more_than_one_match`). A person who got the email or phone after the request was accepted is not deleted. The `service_id` of a profile that was merged into another one deletes no person (`merged`).',
  request: {
    body: Type.Object(
      optional({
        external_ids: listed(externalIds, 'People by external id, present or former.'),
        user_aliases: listed(userAliases, 'People by alias.'),
        service_ids: listed(serviceIds, 'People by the id that Roster gave them.'),
        email_addresses: listed(emails, 'People by email.'),
        phone_numbers: listed(phones, 'People by phone number.'),
      }),
      { [publishedKeyword]: { anyOf: arrays.map(onlyThis) } },
    ),
  },
  entries: kinds,
  people: {
    lists: {
      external_ids: oneEach,
      user_aliases: objects((user_alias: UserAlias) => [{ user_alias }]),
      service_ids: oneEach,
      email_addresses: oneEach,
      phone_numbers: oneEach,
    },
  },
  before: [namesOneKind],
  responses: resultOrQueued('DeleteAnswer', 'No reader can see these people any more.', {
    deleted: count(
      'Number of accepted ids, whether or not a person had them. `GET /requests/{id}` has the outcome of each.',
    ),
    errors: refusedEntries,
  }),
  rejections: ['TOO_MANY_IDS_TO_DELETE', 'DELETE_KINDS_CONFLICT', 'NOTHING_TO_DELETE'],
  examples: [
    example('By external id', {
      body: { external_ids: ['ada', 'bob'] },
      201: { deleted: 2 },
    }),
    example('Two kinds at once', {
      body: { external_ids: ['ada'], service_ids: ['0123456789abcdef01234567'] },
      ...refusedAs('DELETE_KINDS_CONFLICT'),
    }),
  ],
});
