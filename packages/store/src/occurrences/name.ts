import type { Kind } from '../shapes/documents.ts';

export const kinds = ['events', 'purchases'] as const satisfies readonly Kind[];

export const generationName = (of: Kind, n: number): string => `${of}_${n}`;

/** What a collection holds, if it is a generation. */
export const kindIn = (collection: string): Kind | undefined =>
  kinds.find((of) => new RegExp(`^${of}_\\d+$`).test(collection));
