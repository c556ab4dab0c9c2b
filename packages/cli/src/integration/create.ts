/** Makes an integration of a file, by the same rules as the interface: `roster integration create`. */
import { randomUUID } from 'node:crypto';
import { judgeSettingsOf, type WorkspaceSettings } from '@roster/access';
import { type NewIntegration, operationById } from '@roster/contract';
import { createJudge } from '@roster/judge';
import { parse } from 'yaml';
import { recordIntegration } from '../audited.ts';
import type { WorkspaceTools } from '../command.ts';
import { readAs } from '../io.ts';
import { failed, type Result, wrong } from '../result.ts';
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
  { io, store, settings, ws }: WorkspaceTools,
  file: string,
): Promise<Result> => {
  const { idFrom } = await import('@roster/store');
  const { mostIntegrations, newIntegration, tableProblem } = await import('@roster/integrations');
  const body = judged(
    settings,
    readAs(io, file, (text): unknown => parse(text)),
  );
  const connection = connectionIn(settings, body.connection);
  const problem = tableProblem(connection, body);
  if (problem !== undefined) throw wrong(problem);
  if ((await store.syncs.integrations.countDocuments({ ws })) >= mostIntegrations)
    throw failed(`the workspace has ${mostIntegrations} integrations, as many as it may have`);
  const id = idFrom('integration', randomUUID());
  const at = io.now().getTime() * 1000;
  const made = newIntegration(body, { id, ws, at, connection });
  await store.transact(async (session) => {
    await store.models.integrations.insertOne(made, { session });
    await recordIntegration(store, { ws, deed: 'created', integration: id, now: io.now() }, session);
  });
  const next = `Try it with "roster integration test ${id}", then "roster integration run ${id}".`;
  return { json: { id }, text: `${id}\n`, notes: [`It is a draft. ${next}`] };
};
