/** Columns by name: the very one, or the only one that differs just in upper and lower case, as SQL folds names. */
import { SourceError } from '../source-error.ts';

const mostNamed = 40;

const list = (names: readonly string[]): string => {
  const more = names.length - mostNamed;
  return names.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

export const findColumn = <C extends { readonly name: string }>(
  columns: readonly C[],
  wanted: string,
  table: string,
): C => {
  const alike = columns.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const found = columns.find(({ name }) => name === wanted) ?? (alike.length === 1 ? alike[0] : undefined);
  if (found) return found;
  const there = list(columns.map(({ name }) => name));
  throw new SourceError(
    'column_missing',
    `${table} has no column ${wanted}; it has ${there || 'none at all'}`,
  );
};
