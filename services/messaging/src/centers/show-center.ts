/** How answers show a preference center. */
import type { PreferenceCenterDocument } from '@roster/store';
import { timeOf } from '../stamp.ts';
import { shownOptions } from './options.ts';

type Times = Pick<PreferenceCenterDocument, '_id' | 'created' | 'edited'>;

const idAndCreation = ({ _id, created }: Times) => ({
  preference_center_api_id: _id,
  created_at: timeOf(created),
});

const withChange = (center: Times) => ({ ...idAndCreation(center), updated_at: timeOf(center.edited) });

export const showCreated = (center: PreferenceCenterDocument): object => ({
  ...idAndCreation(center),
  liquid_tag: `{{preference_center.\${${center.name}}}}`,
  message: 'success',
});

export const showUpdated = (center: PreferenceCenterDocument): object => ({
  ...withChange(center),
  message: 'success',
});

export const showListed = (center: Times & Pick<PreferenceCenterDocument, 'name'>): object => ({
  name: center.name,
  ...withChange(center),
});

export const showCenter = (center: PreferenceCenterDocument): object => ({
  ...showListed(center),
  preference_center_title: center.title,
  preference_center_page_html: center.page,
  confirmation_page_html: center.confirmation,
  redirect_page_html: null,
  preference_center_options: shownOptions(center.options),
  state: center.state,
  message: 'success',
});
