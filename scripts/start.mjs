// npm start: the whole system on this machine, until Ctrl-C.
import { prepare } from './prepare.mjs';
import { say } from './progress.mjs';

if (process.argv.length > 2) {
  console.error(
    'npm start takes no options. Variables choose the port and the rest (README.md): PORT=9000 npm start',
  );
  process.exit(2);
}
say('starting Roster; Ctrl-C stops it');
await prepare('compile');
await import('../packages/local-stack/dist/start.js');
