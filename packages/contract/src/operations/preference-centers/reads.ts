/** GET /preference_center/v1/list, /preference_center/v1/{id} and /preference_center/v1/{id}/url/{userID}. */
import { Type } from '@sinclair/typebox';
import { externalIdLength } from '../../entries/identifiers.ts';
import { example, operation } from '../../operation.ts';
import { listOf, objectShape, plain, text } from '../../shape.ts';
import { successAnswer } from '../answers.ts';
import { refusedAs } from '../examples.ts';
import { readRow } from '../messaging-row.ts';
import { waitsForAccepted } from '../read-row.ts';
import {
  centerId,
  centerMembers,
  centersTag,
  defaultCenterId,
  exampleId,
  options,
  shownCenter,
} from './members.ts';

const row = { ...readRow, tag: centersTag } as const;

const thousandAMinute = (pool: string) => ({ pool, requests: 1_000, seconds: 60 });

const times = { created_at: '2026-01-31T12:00:00.000Z', updated_at: '2026-02-01T08:00:00.000Z' };

const listed = objectShape('PreferenceCenterListed', 'A preference center.', {
  name: centerMembers.name,
  ...shownCenter,
});

export const preferenceCenterList = operation({
  ...row,
  id: 'preference_center.list',
  path: '/preference_center/v1/list',
  limit: thousandAMinute('preference_center.list'),
  summary: 'List the preference centers',
  description: `All that the workspace made, oldest first: at most 100. The one that every workspace has (\`${defaultCenterId}\`) is not among them.`,
  request: {},
  responses: {
    200: successAnswer('PreferenceCenters', 'The preference centers.', {
      preference_centers: listOf(listed, 'The preference centers.'),
    }),
  },
  rejections: [],
  examples: [
    example('One preference center', {
      200: { preference_centers: [{ name: 'newsletter', preference_center_api_id: exampleId, ...times }] },
    }),
  ],
});

export const preferenceCenterGet = operation({
  ...row,
  id: 'preference_center.get',
  path: '/preference_center/v1/{preferenceCenterExternalID}',
  limit: thousandAMinute('preference_center.get'),
  summary: 'Read a preference center',
  description: 'As it is stored, with its templates.',
  request: { params: Type.Object({ preferenceCenterExternalID: centerId }) },
  responses: {
    200: successAnswer('PreferenceCenter', 'The preference center.', {
      name: centerMembers.name,
      ...shownCenter,
      preference_center_title: centerMembers.title,
      preference_center_page_html: centerMembers.page,
      confirmation_page_html: centerMembers.confirmation,
      redirect_page_html: plain<null>({ type: 'null', description: 'Always `null`.' }),
      preference_center_options: options,
      state: centerMembers.state,
    }),
  },
  rejections: ['PREFERENCE_CENTER_UNKNOWN'],
  examples: [
    example('A preference center', {
      params: { preferenceCenterExternalID: exampleId },
      200: {
        name: 'newsletter',
        preference_center_api_id: exampleId,
        ...times,
        preference_center_title: 'Your newsletter',
        preference_center_page_html: '<form method="post" action="{{preference_center_submit_url}}"></form>',
        confirmation_page_html: '<p>Saved. Thank you!</p>',
        redirect_page_html: null,
        preference_center_options: { 'meta-viewport-content': 'width=device-width, initial-scale=1' },
        state: 'active',
      },
    }),
    example('One that is not there', {
      params: { preferenceCenterExternalID: 'unknown' },
      ...refusedAs('PREFERENCE_CENTER_UNKNOWN'),
    }),
  ],
});

const userId = text('External id of the person: at most 987 bytes, percent-encoded.', {
  minLength: 1,
  ...externalIdLength,
});

export const preferenceCenterUrl = operation({
  ...row,
  id: 'preference_center.user.get',
  fresh: true,
  path: '/preference_center/v1/{preferenceCenterExternalID}/url/{userID}',
  limit: thousandAMinute('preference_center.user.get'),
  summary: 'The address of a preference center for a person',
  description:
    `Anyone who opens it sees and changes what this person gets, without signing in: send it to no other person. It is valid for PAGES_LINK_DAYS days (default: 60), for this person and this preference center only, and until the person is deleted; after a merge it shows the states of the kept person. \`${defaultCenterId}\` is the id of the preference center that every workspace has. ` +
    waitsForAccepted,
  request: { params: Type.Object({ preferenceCenterExternalID: centerId, userID: userId }) },
  responses: {
    200: successAnswer('PreferenceCenterUrl', 'The address of the page.', {
      preference_center_url: text('The address.'),
    }),
  },
  rejections: ['PREFERENCE_CENTER_UNKNOWN', 'PREFERENCE_CENTER_DRAFT', 'PERSON_UNKNOWN'],
  examples: [
    example('A person', {
      params: { preferenceCenterExternalID: exampleId, userID: 'ada' },
      200: {
        preference_center_url:
          'https://preferences.example.com/preferences/WyJwYWdlIiwiZGVtbyJd.c2lnbmF0dXJl',
      },
    }),
    example('A person who is not there', {
      params: { preferenceCenterExternalID: exampleId, userID: 'eve' },
      ...refusedAs('PERSON_UNKNOWN'),
    }),
  ],
});
