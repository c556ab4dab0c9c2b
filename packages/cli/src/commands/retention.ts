import { setTimeout as sleep } from 'node:timers/promises';
import { type AskedRun, type AskingRun, askNow, scheduleOf } from '@roster/queue';
import { workspaceOf } from '../chosen-workspace.ts';
import { type Family, type Tools, wholeNumber } from '../command.ts';
import { failed, type Result } from '../result.ts';

interface RetentionOptions {
  workspace?: string;
  /** Seconds. */
  wait: number;
}

const lookEveryMs = 200;

const ended = async (asking: AskingRun, ms: number): Promise<AskedRun> => {
  for (const until = performance.now() + ms; ; await sleep(lookEveryMs)) {
    const asked = await asking.look();
    if (asked.state === 'done' || asked.state === 'failed' || performance.now() > until) return asked;
  }
};

const rowsIn = (result: unknown): string => {
  const { events = '?', purchases = '?' } = (result ?? {}) as { events?: unknown; purchases?: unknown };
  return `${events} events and ${purchases} purchases rolled up`;
};

const texts: Readonly<Record<AskedRun['state'], (asked: AskedRun) => string>> = {
  done: ({ result }) => rowsIn(result),
  failed: ({ result }) => `it failed: ${result}`,
  running: () => 'it is under way; the log of the track service tells when it is done',
  waiting: () => 'no process has begun yet: is a track service running? It is done as soon as one is free.',
};

const runRetention = async ({ servers }: Tools, { workspace, wait }: RetentionOptions): Promise<Result> => {
  if (workspace !== undefined) await workspaceOf(servers, workspace);
  const data = { ...(workspace !== undefined && { workspace }) };
  const asking = await askNow(await servers.redis(), scheduleOf('retention'), data);
  try {
    const asked = await ended(asking, wait * 1000);
    if (asked.state === 'failed') throw failed(texts.failed(asked));
    return { json: { id: asking.id, ...asked }, text: `${texts[asked.state](asked)}\n` };
  } finally {
    await asking.close();
  }
};

const help = `
Events and purchases that are older than their workspace keeps them (retention.event_days, 90 by default) are rolled up into totals
of each person and name (first, last, count, revenue) and removed. The track service does so once a day, in small steps; this command has
it done now. It can be stopped and repeated at any time: everything counts once.

Examples:
  $ roster retention run
  $ roster retention run --workspace shop --wait 600 --json`;

export const retentionCommands: Family = {
  about: 'roll up and remove what is too old',
  example: 'roster retention run',
  commands: {
    run: {
      about: 'do it now, not at its time of the day',
      flags: {
        '--workspace <id>': 'only in this workspace',
        '--wait <seconds>': wholeNumber('how long to wait for its end', [0, 86_400], 30),
      },
      help,
      run: runRetention,
    },
  },
};
