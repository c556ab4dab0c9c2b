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

/** A rejection with the status 400. */
export const refused = <const Message extends string>(
  message: Message,
  description: string,
  remedy: string,
) => ({ status: 400, message, description, remedy });
