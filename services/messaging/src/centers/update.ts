/** api.md: PUT /preference_center/v1/{preferenceCenterExternalID}; POST does the same. */
import { type AcceptedRequest, type ChangedPreferenceCenter, present, Rejection } from '@roster/contract';
import type { PreferenceCenterDocument } from '@roster/store';
import { enterSpace } from '../content/space.ts';
import type { ContentChange } from '../handler.ts';
import { storedOptions } from './options.ts';
import { showUpdated } from './show-center.ts';
import { assertUsable, namedIn } from './templates.ts';

type Changed = Pick<PreferenceCenterDocument, 'page' | 'confirmation' | 'includes' | 'edited'> &
  Partial<Pick<PreferenceCenterDocument, 'title' | 'state' | 'options' | 'by'>>;

const changedBy = ({ at, by, body }: AcceptedRequest): Changed => {
  const { preference_center_title: title, state, options, ...pages } = body as ChangedPreferenceCenter;
  return {
    page: pages.preference_center_page_html,
    confirmation: pages.confirmation_page_html,
    includes: [],
    edited: at,
    ...(options != null && { options: storedOptions(options) }),
    ...present({ title: title ?? undefined, state: state ?? undefined, by }),
  };
};

export const updateCenter: ContentChange = async (request, { store, liquid }) => {
  const { ws, params, body } = request;
  const _id = params?.preferenceCenterExternalID ?? '';
  const said = changedBy(request);
  const { includes, ...told } = await namedIn({ store, liquid }, ws, said);
  const changed = { ...said, includes };
  const { name } = body as ChangedPreferenceCenter;
  return async (session) => {
    await enterSpace(store, session, ws);
    const { preferenceCenters: centers } = store;
    const before = await centers.findOne({ _id, ws }, { session });
    if (!before) throw new Rejection('PREFERENCE_CENTER_UNKNOWN');
    if (name != null && name !== before.name) throw new Rejection('PREFERENCE_CENTER_NAME_FIXED');
    const after = { ...before, ...changed };
    await assertUsable(store, session, after);
    // Two updates that overtake each other: the one that was accepted last stands.
    if (before.edited > after.edited) return { ...showUpdated(before), ...told };
    await centers.updateOne({ _id }, { $set: changed }, { session });
    return { ...showUpdated(after), ...told };
  };
};
