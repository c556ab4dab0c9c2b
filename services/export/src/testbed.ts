/** For tests: a store of their own, people in it, and a way to ask for them. */
import { type AcceptedRequest, type ExportAnswer, operationById } from '@roster/contract';
import { fold, newProfile, type Profile, type ProfileChange } from '@roster/profile';
import type { Store } from '@roster/store';
import { createAnswerCheck, storeProfiles } from '@roster/testkit';
import { usersExportIds } from './users-export-ids.ts';

/** 2025-11-13T02:13:20.000Z */
export const at = 1_763_000_000_000_000;

export const aPerson = (
  more: Partial<Profile> & { _id: string },
  changes: readonly ProfileChange[] = [],
): Profile => fold({ ...newProfile(more._id, 'demo', at), ...more }, changes, at, 0).profile;

export const textOf = ({ body, rest = [] }: { body: string; rest?: readonly Buffer[] }): string =>
  body + Buffer.concat(rest).toString();

const wrongWith = createAnswerCheck();
const exporting = operationById('users.export.ids');

export const createTestbed = (store: Store) => {
  const ask = async (
    body: object,
    { ws = 'demo', stamp = at, from = store }: { ws?: string; stamp?: number; from?: Store } = {},
  ): Promise<ExportAnswer> => {
    const request: AcceptedRequest = {
      id: 'r1',
      ws,
      op: 'users.export.ids',
      at: stamp,
      body: { fields_to_export: ['external_id'], ...body },
    };
    const reply = await usersExportIds(request, { store: from, loaded() {} });
    const answer = JSON.parse(textOf(reply));
    const problem = exporting && wrongWith(exporting, reply.status, answer);
    if (problem !== undefined) throw new Error(`not as documented: ${problem}`);
    return answer;
  };

  return {
    store,
    ask,
    add: (...people: Profile[]) => storeProfiles(store, people),
  };
};
