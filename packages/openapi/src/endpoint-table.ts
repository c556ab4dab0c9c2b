/** The table of endpoints inside README.md, between two markers; the rest of that page is written by people. */
import { type OperationOf, operations } from '@roster/contract';
import { code, table } from './markdown.ts';

const begin = '<!-- endpoints -->';
const end = '<!-- /endpoints -->';

const row = ({ id, method, path, summary, permission }: OperationOf<string>): string[] => [
  `[${code(id)}](docs/api.md#${id})`,
  code(`${method} ${path}`),
  summary,
  code(permission),
];

/** The page with the table as it should be; the same page when it has no place for one. */
export function withEndpointTable(page: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) return page;
  const endpoints = table(['Operation', 'Path', 'What it does', 'Permission'], operations.map(row));
  return `${page.slice(0, from + begin.length)}\n${endpoints}\n${page.slice(to)}`;
}
