/** What the operations of data integrations have in common. */
import { Type } from '@sinclair/typebox';
import { label } from '../../shape.ts';
import { readRow as exportRow } from '../read-row.ts';

export const readRow = { ...exportRow, queue: 'integrations', tag: 'Data integrations' } as const;

/** Its worker keeps which key made the change. */
export const writeRow = { ...readRow, method: 'POST', kind: 'write', signed: true } as const;

export const integrationId = label('Id of the integration.');

export const ofIntegration = Type.Object({ integration_id: integrationId });

export const exampleId = '3f0a8c52-6f0d-8b1e-8d3c-7a5b9e2c4d60';
