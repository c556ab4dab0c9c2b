#!/usr/bin/env node
import { realIo } from './io.ts';
import { runCommand } from './program.ts';

// The reader of a pipe has what it wanted, as `head` has. An export cares for its reader itself.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await runCommand(process.argv.slice(2), realIo());
