import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { externalId, userAlias } from '../../entries/identifiers.ts';
import { type BodyRule, example, operation } from '../../operation.ts';
import type { OutcomeList } from '../../outcome-lists.ts';
import { objects, texts } from '../../people.ts';
import type { EntryErrorCode } from '../../rejections/entry-errors.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { listOf, objectShape, optional, plain, publishedKeyword, text } from '../../shape.ts';
import { queuedAnswer } from '../answers.ts';
import { refusedEntry } from '../examples.ts';
import { aliasAnswer, order, resultRow } from './common.ts';
import {
  email,
  emailErrors,
  entryKind,
  externalIdErrors,
  hasGoodIdentifiers,
  listOfEntries,
  MOST_ENTRIES,
  phone,
  phoneErrors,
  prefersClearly,
  prioritization,
} from './entries.ts';

const entryOf = <Members extends TProperties>(name: string, by: string, members: Members) =>
  objectShape(name, `A person by ${by}, and who that is.`, { external_id: externalId, ...members });

const aliasEntry = entryOf('AliasToIdentify', 'an alias', { user_alias: userAlias });
const emailEntry = entryOf('EmailToIdentify', 'email', { email, prioritization });
const phoneEntry = entryOf('PhoneToIdentify', 'phone number', { phone, prioritization });

const kindOf = (array: OutcomeList, schema: TSchema, errors: readonly EntryErrorCode[]) =>
  entryKind({
    array,
    counter: 'aliases_processed',
    schema,
    rules: [hasGoodIdentifiers, prefersClearly],
    errors: [...externalIdErrors, ...errors],
  });

const aliases = kindOf('aliases_to_identify', aliasEntry, ['ALIAS_TOO_LARGE']);
const emails = kindOf('emails_to_identify', emailEntry, emailErrors);
const phones = kindOf('phone_numbers_to_identify', phoneEntry, phoneErrors);

type Identified<Entry> = Omit<Entry, 'external_id'> & { external_id: string };
type AliasToIdentify = Identified<Static<typeof aliasEntry>>;
type EmailToIdentify = Identified<Static<typeof emailEntry>>;
type PhoneToIdentify = Identified<Static<typeof phoneEntry>>;

const kinds = [aliases, emails, phones];
const arrays = kinds.map(({ array }) => array);

const asksForSomething: BodyRule = (body) =>
  arrays.some((name) => body[name] !== undefined) ? undefined : new Rejection('NOTHING_TO_IDENTIFY');

export const usersIdentify = operation({
  ...resultRow,
  id: 'users.identify',
  path: '/users/identify',
  summary: 'Say who an unidentified person is',
  description:
    `${order}The person found by alias, email or phone gets the \`external_id\` if no person has it. Otherwise that person is merged into the person with the \`external_id\`: with \`merge\` ` +
    'as in `/users/merge`; with `none`, only aliases, push tokens, message history, and an email or phone that is missing, with its consent, are kept. Everything else is lost; the notes of the outcome name it (`not_merged`). Nothing happens when no person or more than one person is found (`no_such_user`, ' +
    '`more_than_one_match`), when the person found has an external id already (`already_identified`, `same_user`), or when the alias has another name under its label there (`label_taken`). ' +
    'At least one of the three lists is required.',
  request: {
    body: Type.Object(
      optional({
        aliases_to_identify: listOfEntries(aliases, 'People by an alias.'),
        emails_to_identify: listOfEntries(emails, 'People by their email.'),
        phone_numbers_to_identify: listOfEntries(phones, 'People by their phone number.'),
        email_addresses: listOf(
          text('An email.', { maxLength: 1000 }),
          'Changes nothing, because it does not say who these people are: use `emails_to_identify`. Each is named in the notes of the outcome (`not_used`).',
          { maxItems: MOST_ENTRIES },
        ),
        merge_behavior: plain<'none' | 'merge' | null>({
          type: ['string', 'null'],
          enum: ['none', 'merge', null],
          description: 'Default: `none`.',
        }),
      }),
      {
        [publishedKeyword]: {
          anyOf: arrays.map((name) => ({ required: [name], properties: { [name]: { type: 'array' } } })),
        },
      },
    ),
  },
  entries: kinds,
  people: {
    lists: {
      aliases_to_identify: objects(({ external_id, user_alias }: AliasToIdentify) => [
        { external_id },
        { user_alias },
      ]),
      emails_to_identify: objects(({ external_id, email }: EmailToIdentify) => [{ external_id }, { email }]),
      phone_numbers_to_identify: objects(({ external_id, phone }: PhoneToIdentify) => [
        { external_id },
        { phone },
      ]),
      email_addresses: texts('email'),
    },
  },
  rules: [asksForSomething],
  responses: { 201: aliasAnswer, 202: queuedAnswer },
  rejections: ['TOO_MANY_ENTRIES', 'NOTHING_TO_IDENTIFY'],
  examples: [
    example('By alias and by email', {
      body: {
        aliases_to_identify: [
          { external_id: 'ada', user_alias: { alias_name: 'visitor-4', alias_label: 'web' } },
        ],
        emails_to_identify: [
          {
            external_id: 'bob',
            email: 'bob@example.com',
            prioritization: ['unidentified', 'most_recently_updated'],
          },
        ],
        merge_behavior: 'merge',
      },
      201: { aliases_processed: 2 },
    }),
    example('Without an external id', {
      body: { aliases_to_identify: [{ user_alias: { alias_name: 'visitor-4', alias_label: 'web' } }] },
      201: {
        aliases_processed: 0,
        message: 'success',
        errors: [refusedEntry("'external_id' is required", 'FIELD_REQUIRED', 'aliases_to_identify')],
      },
    }),
  ],
});
