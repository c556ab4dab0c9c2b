import { join } from 'node:path';

/** `roster`, the command as it is built. */
export const command = join(import.meta.dirname, '../../bundle/roster.js');
