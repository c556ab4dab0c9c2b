// Run by vendor-mongod.ts: node vendor-download.js <folder> <version>. Prints the path of the mongod.
import { MongoBinary } from 'mongodb-memory-server-core';

const [downloadDir = '', version = ''] = process.argv.slice(2);

MongoBinary.getPath({ downloadDir, version, checkMD5: true }).then(
  (path) => console.log(`\n${path}`),
  (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
