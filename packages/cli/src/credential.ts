/** Keeps a credential as a file of CREDENTIALS_DIR: services read it anew, without a restart. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentialFile } from '@roster/access';
import type { Command, Tools } from './command.ts';
import { readAs } from './io.ts';
import { settingsOf } from './local.ts';
import { messageOf, type Result, wrong } from './result.ts';

const possible = new RegExp(credentialFile);
const mostBytes = 64 * 1024;

/** There as a whole or not at all. */
const write = (dir: string, name: string, text: string): void => {
  const draft = join(dir, `.${name}.new`);
  try {
    if (!existsSync(dir)) mkdirSync(dir, { mode: 0o700 });
    writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
    renameSync(draft, join(dir, name));
  } catch (error) {
    throw wrong(
      `cannot write into CREDENTIALS_DIR: ${messageOf(error)}. Where it is a mounted secret, add ${name} to that secret.`,
    );
  }
};

const keep = ({ io }: Tools, name: string): Result => {
  if (!possible.test(name)) throw wrong('a name has letters, digits, ".", "_" and "-", at most 100');
  const { CREDENTIALS_DIR: dir } = settingsOf(io);
  if (!dir) throw wrong('set CREDENTIALS_DIR, the folder that the services read. npm start brings one.');
  const text = readAs(io, '-', (all) => all.trim());
  if (text === '') throw wrong(`nothing came on standard input. Example: ... credential ${name} < file`);
  if (Buffer.byteLength(text) > mostBytes) throw wrong('a credential has at most 64 KB');
  write(dir, name, text);
  return {
    json: { file: name },
    text: `{ file: ${name} }\n`,
    notes: ['Name it so in the file of the workspace. A running Roster reads it within 5 seconds.'],
  };
};

/** Of the families that need credentials. */
export const credentialCommand: { readonly [words: string]: Command } = {
  'credential <name>': {
    about: 'keeps what comes on standard input as a credential, under a name for the file of the workspace',
    run: keep,
  },
};
