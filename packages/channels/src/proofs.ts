/** Channels whose settings are right, because a provider has known a token of theirs. Until then a token that is none of the channel costs nobody theirs. */
import { createKept } from './kept.ts';
import type { Gone } from './outgoing.ts';

const proofMs = 24 * 60 * 60_000;

export const createProofs = () => {
  const kept = createKept<true>();
  return {
    prove(channel: string, now: number): void {
      kept.keep(channel, true, now + proofMs);
    },
    goneAt: (channel: string, now: () => number): Gone => ({
      isSure: () => kept.at(channel, now()) === true,
    }),
  };
};

export type Proofs = ReturnType<typeof createProofs>;
