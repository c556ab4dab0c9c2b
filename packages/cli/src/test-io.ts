/** A world for tests of the commands: texts in, texts out. */
import type { Io } from './io.ts';
import { runCommand } from './program.ts';

interface TestWorld {
  env?: Record<string, string>;
  files?: Record<string, string>;
}

export const anIo = ({ env = {}, files = {} }: TestWorld = {}) => {
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
  };
  return {
    io,
    out: () => said.out,
    err: () => said.err,
    clear() {
      said.out = '';
      said.err = '';
    },
  };
};

/** Runs one command line, and returns its output. */
export const run = async (args: readonly string[], world: TestWorld = {}) => {
  const { io, out, err } = anIo(world);
  const code = await runCommand(args, io);
  return { code, out: out(), err: err() };
};
