import { createAnswering } from '@roster/batch';
import { lineOf, type OperationsOf } from '@roster/contract';
import { createIntegration, deleteIntegration, syncIntegration, updateIntegration } from './changes.ts';
import type { IntegrationHandler, IntegrationTools } from './handler.ts';
import { listIntegrations, listJobs, listRows, readIntegration } from './reads.ts';

/** What this worker does with each operation of its queue. An operation without a line does not compile. */
const handlers: { readonly [Id in OperationsOf<'integrations'>]: IntegrationHandler } = {
  'cdi.integration_list': { show: listIntegrations },
  'cdi.integration_get': { show: readIntegration },
  'cdi.integration_create': { change: createIntegration },
  'cdi.integration_update': { change: updateIntegration },
  'cdi.integration_delete': { change: deleteIntegration },
  'cdi.integration_sync': { change: syncIntegration },
  'cdi.integration_job_status': { show: listJobs },
  'cdi.integration_job_rows': { show: listRows },
};

export const createAnswer = (tools: IntegrationTools) =>
  createAnswering<IntegrationTools>({
    store: tools.store,
    handlerOf: (op) => lineOf(handlers, op),
    toolsFor: () => tools,
  });
