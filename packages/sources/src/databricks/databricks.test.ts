import { failure } from '../warehouse/errors.ts';
import { databricks } from './databricks.ts';

const service = databricks({
  kind: 'databricks',
  table: 'crm.people',
  endpoint: 'https://dbc.example.com',
  warehouse: 'w1',
  token: 'a-token',
});

/** https://docs.databricks.com/api/workspace/statementexecution/getstatement */
it.each([
  [{ state: 'FAILED' }, 'Databricks has ended the statement without a reason'],
  [{ state: 'CANCELED' }, 'Databricks has ended the statement without a reason'],
  [{ state: 'CLOSED' }, 'Databricks has ended the statement without a reason'],
  [{ state: 'FAILED', error: { message: '[DIVIDE_BY_ZERO] of row 7' } }, 'with error DIVIDE_BY_ZERO'],
])('a statement that ends as %j', (status, words) => {
  const state = service.stateOf({ status });
  if (typeof state !== 'object') throw new Error(`it is ${state}`);
  expect(failure(state.failed, service.words, service.place)).toMatchObject({
    code: 'server_error',
    message: expect.stringContaining(words),
  });
});
