/** One way in which a whole request can fail. */
export interface RejectionEntry {
  readonly status: number;
  /** The sentence on the wire, unless the one who rejects names the place more exactly. */
  readonly message: string;
  /** When it happens. */
  readonly description: string;
  /** What the caller can do. */
  readonly remedy: string;
  /** Keyword of RFC 7644 3.12, where a SCIM operation answers with it. */
  readonly scimType?: string;
}

/** A row of the catalogue: its members in the order of the interface above. */
export const rejected =
  (status: number) =>
  (message: string, description: string, remedy: string, scimType?: string): RejectionEntry => ({
    status,
    message,
    description,
    remedy,
    ...(scimType && { scimType }),
  });

/** Most are bad requests. */
export const refused = rejected(400);
