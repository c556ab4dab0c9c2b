import { type Static, Type } from '@sinclair/typebox';
import { externalIdText, tidyIdentifiers, userAlias } from '../../entries/identifiers.ts';
import { type BodyRule, example, type JsonObject, type JudgeSettings, operation } from '../../operation.ts';
import { awaitedOutcome } from '../../outcome-report.ts';
import { objects } from '../../people.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { listOf, objectShape, optional, publishedKeyword } from '../../shape.ts';
import { isJsonObject, type Json } from '../../types.ts';
import { successAnswer } from '../answers.ts';
import { identityRow } from './common.ts';
import { email, hasGoodIdentifiers, MOST_ENTRIES, phone, prefersClearly, prioritization } from './entries.ts';

const sides = ['identifier_to_merge', 'identifier_to_keep'] as const;

const absent = { type: 'null' };

const textOf = (name: string) => ({ [name]: { type: 'string' } });

const byContact = (name: string) => ({
  required: [name, 'prioritization'],
  properties: { ...textOf(name), prioritization: { type: 'array' }, external_id: absent, user_alias: absent },
});

const namedBy = [
  { required: ['external_id'], properties: { ...textOf('external_id'), user_alias: absent } },
  { required: ['user_alias'], properties: { user_alias: { type: 'object' }, external_id: absent } },
  byContact('email'),
  byContact('phone'),
];

const identifier = objectShape(
  'MergeIdentifier',
  'One of `external_id`, `user_alias`, `email` and `phone`; with the last two `prioritization` is required.',
  optional({ external_id: externalIdText, user_alias: userAlias, email, phone, prioritization }),
  { [publishedKeyword]: { anyOf: namedBy } },
);

const mergeUpdate = objectShape(
  'MergeUpdate',
  'One person to merge into another one.',
  { identifier_to_merge: identifier, identifier_to_keep: identifier },
  { [publishedKeyword]: { additionalProperties: false } },
);

export type MergeIdentifier = Static<typeof identifier>;
export type MergeUpdate = Static<typeof mergeUpdate>;

const isIdentifier = (value: Json | undefined): boolean => {
  if (!isJsonObject(value)) return false;
  const { external_id, user_alias, email, phone } = value;
  if (external_id != null) return typeof external_id === 'string' && user_alias == null;
  if (user_alias != null) return isJsonObject(user_alias);
  return typeof (email ?? phone) === 'string';
};

const updatesIn = ({ merge_updates: updates }: JsonObject): JsonObject[] | undefined =>
  Array.isArray(updates) && updates.every((update) => isJsonObject(update))
    ? (updates as JsonObject[])
    : undefined;

const hasOnlySides = (update: JsonObject): boolean =>
  Object.keys(update).length === sides.length && sides.every((side) => Object.hasOwn(update, side));

/** The four sentences of the interface, in the order in which one would find out. */
const isMerge: BodyRule = (body) => {
  const updates = updatesIn(body);
  if (!updates) return new Rejection('MERGE_UPDATES_NOT_AN_ARRAY');
  if (updates.length > MOST_ENTRIES) return new Rejection('TOO_MANY_MERGE_UPDATES');
  if (!updates.every(hasOnlySides)) return new Rejection('MERGE_UPDATE_NOT_A_PAIR');
  const isPair = updates.every((update) => sides.every((side) => isIdentifier(update[side])));
  return isPair ? undefined : new Rejection('MERGE_IDENTIFIERS_INVALID');
};

const invalid = (place: string, demand: string): Rejection =>
  new Rejection('BODY_INVALID', { message: `${place} ${demand}` });

/** An identifier that other operations would refuse leads to no person here; only text that is not well formed is refused. */
const identifierFault = (
  given: JsonObject,
  place: string,
  settings: JudgeSettings,
): Rejection | undefined => {
  const byContact = given.external_id == null && given.user_alias == null;
  if (byContact && !Array.isArray(given.prioritization))
    return invalid(place, "must have a 'prioritization' array");
  if (prefersClearly(given, settings))
    return invalid(`${place}.prioritization`, "must not hold both 'identified' and 'unidentified'");
  const found = hasGoodIdentifiers(given, { ...settings, blockedExternalIds: new Set() });
  return found?.code === 'TEXT_NOT_WELL_FORMED'
    ? invalid(place, 'must be well-formed text without NUL characters')
    : undefined;
};

