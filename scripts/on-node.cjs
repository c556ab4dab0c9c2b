// node scripts/on-node.cjs <script> ...: runs it, or says which Node is needed. Plain enough for an old one, which could not read the script.
// Without a script: before a command that is not one of ours.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Roster needs Node 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}

const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const [script] = process.argv.splice(2, 1);
if (script) {
  process.argv[1] = resolve(script);
  import(pathToFileURL(process.argv[1]).href);
}
