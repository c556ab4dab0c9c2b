/** What an identity request names, as digests, and whether it deletes. */
export interface Naming {
  names: readonly string[];
  deletes: boolean;
}

/** A naming on its way to Redis. */
export interface Notice extends Naming {
  ws: string;
  id: string;
  at: number;
}
