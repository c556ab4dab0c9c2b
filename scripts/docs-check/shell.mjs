// One shell, as a reader keeps it open for a page: what a block sets is there in the next one.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { signalTo } from '../processes.mjs';

const blockMs = 180_000;

/** A command that fails is told, and the next one runs, as in a terminal. Aliases are for terminals only, unless asked for. */
const manners = `
shopt -s expand_aliases
set -E -o pipefail
trap 'echo "(exit code $?: $BASH_COMMAND)" >>"$DOCS_CHECK_FAILED"' ERR
`;

const endOf = (shell) => signalTo(-shell.pid, 'SIGKILL');

/** `scraps` is a folder for its own files; `cwd` is the folder of the reader. */
export const openShell = ({ cwd, scraps, env }) => {
  const failed = join(scraps, 'failed');
  const script = join(scraps, 'block.sh');
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env: { ...env, DOCS_CHECK_FAILED: failed },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  let heard = () => {};
  shell.stdout.setEncoding('utf8').on('data', (data) => {
    output += data;
    heard();
  });
  shell.on('exit', () => heard());
  shell.stdin.on('error', () => {});
  shell.stdin.write(`exec 2>&1\n${manners}`);

  const run = (code) =>
    new Promise((resolve) => {
      const mark = `--- end of block ${Math.random().toString(36).slice(2)} ---`;
      writeFileSync(failed, '');
      writeFileSync(script, `${code}\n`);
      output = '';
      const limit = setTimeout(() => endOf(shell), blockMs);
      heard = () => {
        const isOver = output.includes(mark);
        if (!isOver && shell.exitCode === null && shell.signalCode === null) return;
        clearTimeout(limit);
        resolve({ output: stripVTControlCharacters(output.split(mark)[0]), isOver });
      };
      shell.stdin.write(`. ${script} </dev/null\necho '${mark}'\n`);
    });

  return { run, failed, close: () => endOf(shell) };
};
