/** What a workspace may keep. The README and docs/adr/content.md say why these numbers. */
export const limits = {
  blocks: 2_000,
  /** Versions before the latest one: of a workspace, and of one block. */
  versions: 20_000,
  versionsOfBlock: 500,
  /** Different blocks that one content includes. */
  includes: 50,
  /** How long it is known that a block was deleted. */
  deletedDays: 365,
} as const;
