export { startMessaging } from './start.ts';
