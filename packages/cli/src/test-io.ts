/** A world for tests of the commands: texts in, texts out. */
import type { Io } from './io.ts';
import { runCommand } from './program.ts';

interface TestWorld extends Pick<Io, 'render'> {
  env?: Record<string, string>;
  files?: Record<string, string>;
}

export const anIo = ({ env = {}, files = {}, ...more }: TestWorld = {}) => {
  const said = { out: '', err: '' };
  const io: Io = {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    env,
    readText(path) {
      const text = files[path];
      if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
      return text;
    },
    now: () => new Date('2026-11-21T12:00:00Z'),
    ...more,
  };
  return { io, out: () => said.out, err: () => said.err };
};

/** Of a command line: what stands in double quotes is one. */
const wordsOf = (line: string): string[] =>
  (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));

/** Runs one command line, and returns its output. */
export const run = async (line: string, world: TestWorld = {}) => {
  const { io, out, err } = anIo(world);
  const code = await runCommand(wordsOf(line), io);
  return { code, out: out(), err: err() };
};

/** What a command says with `--json`. */
export const runJson = async (line: string, world: TestWorld = {}) => {
  const { code, out, err } = await run(`${line} --json`, world);
  if (code !== 0 || err.includes('roster:')) throw new Error(err);
  return JSON.parse(out);
};
