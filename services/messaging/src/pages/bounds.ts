/** What strangers may take of the server of the pages. */
export const usualBounds = {
  /** Of one IP; those of a trusted proxy are of many people, and only count together. */
  connections: { most: 2_000, ofOne: 128 },
  /** Forms on their way. */
  receiving: { most: 1_000, ofOne: 32 },
  /** Large calls of providers of text messages, until all they tell is written: each has up to 3 MB. Of one address. */
  calls: { most: 8, ofOne: 2 },
  /** Pages that are made. */
  working: { most: 64, ofOne: 32 },
  /** Templates that are rendered, of one workspace. */
  rendering: { most: 64, ofOne: 16 },
  /** From the first byte of a request, or from the connection, to the end of the headers. */
  headersWithinMs: 5_000,
  /** From there to the last byte of the form. */
  bodyWithinMs: 5_000,
  pageWithinMs: 10_000,
  /** From the headers to the last byte that the visitor takes of the reply. */
  exchangeWithinMs: 30_000,
  /** When every connection, or every page at once, is taken for so long and none ends, the pages are not ready. */
  stuckAfterMs: 15_000,
};

export type PageBounds = typeof usualBounds;

/** Of a call at an address that Roster has signed: WhatsApp tells up to 1,000 things at once, in up to 3 MB. */
export const mostCallBytes = 3 * 1024 * 1024;
export const mostToldAtOnce = 1_000;

/** An unsubscribe link is posted to once, or a few times when a mail service repeats itself. */
export const perLinkAndMinute = 10;

/** Pages of one preference center: those of a large mailing are fewer. */
export const perCenterAndMinute = 1_200;
