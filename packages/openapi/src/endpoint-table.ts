/** The table of endpoints inside README.md, between two markers; the rest of that page is written by people. */
import { type OperationOf, operations } from '@roster/contract';
import { code, table } from './markdown.ts';

const begin = '<!-- endpoints -->';
const end = '<!-- /endpoints -->';

/** `page`: where the operations are described; this one, unless said otherwise. */
export function endpointTable(rows: readonly OperationOf<string>[], page = ''): string {
  const cells = rows.map(({ id, method, path, summary, permission }) => [
    `[${code(id)}](${page}#${id})`,
    code(`${method} ${path}`),
    summary,
    code(permission),
  ]);
  return table(['Operation', 'Path', 'What it does', 'Permission'], cells);
}

/** The page with the table as it should be; the same page when it has no place for one. */
export function withEndpointTable(page: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) return page;
  return `${page.slice(0, from + begin.length)}\n${endpointTable(operations, 'docs/api.md')}\n${page.slice(to)}`;
}
