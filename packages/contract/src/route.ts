/** The operation that a method and a path mean, by the table. Pure. */
import { type Operation, operations } from './operations/index.ts';

export interface Route {
  operation: Operation;
  /** In the order of the path. */
  params: Readonly<Record<string, string>>;
}

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

const routes = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${escaped(operation.path).replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  // Paths without parameters come first: they are meant where two fit.
  .sort((a, b) => Number(a.operation.path.includes('{')) - Number(b.operation.path.includes('{')));

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const routeOf = (method: string | undefined, path: string): Route | undefined => {
  for (const { operation, pattern } of routes) {
    const found = operation.method === method ? pattern.exec(path) : null;
    if (!found) continue;
    const params = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decoded(text)] as const);
    return { operation, params: Object.fromEntries(params) };
  }
  return undefined;
};
