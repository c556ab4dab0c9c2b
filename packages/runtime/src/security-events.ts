/** Every security event by its name. SECURITY.md has the same table; a test compares them. */
export const securityEvents = {
  'sign_in.succeeded': 'A dashboard user signed in to the board.',
  'sign_in.failed': 'A wrong user name or password, or a user who is not active.',
  'sign_in.throttled': 'A try to sign in that was not looked at: too many tries.',
  sign_out: 'A dashboard user signed out.',
  'board.refused': 'A dashboard user without the permission to see the board.',
  'key.refused': 'A request without a good API key or SCIM token: `reason` is the code of the refusal.',
  'key.forbidden':
    'A good key without the permission of the operation, or from an address that is not on its list (403). `reason`: `permission` or `ip`.',
  'people.exported': 'Profiles were read.',
  'people.deleted': 'People were deleted.',
  'user.created': 'A dashboard user was created by SCIM.',
  'user.changed': 'A dashboard user was changed by SCIM: also reactivated or deactivated.',
  'user.deleted': 'A dashboard user was deleted by SCIM.',
  'events.dropped': 'More kinds of events in a minute than are told apart; `count` is how many are not told.',
} as const;

type SecurityEventName = keyof typeof securityEvents;

/** One kind of event in one minute. It holds no name and no whole IP address of a person. */
export interface SecurityEvent {
  event: SecurityEventName;
  /** `key:<id>`, `scim:<id>`, `user:<id>`; undefined when the caller is unknown. */
  by?: string;
  /** Workspace, or `company:<id>`. */
  ws?: string;
  reason?: string;
  op?: string;
  /** The network of the caller: of IPv4 the first three numbers, of IPv6 the first three groups. */
  from?: string;
}

export interface CountedEvent extends SecurityEvent {
  count: number;
  /** Milliseconds since the epoch. */
  first: number;
  last: number;
}
