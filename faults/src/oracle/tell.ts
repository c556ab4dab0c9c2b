/** A history in words, one line an operation, for people. */
import type { History } from './history.ts';
import { nameOf, type Operation } from './model.ts';

const told = (operation: Operation): string => {
  switch (operation.do) {
    case 'track':
      return `track ${nameOf(operation.who)} (${operation.token}${operation.create ? ', may create' : ''})`;
    case 'alias-new':
      return `alias/new ${nameOf({ alias: operation.alias })}${operation.ext ? ` for ${operation.ext}` : ''}`;
    case 'alias-update':
      return `alias/update ${operation.label}/${operation.from} to ${operation.to}`;
    case 'identify':
      return `identify ${nameOf({ alias: operation.alias })} as ${operation.ext} (${operation.merge ? 'merge' : 'none'})`;
    case 'merge':
      return `merge ${nameOf(operation.from)} into ${nameOf(operation.into)}`;
    case 'delete':
      return `delete ${nameOf(operation.who)}`;
    case 'rename':
      return `rename ${operation.from} to ${operation.to}`;
  }
};

export const tell = ({ phases }: History): string =>
  phases
    .map((phase, number) => {
      const lines = phase.map(
        ({ operation, wait }) =>
          `${told(operation)}${operation.do === 'merge' && wait ? ', waited for' : ''}`,
      );
      return `phase ${number}: ${lines.join(' | ')}`;
    })
    .join('\n');
