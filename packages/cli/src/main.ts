#!/usr/bin/env node
import { realIo } from './io.ts';
import { runCommand } from './program.ts';

process.exitCode = await runCommand(process.argv.slice(2), realIo());
