/** What can be set for a workspace, with the defaults; nothing else knows a default of these. */
import { AudienceFault, prepareAudience } from '@roster/audience';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value, ValueErrorType } from '@sinclair/typebox/value';
import { IntegrationSettingsSchema } from './integration-settings.ts';
import {
  AppChannelsSchema,
  MessagingSettingsSchema,
  messagingProblems,
  PlatformSchema,
  platformOf,
  platformProblems,
} from './messaging-settings.ts';
import { closed, flag, group, id, listOf, maybe, name, scopeId, whole } from './schema-parts.ts';

/** Values that callers send by mistake for an unknown person; the empty text stands for ids of white space only. */
const suspiciousExternalIds = [
  '',
  'null',
  'undefined',
  'none',
  'nil',
  'nan',
  '[object Object]',
  '0',
  'guest',
  'anonymous',
  'true',
  'false',
];

/** So many requests in so many seconds, in a window aligned with the clock. */
const RateSchema = closed({
  requests: whole('Requests allowed in a window; points, of the pool work.', { minimum: 1 }),
  seconds: whole('Length of the window.', { minimum: 1, maximum: 86_400 }),
});

export const limits = (description: string) =>
  Type.Record(Type.String({ minLength: 1 }), RateSchema, { default: {}, description });

/** A text keeps every digit that was written; a number is taken as it is printed. */
const rate = Type.Union([Type.String(), Type.Number()], {
  hint: 'a decimal number above 0, such as "1.08"',
  description: 'A decimal number above 0.',
});

const WorkspaceSettingsSchema = closed({
  id: scopeId('Name of the workspace in keys, queues and logs. Never changes.'),
  name: name('What people call it.'),
  apps: listOf(
    closed({
      id: id('Sent as app_id.'),
      name: name('What people call the app.'),
      platform: maybe(PlatformSchema),
      channels: maybe(AppChannelsSchema),
    }),
    'Apps that may be named by events and purchases.',
  ),
  tags: listOf(name('A tag.'), 'Tags that content and messages may carry.'),
  subscription_groups: listOf(
    closed({
      id: id('Sent as subscription_group_id.'),
      name: name('What people call the group.'),
      description: maybe(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description:
            'What people get when they subscribe: it stands below the name in the default preference center.',
        }),
      ),
      channel: Type.Union([Type.Literal('email'), Type.Literal('sms')], { hint: 'email or sms' }),
    }),
    'Subscription groups; they are made here only.',
  ),
  segments: listOf(
    closed({
      id: id('Sent as segment_id.'),
      name: name('What people call the segment.'),
      audience: Type.Unknown({
        description: 'Who belongs to it: AND and OR over filters, as in the audience of a message.',
      }),
    }),
    'Named audiences; they are made here only.',
    { maxItems: 100, hint: 'a list of at most 100 segments' },
  ),
  messaging: MessagingSettingsSchema,
  integrations: IntegrationSettingsSchema,
  limits: limits('Rate limits that differ from the usual ones, by the name of their pool.'),
  track: group({
    max_updates: whole('Most entries in one request to /users/track.', {
      default: 50,
      minimum: 1,
      maximum: 1000,
    }),
    blocked_external_ids: listOf(Type.String({ minLength: 1 }), 'External ids for which nothing is taken.'),
    suspicious_external_ids: listOf(
      Type.String({ maxLength: 987 }),
      'External ids that are a mistake of the caller, without regard to letter case and white space around them; [] allows all.',
      { default: suspiciousExternalIds },
    ),
    max_array_elements: whole('Most elements of an array attribute; the oldest go when there are more.', {
      default: 25,
      minimum: 1,
      maximum: 100,
    }),
    max_profile_bytes: whole(
      'Most bytes that a profile takes in the database; attributes, lists and merges that would make it larger are not taken.',
      { default: 1024 * 1024, minimum: 64 * 1024, maximum: 3 * 1024 * 1024 },
    ),
    blocked_attributes: listOf(name('Name of an attribute.'), 'Names of attributes that are ignored.'),
    keep_event_properties: flag('Whether properties stay with their event.', { default: true }),
  }),
  currency: group({
    reporting: Type.String({
      default: 'USD',
      pattern: '^[A-Z]{3}$',
      hint: 'an ISO 4217 code such as USD',
      description: 'The currency of total_revenue.',
    }),
    rates: Type.Record(Type.String(), rate, {
      default: {},
      description:
        'What one unit of a currency is worth in the reporting currency, by its ISO 4217 code. The reporting currency itself is 1.',
    }),
  }),
  retention: group({
    outcome_days: whole('How long outcomes can be read. Longer than a job or dead letter lives.', {
      default: 30,
      minimum: 7,
      maximum: 3650,
    }),
    keep_consent_proof: flag(
      'Whether the history of consent of erased people stays, without anything that says who they were.',
      { default: false },
    ),
    event_days: whole('How long events are kept.', { default: 90, minimum: 1, maximum: 3650 }),
  }),
});

