/** What a workspace may keep. The README and the ADR 0037 say why these numbers. */
export const limits = {
  blocks: 2_000,
};
