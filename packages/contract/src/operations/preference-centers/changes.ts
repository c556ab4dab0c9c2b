/** POST /preference_center/v1, and PUT or POST /preference_center/v1/{id}. */
import { Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import { maybe, optional, text } from '../../shape.ts';
import { queuedAnswer, resultOrQueued, successAnswer } from '../answers.ts';
import { unknownNames, writeRow } from '../messaging-row.ts';
import {
  centerId,
  centerMembers,
  centersTag,
  commonRejections,
  commonRules,
  createdAt,
  exampleId,
  options,
  shownCenter,
} from './members.ts';

const changeable = {
  preference_center_page_html: centerMembers.page,
  confirmation_page_html: centerMembers.confirmation,
  ...optional({
    preference_center_title: centerMembers.title,
    state: centerMembers.state,
    options,
  }),
};

const row = {
  ...writeRow,
  permission: 'preference_center.update',
  tag: centersTag,
  before: commonRules,
} as const;

const aPage = `<form method="post" action="{{preference_center_submit_url}}">
<input type="hidden" name="shown.{% form_field_name :subscription_group demo-news %}" value="{{subscribed_state.\${demo-news}}}">
<label><input type="checkbox" name="{% form_field_name :subscription_group demo-news %}" value="subscribed"
{% if subscribed_state.\${demo-news} == 'subscribed' %}checked{% endif %}> News</label>
<button>Save</button>
</form>`;

const bodies = { preference_center_page_html: aPage, confirmation_page_html: '<p>Saved. Thank you!</p>' };

export const preferenceCenterCreate = operation({
  ...row,
  id: 'preference_center.create',
  path: '/preference_center/v1',
  limit: { pool: 'preference_center.create', requests: 10, seconds: 60 },
  summary: 'Create a preference center',
  description:
    'A page on which people choose what they get. `GET /preference_center/v1/{id}/url/{userID}` tells its address for one person. The templates are parsed, and the content blocks and subscription groups that they name must exist. If two requests create the same name at the same moment, one is refused.',
  request: { body: Type.Object({ name: centerMembers.newName, ...changeable }) },
  responses: resultOrQueued('PreferenceCenterCreated', 'The preference center is there.', {
    preference_center_api_id: centerId,
    liquid_tag: text('The Liquid tag that is rendered as the address of the page.'),
    created_at: createdAt,
    ...unknownNames,
  }),
  rejections: [
    'PREFERENCE_CENTER_NAME_BLANK',
    'PREFERENCE_CENTER_NAME_TOO_LONG',
    'PREFERENCE_CENTER_NAME_INVALID',
    'PREFERENCE_CENTER_NAME_TAKEN',
    ...commonRejections,
    'PREFERENCE_CENTERS_FULL',
  ],
  examples: [
    example('A page with one choice', {
      body: {
        name: 'newsletter',
        preference_center_title: 'Your newsletter',
        ...bodies,
        state: 'active',
        options: { 'meta-viewport-content': 'width=device-width, initial-scale=1' },
      },
      201: {
        preference_center_api_id: exampleId,
        liquid_tag: `{{preference_center.\${newsletter}}}`,
        created_at: '2026-01-31T12:00:00.000Z',
      },
    }),
  ],
});

const changedCenter = Type.Object({ name: maybe(centerMembers.name), ...changeable });

const updated = successAnswer('PreferenceCenterUpdated', 'The preference center has changed.', {
  ...shownCenter,
  ...unknownNames,
});

const updateRow = {
  ...row,
  path: '/preference_center/v1/{preferenceCenterExternalID}',
  limit: { pool: 'preference_center.update', requests: 10, seconds: 60 },
  request: { params: Type.Object({ preferenceCenterExternalID: centerId }), body: changedCenter },
  rejections: ['PREFERENCE_CENTER_UNKNOWN', 'PREFERENCE_CENTER_NAME_FIXED', ...commonRejections],
} as const;

const otherPages = <Status extends 200 | 201>(status: Status) =>
  example('Other pages', {
    params: { preferenceCenterExternalID: exampleId },
    body: { ...bodies, confirmation_page_html: '<p>Thank you, it is saved.</p>' },
    [status]: {
      preference_center_api_id: exampleId,
      created_at: '2026-01-31T12:00:00.000Z',
      updated_at: '2026-02-01T08:00:00.000Z',
    },
  });

const whatChanges =
  'Both pages are replaced. Title, state and options stay as they are when they are left out; the name never changes. Of two updates, the one that was accepted last wins.';

export const preferenceCenterUpdate = operation({
  ...updateRow,
  id: 'preference_center.update',
  method: 'PUT',
  success: 200,
  responses: { 200: updated, 202: queuedAnswer },
  summary: 'Update a preference center',
  description: whatChanges,
  examples: [otherPages(200)],
});

export const preferenceCenterUpdateByPost = operation({
  ...updateRow,
  id: 'preference_center.update.post',
  method: 'POST',
  success: 201,
  responses: { 201: updated, 202: queuedAnswer },
  summary: 'Update a preference center (by POST)',
  description: `The same as by PUT, for clients that send POST. ${whatChanges}`,
  examples: [otherPages(201)],
});
