/** What is said of a data integration: where its rows stand, what they are, and when they are synced. */
import { type Static, Type } from '@sinclair/typebox';
import { flag, label, maybe, objectShape, oneOf, optional, text, whole } from '../../shape.ts';

export const dataKinds = ['attributes', 'events', 'purchases', 'deletes', 'subscription_states'] as const;

export type DataKind = (typeof dataKinds)[number];

/** `null` counts as absent. */
const integrationName = label('What people call it.');

const identifier = objectShape('RowIdentifier', 'How a row names its person.', {
  by: oneOf(['external_id', 'user_alias', 'email', 'phone', 'service_id'], 'Which identifier it is.'),
  column: label('The column with the identifier; of an alias, its name.'),
  label_column: maybe(label('Of an alias: the column with its label.')),
  label: maybe(text('Of an alias: its label, the same in all rows.', { minLength: 1, maxLength: 236 })),
});

export type RowIdentifier = Static<typeof identifier>;

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const scheduleSteps = ['15_minutes', '30_minutes', 'hour', 'day', 'week', 'month', 'never'] as const;

const schedule = objectShape(
  'SyncSchedule',
  'When Roster syncs it, in UTC. Without a schedule, it is synced only by request.',
  {
    every: oneOf(scheduleSteps, 'How often; `never` removes a schedule.'),
    at: maybe(
      text('Time of the day in UTC, for day, week and month; default: 00:00.', {
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      }),
    ),
    weekday: maybe(oneOf(weekdays, 'Day of the week, for week. Default: Monday.')),
    day: maybe(whole('Day of the month, for month. Default: 1.', { minimum: 1, maximum: 28 })),
  },
);

export type SyncSchedule = Static<typeof schedule>;

const rowLog = objectShape(
  'RowLog',
  'Into which table each sync writes what became of its rows. For PostgreSQL, MySQL and MongoDB.',
  {
    table: label(
      'A table of the same connection, `schema.table` too, with the columns `job`, `key`, `operation`, `result` and `reason`.',
    ),
    rows: maybe(
      oneOf(
        ['failed', 'all', 'none'],
        'Which rows are written into it; `none` ends the log. Default: `failed`.',
      ),
    ),
  },
);

const contact_emails = text('Whom to ask about it: emails, separated by commas.', { maxLength: 1000 });

const connection = text('Id of a connection of the workspace: its settings say where it leads.', {
  minLength: 1,
  maxLength: 64,
});

/** What may be left out, and changed later. */
const changeable = {
  table: label('Table or view, `schema.table` too. Files have none.'),
  updated_at: label('The column with the time of the last change. Default: `UPDATED_AT`.'),
  identifier,
  key: label(
    'The column that distinguishes rows with the same time, and in diff mode all rows. Default: the column of the identifier. Name it where a person has several rows: events, purchases.',
  ),
  mode: oneOf(
    ['incremental', 'diff'],
    '`incremental` reads the rows whose `UPDATED_AT` is later than before. `diff` is for tables without such a column: each sync reads all rows, and sends those that differ from what was read before. Default: `incremental`.',
  ),
  on_removed: oneOf(
    ['ignore', 'null', 'delete'],
    'In diff mode, for attributes: what happens to the person of a row that is no longer in the table. `ignore`: nothing. `null`: the attributes of the columns are removed. `delete`: the person is deleted. Default: `ignore`.',
  ),
  most_removed_percent: whole(
    'In diff mode: when more than 100 rows, and a larger share of all rows than this, are no longer in the table, the sync removes nothing and ends as `config_error`. With `on_removed: ignore` nothing is removed, and rows beyond this share are known for 30 days, so that they are not sent again when they come back. Default: 50; 100 confirms any removal.',
    { minimum: 1, maximum: 100 },
  ),
  payload: label('The column with the members as a JSON object; `PAYLOAD` if there is one.'),
  columns: Type.Record(Type.String({ minLength: 1, maxLength: 255 }), label('Name of the column.'), {
    maxProperties: 500,
    description:
      'Instead of a payload: the column of each member. Without both, each other column is the member with its name in lower case.',
  }),
  schedule,
  log: rowLog,
  look_back_seconds: whole(
    'How many seconds after its `UPDATED_AT` a row may be committed: each sync reads so far back again. Rows that were applied before are recognized. Default: 300.',
    { minimum: 0, maximum: 7 * 24 * 3600 },
  ),
};

export const newIntegration = Type.Object({
  integration_name: integrationName,
  data: oneOf(dataKinds, 'What the rows are.'),
  contact_emails: maybe(contact_emails),
  connection,
  ...optional(changeable),
});

export type NewIntegration = Omit<Static<typeof newIntegration>, 'columns'> & {
  columns?: Record<string, string>;
};

export const changedIntegration = Type.Object(
  optional({
    integration_name: integrationName,
    connection,
    contact_emails,
    ...changeable,
    paused: flag('`true` stops syncs, until it is `false` again.'),
  }),
);

export type ChangedIntegration = Partial<Omit<NewIntegration, 'data'>> & { paused?: boolean };

/** The members that say where rows stand and how they are read. */
export type IntegrationSettings = Omit<NewIntegration, 'integration_name' | 'data' | 'contact_emails'>;

/** Names of columns stand in requests, never as names in the database. */
export const settingsIn = ({
  integration_name: _name,
  data: _data,
  contact_emails: _emails,
  ...settings
}: NewIntegration): IntegrationSettings => settings;
