// What is fetched or made once is kept outside the checkout, where the local stack keeps its servers, too.
import { homedir } from 'node:os';
import { join } from 'node:path';

const { ROSTER_CACHE, XDG_CACHE_HOME } = process.env;

export const cache = ROSTER_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'roster');
