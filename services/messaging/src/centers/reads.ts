/** Preference centers as answers show them, and the URL of a page for one person. */
import { type AcceptedRequest, type BodyFor, defaultCenterId, present, Rejection } from '@roster/contract';
import { identityKey } from '@roster/profile';
import type { PreferenceCenterDocument, Store } from '@roster/store';
import type { Read } from '../handler.ts';
import { timeOf } from '../stamp.ts';

type SentOptions = NonNullable<BodyFor<'preference_center.create'>['options']>;
type Stored = PreferenceCenterDocument['options'];
type Link = Stored['links'][number];

/** Members that nobody knows are left out. */
const linkOf = ({ rel, type, sizes, color, href }: Link): Link => ({
  rel,
  ...present({ type: type ?? undefined, sizes: sizes ?? undefined, color: color ?? undefined }),
  href,
});

export const storedOptions = (said: SentOptions | undefined): Stored => {
  const viewport = said?.['meta-viewport-content'];
  return {
    ...(viewport != null && { viewport }),
    links: (said?.['links-tags'] ?? []).map(linkOf),
    ...(said?.['allow-scripts'] === true && { scripts: true as const }),
  };
};

const shownOptions = ({ viewport, links, scripts }: Stored): object => ({
  ...(viewport !== undefined && { 'meta-viewport-content': viewport }),
  ...(links.length > 0 && { 'links-tags': links }),
  ...(scripts && { 'allow-scripts': true }),
});

type Times = Pick<PreferenceCenterDocument, '_id' | 'created' | 'edited'>;

const withTimes = ({ _id, created, edited }: Times) => ({
  preference_center_api_id: _id,
  created_at: timeOf(created),
  updated_at: timeOf(edited),
});

export const showCreated = ({ _id, name, created }: PreferenceCenterDocument): object => ({
  preference_center_api_id: _id,
  created_at: timeOf(created),
  liquid_tag: `{{preference_center.\${${name}}}}`,
  message: 'success',
});

export const showUpdated = (center: PreferenceCenterDocument): object => ({
  ...withTimes(center),
  message: 'success',
});

const showListed = (center: Times & Pick<PreferenceCenterDocument, 'name'>): object => ({
  name: center.name,
  ...withTimes(center),
});

const showCenter = (center: PreferenceCenterDocument): object => ({
  ...showListed(center),
  preference_center_title: center.title,
  preference_center_page_html: center.page,
  confirmation_page_html: center.confirmation,
  redirect_page_html: null,
  preference_center_options: shownOptions(center.options),
  state: center.state,
  message: 'success',
});

const idIn = ({ params }: AcceptedRequest): string => params?.preferenceCenterExternalID ?? '';

export const listCenters: Read = async ({ ws }, { store }) => {
  const projection = { name: 1, created: 1, edited: 1 } as const;
  const found = await store.preferenceCenters.find({ ws }, { projection }).toArray();
  const sorted = found.toSorted((a, b) => a.created - b.created);
  return { preference_centers: sorted.map(showListed), message: 'success' };
};

export const getCenter: Read = async (request, { store }) => {
  const found = await store.preferenceCenters.findOne({ _id: idIn(request), ws: request.ws });
  if (!found) throw new Rejection('PREFERENCE_CENTER_UNKNOWN');
  return showCenter(found);
};

const assertActive = async ({ preferenceCenters }: Store, ws: string, _id: string): Promise<void> => {
  if (_id === defaultCenterId) return;
  const found = await preferenceCenters.findOne({ _id, ws }, { projection: { state: 1 } });
  if (!found) throw new Rejection('PREFERENCE_CENTER_UNKNOWN');
  if (found.state === 'draft') throw new Rejection('PREFERENCE_CENTER_DRAFT');
};

const personWith = async ({ ownersOf }: Store, ws: string, id: string): Promise<string> => {
  const key = identityKey(ws, { by: 'external_id', id });
  const person = (await ownersOf([key])).get(key)?.profile;
  if (person === undefined) throw new Rejection('PERSON_UNKNOWN');
  return person;
};

export const urlOfCenter: Read = async (request, { store, urls }) => {
  const { ws, params } = request;
  const center = idIn(request);
  await assertActive(store, ws, center);
  const person = await personWith(store, ws, params?.userID ?? '');
  return { preference_center_url: urls.page({ ws, center, person }), message: 'success' };
};
