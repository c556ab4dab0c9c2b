/** Messages as the sender would write them for one person: its own process does it, so that there is one way only. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseExact, stringifyExact } from '@roster/contract';
import type { Io } from './io.ts';
import { isRecord } from './json.ts';
import { pagesUrlOf, pepperOf, settingsOf } from './local.ts';
import type { Asked, Preview } from './preview.ts';
import { failed } from './result.ts';

const isPreview = (value: unknown): value is Preview => isRecord(value) && Array.isArray(value.unknown);

export const render = async (io: Io, asked: readonly Asked[]): Promise<Preview[]> => {
  const script = fileURLToPath(new URL('./preview-process.js', import.meta.url));
  if (!existsSync(script))
    throw failed('previews need the built command: run "npm start" or "npm run build" once.');
  const { REDIS_URL, MONGO_URL } = settingsOf(io);
  const env = { ...io.env, REDIS_URL, MONGO_URL, ROSTER_SECRET: pepperOf(io), PAGES_URL: pagesUrlOf(io) };
  const child = spawn(process.execPath, [script], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(stringifyExact(asked));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const answer = out === '' ? undefined : parseExact(out);
  if (!Array.isArray(answer) || !answer.every(isPreview))
    throw failed(`the preview failed: ${/^\w*Error: (.*)$/m.exec(err)?.[1] ?? 'no answer'}`);
  return answer;
};
