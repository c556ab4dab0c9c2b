#!/usr/bin/env node
import { realIo } from './io.ts';
import { runCommand } from './program.ts';

// Each write tells the one who writes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.exitCode = await runCommand(process.argv.slice(2), realIo());
