/** api.md: POST /preference_center/v1, and PUT /preference_center/v1/{preferenceCenterExternalID}; POST there does the same. */
import { type BodyFor, present, Rejection } from '@roster/contract';
import { idFrom, type PreferenceCenterDocument } from '@roster/store';
import { assertUsable } from '../content/includes.ts';
import { enterSpace } from '../content/space.ts';
import type { ContentChange } from '../handler.ts';
import { showCreated, showUpdated, storedOptions } from './reads.ts';
import { namedIn } from './templates.ts';

/** As many as anybody lists at once. */
const mostCenters = 100;

const usualTitle = 'Preference Center';

type NewCenter = BodyFor<'preference_center.create'>;
type SentPages = Pick<NewCenter, 'preference_center_page_html' | 'confirmation_page_html'>;

const pagesIn = ({ preference_center_page_html, confirmation_page_html }: SentPages) => ({
  page: preference_center_page_html,
  confirmation: confirmation_page_html,
});

export const createCenter: ContentChange = async (request, tools) => {
  const { id, ws, at, by, body } = request;
  const sent = body as NewCenter;
  const { name, preference_center_title: title = usualTitle, state = 'active', options } = sent;
  const pages = pagesIn(sent);
  const { includes, told } = await namedIn(tools, ws, pages);
  const center: PreferenceCenterDocument = {
    _id: idFrom('preference center', id),
    ws,
    name,
    title,
    ...pages,
    state,
    includes,
    options: storedOptions(options),
    created: at,
    edited: at,
    ...present({ by }),
  };
  const { store } = tools;
  return async (session) => {
    await enterSpace(store, session, ws);
    const { preferenceCenters: centers } = store;
    if ((await centers.countDocuments({ ws }, { session })) >= mostCenters)
      throw new Rejection('PREFERENCE_CENTERS_FULL');
    if (await centers.findOne({ ws, name }, { session, projection: { _id: 1 } }))
      throw new Rejection('PREFERENCE_CENTER_NAME_TAKEN');
    await assertUsable(store, session, center, 'PREFERENCE_CENTER_BLOCK_UNKNOWN');
    await store.models.preference_centers.insertOne(center, { session });
    return { ...showCreated(center), ...told };
  };
};

export const updateCenter: ContentChange = async (request, tools) => {
  const { ws, at, by, params, body } = request;
  const _id = params?.preferenceCenterExternalID ?? '';
  const sent = body as BodyFor<'preference_center.update'>;
  const { name, preference_center_title: title, state, options } = sent;
  const pages = pagesIn(sent);
  const { includes, told } = await namedIn(tools, ws, pages);
  const changed = {
    ...pages,
    includes,
    edited: at,
    ...(options != null && { options: storedOptions(options) }),
    ...present({ title: title ?? undefined, state: state ?? undefined, by }),
  };
  const { store } = tools;
  return async (session) => {
    await enterSpace(store, session, ws);
    const { preferenceCenters: centers } = store;
    const before = await centers.findOne({ _id, ws }, { session });
    if (!before) throw new Rejection('PREFERENCE_CENTER_UNKNOWN');
    if (name != null && name !== before.name) throw new Rejection('PREFERENCE_CENTER_NAME_FIXED');
    const after = { ...before, ...changed };
    await assertUsable(store, session, after, 'PREFERENCE_CENTER_BLOCK_UNKNOWN');
    // Two updates that overtake each other: the one that was accepted last stands.
    if (before.edited > after.edited) return { ...showUpdated(before), ...told };
    await store.models.preference_centers.updateOne({ _id }, { $set: changed }, { session });
    return { ...showUpdated(after), ...told };
  };
};
