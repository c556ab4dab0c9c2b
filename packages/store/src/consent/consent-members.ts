/** A projection: the members of a profile that its consent is read from. */
export const consentMembers = {
  ws: 1,
  external_id: 1,
  email_key: 1,
  phone_key: 1,
  'fields.email': 1,
  'fields.phone': 1,
  consents: 1,
  contacts: 1,
} as const;
