/** Content that messages and pages are made of. */
import { atExpiry, by, collection, type DocumentIn } from './collection.ts';
import { type DocumentOf, date, list, mark, number, optional, part, text, textOf } from './members.ts';

const contentVersion = {
  ws: text,
  /** Counts the changes, from 1. */
  version: number,
  name: text,
  description: optional(text),
  content: text,
  state: textOf('active', 'draft'),
  tags: list(text),
  /** Names of the blocks that the content includes. */
  includes: list(text),
  /** Members that are different from the version before. */
  changed: list(text),
  /** Stamp of the change, and the id of the key that made it. */
  edited: number,
  by: optional(text),
};

/** A content block after one change. */
export interface ContentVersion extends DocumentOf<typeof contentVersion> {}

export const contentBlocks = collection(
  () => ({
    ...contentVersion,
    _id: text,
    /** Stamp of its creation. */
    created: number,
  }),
  {
    by_name: {
      key: { ws: 1, name: 1 },
      options: { unique: true },
      reason: 'One block of a name; which block a template names.',
    },
    by_edit: by(
      ['ws', 'edited', '_id'],
      'The blocks of a workspace by their last edit: the list of content blocks.',
    ),
    by_inclusion: by(
      ['ws', 'includes'],
      'Which blocks include a block: inclusion counts, and whether it may be deleted.',
    ),
  },
);

/** A content block as it is now. */
export interface ContentBlockDocument extends DocumentIn<typeof contentBlocks> {}

/** A content block as it was before a change. */
export const contentVersions = collection(
  () => ({
    ...contentVersion,
    /** Id of the block, colon, version. */
    _id: text,
    block: text,
  }),
  {
    by_block: by(['block', 'version'], 'The versions of a block: its history, and their removal with it.'),
  },
);

/** Tells callers who ask for a deleted block that it was deleted. */
export const contentDeleted = collection(
  () => ({
    /** Id of the block. */
    _id: text,
    ws: text,
    /** Stamp of the deletion, and the id of the key. */
    at: number,
    by: optional(text),
    /** Removed by a TTL index from then on. */
    expires: date,
  }),
  { by_expiry: atExpiry('Forgets that a block was deleted, after a year.') },
);

/**
 * Every change of the content of a workspace writes this document, so of two changes at once one is repeated. Names, references and numbers
 * are therefore checked against data that no other change can alter meanwhile.
 */
export const contentSpaces = collection(() => ({
  /** Workspace. */
  _id: text,
  changes: number,
  blocks: number,
  versions: number,
}));

export const preferenceCenters = collection(
  () => ({
    _id: text,
    ws: text,
    /** Unique in the workspace; never changes. */
    name: text,
    title: text,
    /** The page with the form, and the page after it: HTML with Liquid. */
    page: text,
    confirmation: text,
    state: textOf('active', 'draft'),
    options: part({
      viewport: optional(text),
      links: list(
        part({
          rel: text,
          type: optional(text),
          sizes: optional(text),
          color: optional(text),
          href: text,
        }),
      ),
      /** Scripts inside of the pages run. */
      scripts: optional(mark),
    }),
    /** Names of the content blocks that the two pages include. */
    includes: list(text),
    /** Stamps of its creation and its last change, and the id of the key that made it. */
    created: number,
    edited: number,
    by: optional(text),
  }),
  {
    by_name: {
      key: { ws: 1, name: 1 },
      options: { unique: true },
      reason: 'One preference center of a name; the list of those of a workspace, and how many there are.',
    },
    by_inclusion: by(
      ['ws', 'includes'],
      'Which preference centers include a content block: whether it may be deleted.',
    ),
  },
);

/** A page on which people choose their subscriptions. */
export interface PreferenceCenterDocument extends DocumentIn<typeof preferenceCenters> {}
