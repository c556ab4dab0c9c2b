/** The generated pages, by the name of their file in docs/. */
import { operations } from '@roster/contract';
import { errorsPage } from './errors-page.ts';
import { openapi } from './openapi.ts';
import { referencePage } from './reference.ts';

export function pages(): ReadonlyMap<string, string> {
  const document = openapi(operations);
  return new Map([
    ['openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['api.md', referencePage(document, operations)],
    ['errors.md', errorsPage(operations)],
  ]);
}
