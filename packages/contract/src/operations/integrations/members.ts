/** What is said of a data integration: where its rows stand, what they are, and when they are synced. */
import { type Static, Type } from '@sinclair/typebox';
import { objectShape, oneOf, text } from '../../shape.ts';

export const dataKinds = ['attributes', 'events', 'purchases', 'deletes', 'subscription_states'] as const;

export type DataKind = (typeof dataKinds)[number];

/** `null` counts as absent. */
const column = (description: string) => text(description, { minLength: 1, maxLength: 255 });

const integrationName = text('What people call it.', { minLength: 1, maxLength: 255 });

const identifierKinds = ['external_id', 'user_alias', 'email', 'phone', 'service_id'] as const;

const identifier = objectShape('RowIdentifier', 'How a row names its person.', {
  by: oneOf(identifierKinds, 'Which identifier it is.'),
  column: column('The column with the identifier; of an alias, its name.'),
  label_column: Type.Optional(column('Of an alias: the column with its label.')),
  label: Type.Optional(
    text('Of an alias: its label, the same in all rows.', { minLength: 1, maxLength: 236 }),
  ),
});

export type RowIdentifier = Static<typeof identifier>;

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const scheduleSteps = ['15_minutes', '30_minutes', 'hour', 'day', 'week', 'month', 'never'] as const;

const schedule = objectShape(
  'SyncSchedule',
  'When Roster syncs it, in UTC. Without a schedule, it is synced only by request.',
  {
    every: oneOf(scheduleSteps, 'How often; `never` removes a schedule.'),
    at: Type.Optional(
      text('Time of the day in UTC, for day, week and month; default: 00:00.', {
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      }),
    ),
    weekday: Type.Optional(oneOf(weekdays, 'Day of the week, for week. Default: Monday.')),
    day: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 28,
        description: 'Day of the month, for month. Default: 1.',
      }),
    ),
  },
);

export type SyncSchedule = Static<typeof schedule>;

const syncModes = ['incremental', 'diff'] as const;

const removals = ['ignore', 'null', 'delete'] as const;

const loggedRows = ['failed', 'all', 'none'] as const;

const rowLog = objectShape(
  'RowLog',
  'Into which table each sync writes what became of its rows. For PostgreSQL, MySQL and MongoDB.',
  {
    table: text(
      'A table of the same connection, `schema.table` too, with the columns `job`, `key`, `operation`, `result` and `reason`.',
      { minLength: 1, maxLength: 255 },
    ),
    rows: Type.Optional(
      oneOf(loggedRows, 'Which rows are written into it; `none` ends the log. Default: `failed`.'),
    ),
  },
);

const mostLookBack = 7 * 24 * 3600;

/** What may be changed later. */
const changeable = {
  contact_emails: Type.Optional(
    text('Whom to ask about it: emails, separated by commas.', { maxLength: 1000 }),
  ),
  connection: text('Id of a connection of the workspace: its settings say where it leads.', {
    minLength: 1,
    maxLength: 64,
  }),
  table: Type.Optional(
    text('Table or view, `schema.table` too. Files have none.', { minLength: 1, maxLength: 255 }),
  ),
  updated_at: Type.Optional(column('The column with the time of the last change. Default: `UPDATED_AT`.')),
  identifier: Type.Optional(identifier),
  key: Type.Optional(
    column(
      'The column that distinguishes rows with the same time, and in diff mode all rows. Default: the column of the identifier. Name it where a person has several rows: events, purchases.',
    ),
  ),
  mode: Type.Optional(
    oneOf(
      syncModes,
      '`incremental` reads the rows whose `UPDATED_AT` is later than before. `diff` is for tables without such a column: each sync reads all rows, and sends those that differ from what was read before. Default: `incremental`.',
    ),
  ),
  on_removed: Type.Optional(
    oneOf(
      removals,
      'In diff mode, for attributes: what happens to the person of a row that is no longer in the table. `ignore`: nothing. `null`: the attributes of the columns are removed. `delete`: the person is deleted. Default: `ignore`.',
    ),
  ),
  most_removed_percent: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'In diff mode: when more than 100 rows, and a larger share of all rows than this, are no longer in the table, the sync removes nothing and ends as `config_error`. Default: 50; 100 confirms any removal.',
    }),
  ),
  payload: Type.Optional(column('The column with the members as a JSON object; `PAYLOAD` if there is one.')),
  columns: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 255 }), column('Name of the column.'), {
      maxProperties: 500,
      description:
        'Instead of a payload: the column of each member. Without both, each other column is the member with its name in lower case.',
    }),
  ),
  schedule: Type.Optional(schedule),
  log: Type.Optional(rowLog),
  look_back_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: mostLookBack,
      description:
        'How many seconds after its `UPDATED_AT` a row may be committed: each sync reads so far back again. Rows that were applied before are recognized. Default: 300.',
    }),
  ),
};

export const newIntegration = Type.Object({
  integration_name: integrationName,
  data: oneOf(dataKinds, 'What the rows are.'),
  ...changeable,
});

export type NewIntegration = Omit<Static<typeof newIntegration>, 'columns'> & {
  columns?: Record<string, string>;
};

const { connection, ...others } = changeable;

export const changedIntegration = Type.Object({
  integration_name: Type.Optional(integrationName),
  connection: Type.Optional(connection),
  ...others,
  paused: Type.Optional(Type.Boolean({ description: '`true` stops syncs, until it is `false` again.' })),
});

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
