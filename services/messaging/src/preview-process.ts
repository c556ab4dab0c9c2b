/** Started by `roster sends preview`: messages come in as one JSON text, and what a person would get of them goes out as one. */
import { text } from 'node:stream/consumers';
import { parseExact, stringifyExact } from '@roster/contract';
import { openLiquid } from '@roster/liquid';
import { environment, loadConfig, serviceConfigs } from '@roster/runtime';
import { openStore } from '@roster/store';
import { createLinks } from './links/link.ts';
import { pageUrlsOf } from './links/page-urls.ts';
import { type Asked, createPreview } from './preview.ts';

const config = loadConfig(serviceConfigs.sender, environment());
const store = await openStore({ url: config.MONGO_URL, appName: 'roster-preview', patienceMs: 0 });
const liquid = openLiquid({ threads: 1 });
const preview = createPreview({ store, liquid, urls: pageUrlsOf(config, createLinks(config.ROSTER_SECRET)) });

const asked = parseExact(await text(process.stdin)) as Asked[];
const all: unknown[] = [];
for (const one of asked) all.push((await preview(one)) ?? null);
await liquid.close();
await store.close();
process.stdout.write(stringifyExact(all));
