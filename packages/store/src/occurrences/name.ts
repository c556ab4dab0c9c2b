import type { OccurrenceKind } from '../shapes/documents.ts';

export const kinds = ['events', 'purchases'] as const satisfies readonly OccurrenceKind[];

export const generationName = (of: OccurrenceKind, n: number): string => `${of}_${n}`;

/** What a collection holds, if it is a generation. */
export const kindIn = (collection: string): OccurrenceKind | undefined =>
  kinds.find((of) => new RegExp(`^${of}_\\d+$`).test(collection));
