/** Reads the source of an integration: what is wrong, in words, or three rows as they would be sent. */
import { judgeSettingsOf } from '@roster/access';
import { stringifyExact } from '@roster/contract';
import type { Sources } from '@roster/sources';
import type { IntegrationDocument } from '@roster/store';
import type { WorkspaceTools } from '../command.ts';
import { settingsOf as variablesOf } from '../local.ts';
import { messageOf, type Result, wrong } from '../result.ts';
import { linesOf, section } from '../shown.ts';
import { missedLines } from './follow.ts';

interface Sampled {
  row: object;
  entry?: object;
  problem?: string;
}

const sampledLines = ({ row, entry, problem }: Sampled): string[] => [
  stringifyExact(row),
  problem === undefined ? `  -> ${stringifyExact(entry)}` : `  !! ${problem}`,
];

/** Databases are read in a process of its own, as in a sync: what they answer has bounds there. */
const sample = async (tools: WorkspaceTools, integration: IntegrationDocument) => {
  const { openApart } = await import('@roster/sources');
  const sources = openApart({ env: tools.io.env });
  try {
    return await sampleBy(sources, tools, integration);
  } finally {
    await sources.close();
  }
};

const sampleBy = async (
  sources: Sources,
  { io, settings: workspace }: WorkspaceTools,
  { settings, data, cursor, window, open }: IntegrationDocument,
) => {
  const { createReadCredential } = await import('@roster/channels');
  const { createJudgeRows, entryOf, hasTables, lookBackOf, openRowLog, openTable, readCursor } = await import(
    '@roster/integrations'
  );
  const { CREDENTIALS_DIR, FILES_DIR: filesDir } = variablesOf(io);
  const read = createReadCredential({
    env: io.env,
    dir: CREDENTIALS_DIR,
    command: 'roster integration credential',
  });
  const own = JSON.parse(settings);
  const connection = workspace.integrations.connections.find(({ id }) => id === own.connection);
  const opening = { connection, settings: own, data, read, filesDir, sources };
  const { source, layout } = await openTable(opening);
  const log = await openRowLog(opening);
  try {
    const found = await source.test();
    await log?.test();
    const judgeRows = createJudgeRows();
    const rows = found.sample.map((row): Sampled => {
      const { entry, by, problem } = entryOf(layout, data, row);
      if (!entry) return { row, problem };
      const { refused } = judgeRows({ data, by, entries: [entry] }, judgeSettingsOf(workspace));
      return { row, entry, ...(refused[0] && { problem: refused[0].reason }) };
    });
    const { lag } = await source.clock(new AbortController().signal);
    const last = readCursor(cursor);
    const windowed = { settings, ...(window !== undefined && { window }) };
    const since = last && source.lookBack(last, lookBackOf(windowed));
    // A view may take too long for it.
    const missed = await source
      .missed?.(since, open, new AbortController().signal)
      .catch(() => ({ uncounted: true as const }));
    const isDatabase = connection !== undefined && hasTables(connection);
    return { ...found, layout, rows, lag, isDatabase, missed };
  } finally {
    log?.close();
    await source.close();
  }
};

export const testIntegration = async (
  tools: WorkspaceTools,
  integration: IntegrationDocument,
): Promise<Result> => {
  const {
    columns,
    layout,
    rows,
    lag,
    isDatabase,
    repeated,
    missed = {},
  } = await sample(tools, integration).catch((error) => {
    throw wrong(messageOf(error));
  });
  await tools.store.models.integrations.updateOne(
    { _id: integration._id, state: 'draft' },
    { $set: { state: 'active' } },
  );
  const { updatedAt, tie, identifiers } = layout;
  const named = identifiers.map(({ by, column }) => `${by} in ${column}`).join(', else ');
  const lines = [
    `columns: ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')}`,
    updatedAt === undefined
      ? `each sync reads all rows; identifier: ${named}; rows are told apart by ${tie}`
      : `time of the last change: ${updatedAt}; identifier: ${named}; rows of one moment are told apart by ${tie}`,
    rows.length === 0 && 'there are no rows yet',
    ...section('rows, and the entries that they become:', rows.flatMap(sampledLines)),
    repeated !== undefined &&
      `!! several rows have ${repeated} in ${tie}: ${
        updatedAt === undefined ? 'all but the first of them fail' : 'equal rows of one moment may count once'
      }. Name as key a column that is different in each row`,
    ...missedLines(missed),
    lag === undefined &&
      updatedAt !== undefined &&
      (isDatabase
        ? 'transactions of others are not seen: rows that are committed later than look_back_seconds after the time in them are missed. PostgreSQL shows them after GRANT pg_read_all_stats TO <user>, MySQL and MariaDB after GRANT PROCESS; a replica never does, and those of other servers are never looked at'
        : 'each sync reads all files again; rows are missed that come with a time more than look_back_seconds before the last one that was read'),
  ];
  return {
    json: {
      columns,
      layout,
      rows,
      repeated_key: repeated ?? null,
      missed,
      sees_transactions: lag !== undefined,
    },
    text: linesOf(lines),
  };
};
