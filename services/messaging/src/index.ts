export { openPagesQueue } from './pages/start-pages.ts';
export { createFire } from './sending/fire.ts';
export { startMessaging } from './start.ts';