const hasGoodSides: BodyRule = (body, settings) => {
  for (const [index, update] of (updatesIn(body) ?? []).entries()) {
    for (const side of sides) {
      const given = update[side];
      const found =
        isJsonObject(given) && identifierFault(given, `merge_updates[${index}].${side}`, settings);
      if (found) return found;
    }
  }
  return undefined;
};

const tidied = (value: Json | undefined): Json | undefined =>
  isJsonObject(value) ? (tidyIdentifiers(value) as Json) : value;

const tidyMerge = (body: JsonObject): JsonObject => ({
  ...body,
  merge_updates: (updatesIn(body) ?? []).map(
    (update) => Object.fromEntries(sides.map((side) => [side, tidied(update[side])])) as Json,
  ),
});

const mergeAnswer = successAnswer(
  'MergeAnswer',
  'Accepted: the request is on disk and will take effect exactly once.',
  awaitedOutcome,
);

export const usersMerge = operation({
  ...identityRow,
  id: 'users.merge',
  path: '/users/merge',
  summary: 'Merge people into others',
  description:
    'Answered as soon as it is on disk; takes effect after every `/users/track` request that was accepted before it. A request that is sent after the answer may be applied before the merge, unless `Prefer: wait` was ' +
    'sent. Fields that the kept person lacks are taken over; counts and revenue are added up; the earliest of the first dates and the latest of the last dates stays; events and purchases belong to the kept person from then on. ' +
    'Aliases move, except those under a label that the kept person already uses. A kept person without an external id takes over that of the other person; every other external id of the merged-away person leads to no person. A merge never gives consent: the kept person keeps their email and phone and the states of these; an email or phone that they lack is taken over with its states. What is not taken over (an alias, a field) is in the notes of the outcome. Nothing happens when either is not found (`no_such_user`), when more than one person is left (`more_than_one_match`), when both are the ' +
    'same (`same_user`), or when the two are too large for one profile (`profile_full`). The pairs of one request are merged in no particular order.',
  answer: 'receipt',
  success: 202,
  request: {
    body: Type.Object({
      merge_updates: listOf(mergeUpdate, 'The pairs of people to merge; at most 50.', {
        [publishedKeyword]: { maxItems: MOST_ENTRIES },
      }),
    }),
  },
  before: [isMerge],
  rules: [hasGoodSides],
  size: (body) => updatesIn(body)?.length ?? 1,
  tidy: tidyMerge,
  people: {
    lists: {
      merge_updates: objects(({ identifier_to_merge, identifier_to_keep }: MergeUpdate) => [
        identifier_to_merge,
        identifier_to_keep,
      ]),
    },
  },
  responses: { 202: mergeAnswer },
  rejections: [
    'MERGE_UPDATES_NOT_AN_ARRAY',
    'TOO_MANY_MERGE_UPDATES',
    'MERGE_UPDATE_NOT_A_PAIR',
    'MERGE_IDENTIFIERS_INVALID',
  ],
  examples: [
    example('By external id, and by email', {
      body: {
        merge_updates: [
          { identifier_to_merge: { external_id: 'ada-old' }, identifier_to_keep: { external_id: 'ada' } },
          {
            identifier_to_merge: {
              email: 'bob@example.com',
              prioritization: ['unidentified', 'most_recently_updated'],
            },
            identifier_to_keep: { external_id: 'bob' },
          },
        ],
      },
      202: {},
    }),
    example('More than a pair', {
      body: {
        merge_updates: [
          {
            identifier_to_merge: { external_id: 'ada-old' },
            identifier_to_keep: { external_id: 'ada' },
            prioritization: ['identified'],
          },
        ],
      },
      400: {
        code: 'MERGE_UPDATE_NOT_A_PAIR',
        message: "'merge_updates' must only have 'identifier_to_merge' and 'identifier_to_keep'",
      },
    }),
  ],
});
