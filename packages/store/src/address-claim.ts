/** The `_id` under which a userName or email is claimed: the same in any letter case. */
export const addressClaim = (company: string, address: string): string =>
  `${company}\n${address.normalize('NFC').trim().toLowerCase()}`;
