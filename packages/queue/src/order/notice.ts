/** The notice of an identity request: digests of the people that it names, and whether it deletes them. */
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
