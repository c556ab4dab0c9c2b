export { openPagesQueue } from './pages/open-pages-queue.ts';
export { startPages } from './pages/start-pages.ts';
export { createFire } from './sending/fire.ts';
export { startMessaging } from './start.ts';
export { startSender } from './start-sender.ts';
export { liftLimits } from './without-bounds.ts';
