#!/usr/bin/env node
import { realIo } from './io.ts';
import { runCommand } from './program.ts';

// The reader of a pipe has what it wanted, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await runCommand(process.argv.slice(2), realIo());
