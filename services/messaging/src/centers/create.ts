/** POST /preference_center/v1. */
import { type AcceptedRequest, type NewPreferenceCenter, Rejection } from '@roster/contract';
import { idFrom, type PreferenceCenterDocument } from '@roster/store';
import { enterSpace } from '../content/space.ts';
import type { ContentChange } from '../handler.ts';
import { storedOptions } from './options.ts';
import { showCreated } from './show-center.ts';
import { assertUsable, namedIn } from './templates.ts';

/** As many as anybody lists at once. */
const mostCenters = 100;

const usualTitle = 'Preference Center';

const newCenter = ({ id, ws, at, by, body }: AcceptedRequest): PreferenceCenterDocument => {
  const {
    name,
    preference_center_title: title = usualTitle,
    state = 'active',
    options,
    ...pages
  } = body as NewPreferenceCenter;
  return {
    _id: idFrom('preference center', id),
    ws,
    name,
    title,
    page: pages.preference_center_page_html,
    confirmation: pages.confirmation_page_html,
    state,
    options: storedOptions(options),
    includes: [],
    created: at,
    edited: at,
    ...(by !== undefined && { by }),
  };
};

export const createCenter: ContentChange = async (request, { store, liquid }) => {
  const made = newCenter(request);
  const { includes, ...told } = await namedIn({ store, liquid }, made.ws, made);
  const center = { ...made, includes };
  const { ws, name } = center;
  return async (session) => {
    await enterSpace(store, session, ws);
    const { preferenceCenters: centers } = store;
    if ((await centers.countDocuments({ ws }, { session })) >= mostCenters)
      throw new Rejection('PREFERENCE_CENTERS_FULL');
    if (await centers.findOne({ ws, name }, { session, projection: { _id: 1 } }))
      throw new Rejection('PREFERENCE_CENTER_NAME_TAKEN');
    await assertUsable(store, session, center);
    await centers.insertOne(center, { session });
    return { ...showCreated(center), ...told };
  };
};
