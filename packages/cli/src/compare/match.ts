/** The operation that a request means, by the table. Pure. */
import { operations } from '@roster/contract';

export interface Match {
  id: string;
  params: string[];
}

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

const routes = operations
  .filter(({ auth }) => auth !== 'scim')
  .map(({ id, method, path }) => ({
    id,
    method,
    pattern: new RegExp(`^${escaped(path).replace(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  // Paths without parameters come first: they are meant where two fit.
  .sort((a, b) => Number(a.pattern.source.includes('[')) - Number(b.pattern.source.includes('[')));

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const matchOf = (method: string, path: string): Match | undefined => {
  for (const route of routes) {
    const found = route.method === method ? route.pattern.exec(path) : null;
    if (found) return { id: route.id, params: found.slice(1).map(decoded) };
  }
  return undefined;
};
