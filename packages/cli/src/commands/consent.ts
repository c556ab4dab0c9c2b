import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { missing, type Result } from '../result.ts';
import type { Servers } from '../servers.ts';
import { table } from '../shown.ts';
import { type Change, rowOf, shown } from './consent-rows.ts';
import { chosenWorkspace } from './workspace.ts';

interface Options {
  workspace?: string;
}

const unknownPerson = ({ requestIdOf }: Servers, ws: string, externalId: string) =>
  missing(
    `no person in workspace ${ws} has the external id ${externalId}, and ${
      requestIdOf
        ? 'no proof is kept.'
        : 'without ROSTER_SECRET it is unknown whether proof of an erased person is kept. Set it to that of the services.'
    }`,
  );

const showConsent = async ({ servers }: Tools, externalId: string, options: Options): Promise<Result> => {
  const ws = await chosenWorkspace(servers, options);
  const { consentHistory } = await servers.store();
  const found = await consentHistory.find(ws, { by: 'external_id', id: externalId });
  if (!found) throw unknownPerson(servers, ws, externalId);
  const { requestIdOf } = servers;
  const changes = found.map(
    (change): Change => (requestIdOf ? { ...change, request: requestIdOf(ws, change.at) } : change),
  );
  return {
    json: { workspace: ws, external_id: externalId, changes: changes.map(shown) },
    text:
      changes.length > 0
        ? table(['ACCEPTED', 'CONSENT', 'FROM', 'TO', 'OPERATION', 'REQUEST'], changes.map(rowOf))
        : 'nothing was ever said about the consent of this person\n',
  };
};

const help = `
Newest first: consent to email and push, and of subscription groups. What repeats the state is no change.
Without --workspace there must be only one. The proof of an erased person is found with ROSTER_SECRET only.

Examples:
  $ roster consent ada
  $ roster consent ada --workspace shop --json`;

export const addConsentCommand = (program: Command, act: Act): void => {
  program
    .command('consent')
    .description('every change of the consent of a person, and by which request')
    .argument('<external id>', 'the external id of the person')
    .option('--workspace <id>', 'the workspace the person is in')
    .addHelpText('after', help)
    .action(act(showConsent));
};
