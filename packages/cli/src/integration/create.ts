/** Makes an integration of a file, by the same rules as the interface. */
import { randomUUID } from 'node:crypto';
import { judgeSettingsOf, type WorkspaceSettings } from '@roster/access';
import { type NewIntegration, operationById } from '@roster/contract';
import { createJudge } from '@roster/judge';
import type { Store } from '@roster/store';
import { failed, wrong } from '../result.ts';
import { named } from '../suggest.ts';

const judged = (settings: WorkspaceSettings, body: unknown): NewIntegration => {
  const operation = operationById('cdi.integration_create');
  if (!operation) throw new Error('the operation is not there');
  const verdict = createJudge([operation])(operation, { body }, judgeSettingsOf(settings));
  if (!verdict.ok) throw wrong(`the file cannot be used: ${verdict.rejection.message}`);
  return verdict.accepted.body as NewIntegration;
};

const connectionIn = ({ id: ws, integrations }: WorkspaceSettings, id: string) =>
  named(integrations.connections, id, {
    what: `the workspace ${ws} has no connection`,
    otherwise: 'It belongs into integrations.connections of the file of the workspace.',
    stop: wrong,
  });

export const createIntegration = async (
  { syncs }: Pick<Store, 'syncs'>,
  settings: WorkspaceSettings,
  sent: unknown,
  now: Date,
): Promise<string> => {
  const { idFrom } = await import('@roster/store');
  const { mostIntegrations, newIntegration, tableProblem } = await import('@roster/integrations');
  const body = judged(settings, sent);
  const connection = connectionIn(settings, body.connection);
  const problem = tableProblem(connection, body);
  if (problem !== undefined) throw wrong(problem);
  if ((await syncs.integrations.countDocuments({ ws: settings.id })) >= mostIntegrations)
    throw failed(`the workspace has ${mostIntegrations} integrations, as many as it may have`);
  const id = idFrom('integration', randomUUID());
  const at = now.getTime() * 1000;
  await syncs.integrations.insertOne(newIntegration(body, { id, ws: settings.id, at, connection }));
  return id;
};