export type WorkspaceSettings = Static<typeof WorkspaceSettingsSchema>;
export type Rate = Static<typeof RateSchema>;

/** Settings that cannot be used; `problems` are sentences, one for each wrong place. */
export class SettingsError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join('; '));
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

/** `/apps/0/id` as people write it: `apps[0].id`. */
const place = (path: string): string =>
  path
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.') || 'the settings';

const sentence = (path: string, type: ValueErrorType, schema: TSchema, message: string): string => {
  if (type === ValueErrorType.ObjectAdditionalProperties)
    return `${place(path)} is not a setting; there are ${Object.keys(schema.properties).join(', ')}`;
  if (type === ValueErrorType.ObjectRequiredProperty) return `${place(path)} is missing`;
  // Nothing else of it: it may quote a pattern.
  const said = message.replace(/^Expected ./, (words) => words.slice('Expected '.length).toLowerCase());
  const hint = typeof schema.hint === 'string' ? schema.hint : said;
  return `${place(path)} must be ${hint}`;
};

/** Of alternatives that differ by `kind`, the one that was meant: what is wrong with it says more than the list of all. */
const meant = ({ anyOf = [] }: TSchema, value: unknown): TSchema | undefined => {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  return anyOf.find(({ properties }: TSchema) => properties && Value.Check(properties.kind, value.kind));
};

const wrongPlaces = (wanted: TSchema, whole: unknown, above = ''): string[] => {
  const found = new Map<string, string[]>();
  for (const { path, type, schema, message, value } of Value.Errors(wanted, whole)) {
    if (found.has(path)) continue;
    const one = meant(schema, value);
    const at = `${above}${path}`;
    found.set(path, one ? wrongPlaces(one, value, at) : [sentence(at, type, schema, message)]);
  }
  return [...found.values()].flat();
};

export const repeated = (values: readonly string[]): string[] =>
  [...new Set(values)].filter((value) => values.indexOf(value) !== values.lastIndexOf(value));

export const repeatedIds = (place: string, things: readonly { id: string }[]): string[] =>
  repeated(things.map((thing) => thing.id)).map((twice) => `${place} has the id ${twice} more than once`);

const repetitions = (settings: WorkspaceSettings): string[] => [
  ...repeatedIds('apps', settings.apps),
  ...repeatedIds('subscription_groups', settings.subscription_groups),
  ...repeatedIds('segments', settings.segments),
  ...repeatedIds('integrations.connections', settings.integrations.connections),
  ...repeated(settings.tags).map((twice) => `tags has ${twice} more than once`),
];

const currencies: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), 'VED', 'XCG']);
const decimal = /^\d{1,12}(?:\.\d{1,18})?$/;
const isRate = (value: string | number): boolean => decimal.test(String(value)) && Number(value) > 0;

const rateProblem = (code: string, value: string | number, reporting: string): string[] => {
  if (!currencies.has(code)) return [`currency.rates has ${code}, which is not an ISO 4217 code`];
  if (!isRate(value)) return [`currency.rates.${code} must be a decimal number above 0, such as "1.08"`];
  return code === reporting && Number(value) !== 1
    ? [`currency.rates.${code} must be 1, because it is the reporting currency`]
    : [];
};

