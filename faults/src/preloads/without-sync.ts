// Writes files and never makes sure that they are on the disk, as if every call that does so had been forgotten.
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const done = (_fd: number, callback: (error: null) => void): void => process.nextTick(callback, null);

Object.assign(fs, { fsyncSync: () => {}, fdatasyncSync: () => {}, fsync: done, fdatasync: done });
const handle = await open('/dev/null');
Object.assign(Object.getPrototypeOf(handle), { sync: async () => {}, datasync: async () => {} });
await handle.close();
syncBuiltinESMExports();
