import type { Store } from '@roster/store';
import type { Command, WorkspaceTools } from '../command.ts';
import { missing, type Result } from '../result.ts';
import type { Servers } from '../servers.ts';
import { type Columns, table, timeOfStamp } from '../shown.ts';

type ChangeOfConsent = NonNullable<Awaited<ReturnType<Store['consentHistory']['find']>>>[number];

type Change = ChangeOfConsent & { request?: string };

const shown = ({ k, from, to, at, request, op }: Change) => ({
  consent: k,
  from,
  to,
  accepted_at: timeOfStamp(at),
  ...(request !== undefined && { request_id: request }),
  ...(op !== undefined && { operation: op }),
});

/** A change with the email or phone has no request. */
const columns: Columns<Change> = {
  ACCEPTED: ({ at }) => timeOfStamp(at),
  CONSENT: ({ k }) => k,
  FROM: ({ from }) => from,
  TO: ({ to }) => to ?? 'removed',
  OPERATION: ({ op }) => op,
  REQUEST: ({ request }) => request,
};

const unknownPerson = ({ requestIdOf }: Servers, ws: string, externalId: string) =>
  missing(
    `no person in workspace ${ws} has the external id ${externalId}, and ${
      requestIdOf
        ? 'no proof is kept.'
        : 'without ROSTER_SECRET it is unknown whether proof of an erased person is kept. Set it to that of the services.'
    }`,
  );

const showConsent = async ({ servers, store, ws }: WorkspaceTools, externalId: string): Promise<Result> => {
  const found = await store.consentHistory.find(ws, { by: 'external_id', id: externalId });
  if (!found) throw unknownPerson(servers, ws, externalId);
  const { requestIdOf } = servers;
  const changes = found.map(
    (change): Change => (requestIdOf ? { ...change, request: requestIdOf(ws, change.at) } : change),
  );
  return {
    json: { workspace: ws, external_id: externalId, changes: changes.map(shown) },
    text:
      changes.length > 0
        ? table(changes, columns)
        : 'nothing was ever said about the consent of this person\n',
  };
};

const help = `
Newest first: consent to email and push, and of subscription groups. What repeats the state is no change.
Without --workspace there must be only one. The proof of an erased person is found with ROSTER_SECRET only.

Examples:
  $ roster consent ada
  $ roster consent ada --workspace shop --json`;

export const consentCommand: Command = {
  about: 'every change of the consent of a person, and by which request',
  example: 'roster consent ada',
  args: { '<external id>': 'the external id of the person' },
  workspace: 'the workspace the person is in',
  help,
  run: showConsent,
};
