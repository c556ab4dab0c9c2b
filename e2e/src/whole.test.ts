/** The interface from outside: every file of `whole/` with the same services. */
import { playAll } from './shared.ts';

playAll('whole');
