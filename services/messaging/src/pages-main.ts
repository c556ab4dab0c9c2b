import { run } from '@roster/runtime';
import { startPages } from './pages/start-pages.ts';

await run('pages', startPages);
