#!/usr/bin/env node
import { allowReadersToGo } from './allow-readers-to-go.ts';
import { realIo } from './io.ts';
import { runCommand } from './program.ts';

allowReadersToGo();
process.exitCode = await runCommand(process.argv.slice(2), realIo());
