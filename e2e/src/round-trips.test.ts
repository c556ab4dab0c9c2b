/** People who leave one workspace and come to another: every file of `round-trips/` with the same services. */
import { playAll } from './shared.ts';

playAll('round-trips');
