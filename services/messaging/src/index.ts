export { openPagesQueue } from './pages/start-pages.ts';
export { startMessaging } from './start.ts';
