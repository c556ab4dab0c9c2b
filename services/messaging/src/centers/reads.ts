/** Preference centers that are there, and the URL of a page for one person. */
import { type AcceptedRequest, defaultCenterId, Rejection } from '@roster/contract';
import { identityKey } from '@roster/profile';
import type { Store } from '@roster/store';
import type { Read } from '../handler.ts';
import { showCenter, showListed } from './show-center.ts';

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

export const urlOfCenter: Read = async (request, { store, urls, fresh }) => {
  const { ws, at, params } = request;
  const center = idIn(request);
  await assertActive(store, ws, center);
  await fresh(at, ws);
  const person = await personWith(store, ws, params?.userID ?? '');
  return { preference_center_url: urls.page({ ws, center, person }), message: 'success' };
};
