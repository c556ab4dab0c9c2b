/** For tests: a store of their own, people in it, and a way to ask for them. */
import { type AcceptedRequest, type ExportAnswer, operations } from '@roster/contract';
import { fold, identityKey, newProfile, type Profile, type ProfileChange } from '@roster/profile';
import type { Store } from '@roster/store';
import { createAnswerCheck } from '@roster/testkit';
import { usersExportIds } from './users-export-ids.ts';

/** 2025-11-13T02:13:20.000Z */
export const at = 1_763_000_000_000_000;

export const aPerson = (
  more: Partial<Profile> & { _id: string },
  changes: readonly ProfileChange[] = [],
): Profile => fold({ ...newProfile(more._id, 'demo', at), ...more }, changes, at, 0).profile;

const claimsOf = ({ _id, ws, external_id, former_ids = [], aliases = [] }: Profile) => [
  ...[...(external_id === undefined ? [] : [external_id]), ...former_ids].map((id) => ({
    _id: identityKey(ws, { by: 'external_id', id }),
    profile: _id,
    at,
  })),
  ...aliases.map(({ label, name }) => ({
    _id: identityKey(ws, { by: 'user_alias', label, name }),
    profile: _id,
    at,
  })),
];

export const textOf = ({ body, rest = [] }: { body: string; rest?: readonly Buffer[] }): string =>
  body + Buffer.concat(rest).toString();

const wrongWith = createAnswerCheck();
const exporting = operations.filter(({ id }) => id === 'users.export.ids');

/** What is wrong with an answer to an export, or nothing. */
const problemIn = (status: number, answer: unknown): string | undefined =>
  exporting.map((operation) => wrongWith(operation, status, answer))[0];

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
    const problem = problemIn(reply.status, answer);
    if (problem !== undefined) throw new Error(`not as documented: ${problem}`);
    return answer;
  };

  return {
    store,
    ask,
    async add(...people: Profile[]): Promise<void> {
      await store.profiles.insertMany(people);
      const claims = people.flatMap(claimsOf);
      if (claims.length > 0) await store.identities.insertMany(claims);
    },
  };
};
