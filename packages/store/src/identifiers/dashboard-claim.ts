/** The `_id` under which the userName or email of a dashboard user is claimed: the same in any letter case. */
export const dashboardClaim = (company: string, name: string): string =>
  `${company}\n${name.normalize('NFC').trim().toLowerCase()}`;
