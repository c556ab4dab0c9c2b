/** The names of all lists in bodies with an outcome per entry, in the order of the documents. A list with another name does not compile. */
export const outcomeLists = [
  'attributes',
  'events',
  'purchases',
  'user_aliases',
  'alias_updates',
  'aliases_to_identify',
  'emails_to_identify',
  'phone_numbers_to_identify',
  'merge_updates',
  'external_ids',
  'service_ids',
  'email_addresses',
  'phone_numbers',
  'external_id_renames',
  'emails',
  'phones',
] as const;

export type OutcomeList = (typeof outcomeLists)[number];