const currencyProblems = ({ currency: { reporting, rates } }: WorkspaceSettings): string[] => [
  ...(currencies.has(reporting) ? [] : ['currency.reporting must be an ISO 4217 code such as USD']),
  ...Object.entries(rates).flatMap(([code, value]) => rateProblem(code, value, reporting)),
];

const audienceProblem = (audience: unknown, path: string): string[] => {
  try {
    prepareAudience(audience, path);
    return [];
  } catch (error) {
    if (error instanceof AudienceFault) return [error.message];
    throw error;
  }
};

const audienceProblems = ({ segments }: WorkspaceSettings): string[] =>
  segments.flatMap(({ audience }, index) => audienceProblem(audience, `segments[${index}].audience`));

/** The list of the runtime lacks many names that it knows, such as Asia/Kolkata. */
const isTimeZone = (name: string): boolean => {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

const timeZoneProblems = ({ messaging: { time_zone } }: WorkspaceSettings): string[] =>
  isTimeZone(time_zone) ? [] : ['messaging.time_zone must be an IANA name such as Europe/Berlin'];

const named = (input: unknown): unknown =>
  input && typeof input === 'object' && 'id' in input && !('name' in input)
    ? { ...input, name: input.id }
    : input;

/** With the defaults filled in; throws a SettingsError that names every wrong place. */
export const checkedSettings = <Schema extends TSchema>(schema: Schema, input: unknown): Static<Schema> => {
  const value = Value.Default(schema, Value.Clone(named(input)));
  const problems = wrongPlaces(schema, value);
  if (problems.length > 0) throw new SettingsError(problems);
  return value as Static<Schema>;
};

/** Fills in the defaults and checks everything at once; throws a SettingsError that names every wrong place. */
export const completeSettings = (input: unknown): WorkspaceSettings => {
  const settings = checkedSettings(WorkspaceSettingsSchema, input);
  const more = [
    ...repetitions(settings),
    ...currencyProblems(settings),
    ...audienceProblems(settings),
    ...timeZoneProblems(settings),
    ...messagingProblems(settings.messaging),
    ...platformProblems(settings.apps),
  ];
  if (more.length > 0) throw new SettingsError(more);
  return settings;
};

/** Settings as they were stored, perhaps by an earlier version: what is new since has its default. */
export const upToDate = (stored: WorkspaceSettings): WorkspaceSettings =>
  Value.Default(WorkspaceSettingsSchema, Value.Clone(stored)) as WorkspaceSettings;

/** A workspace that is gone has the usual settings. */
export const storedSettings = (stored: WorkspaceSettings | undefined): WorkspaceSettings =>
  stored ? upToDate(stored) : completeSettings({ id: 'none' });

const byName = (apps: WorkspaceSettings['apps']) => {
  const all = apps.map((app) => ({ id: app.id, name: app.name, platform: platformOf(app) }));
  return new Map(all.map(({ name }) => [name, all.filter((app) => app.name === name)]));
};

/** How the requests of a workspace are judged. */
export const judgeSettingsOf = (settings: WorkspaceSettings) => {
  const { track, subscription_groups, apps, tags } = upToDate(settings);
  return {
    maxUpdates: track.max_updates,
    blockedExternalIds: new Set(track.blocked_external_ids),
    suspiciousExternalIds: new Set(track.suspicious_external_ids.map((id) => id.trim().toLowerCase())),
    groups: new Map(subscription_groups.map(({ id, channel }) => [id, channel])),
    apps: new Set(apps.map(({ id }) => id)),
    appNames: byName(apps),
    tags: new Set(tags),
  };
};

/** The rate of a pool in this workspace or company: its own, else the usual one. */
export const limitFor = <Limit extends Rate & { pool: string }>(
  settings: Pick<WorkspaceSettings, 'limits'>,
  limit: Limit,
): Limit => {
  const own = Object.hasOwn(settings.limits, limit.pool) ? settings.limits[limit.pool] : undefined;
  return own ? { ...limit, requests: own.requests, seconds: own.seconds } : limit;
};
