import './parts/without-heartbeat.ts';
import { track } from './parts/track.ts';

await track({});
