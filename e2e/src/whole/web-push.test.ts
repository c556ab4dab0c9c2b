/** A push that the product sends, in a real browser: the service worker of docs/messaging.md shows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, usePeer } from '@roster/testkit';
import type { Browser, CDPSession, Page, WebWorker } from 'puppeteer-core';
import { usePushService } from '../push-service.ts';
import { useWhole, useWorkspace } from '../shared.ts';
import { mayAskHere } from '../system.ts';
import { openBrowser } from './browser.ts';

const service = usePushService(useWhole());
const system = useWorkspace('web-push', (usual) => ({
  ...mayAskHere(usual),
  apps: [{ id: 'web', name: 'Web', channels: service.channels() }],
}));

const docs = readFileSync(join(__dirname, '../../../docs/messaging.md'), 'utf8');
const [, script = ''] = /`\/push\.js`[^`]*```js\n(.*?)```/s.exec(docs) ?? [];

/** The site of the shop. */
const site = usePeer(({ url }, response) => {
  const isScript = url === '/push.js';
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  response.end(isScript ? script : '<title>Shop</title>');
});

/** `headless_shell` has no place for notifications, and says that they are denied. There the service worker gets one that only keeps them. */
const place = `{
  const shown = [];
  registration.showNotification = async (title, options) => void shown.push({ title, ...options });
  registration.getNotifications = async () => shown;
}`;

const openWorker = async (browser: Browser, page: Page, origin: string): Promise<WebWorker> => {
  await browser.defaultBrowserContext().overridePermissions(origin, ['notifications']);
  await page.goto(origin);
  await page.evaluate(
    "navigator.serviceWorker.register('/push.js').then(() => navigator.serviceWorker.ready).then(() => {})",
  );
  const target = await browser.waitForTarget((one) => one.type() === 'service_worker');
  const worker = await target.worker();
  if (!worker) throw new Error('there is no service worker');
  if ((await page.evaluate('Notification.permission')) !== 'granted') await worker.evaluate(place);
  return worker;
};

/** As the push service hands it over. */
const deliver = async (session: CDPSession, origin: string, data: string): Promise<void> => {
  const id = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => {
      if (one) resolve(one.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await id, data });
};

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** What the push service gets for the browser. */
const pushed = async (web_push: object): Promise<string> => {
  const push_tokens = [{ app_id: 'web', token: service.subscription('/ada') }];
  await system.track({ attributes: [{ external_id: 'ada', first_name: 'Ada', push_tokens }] });
  const push = { external_user_ids: ['ada'], messages: { web_push } };
  await system.insist((caller) => caller.post('/messages/send').send(push));
  return (await until(() => service.got[0])).text;
};

const members = '({ title, body, icon, image, requireInteraction, actions, data })';
const shownBy = `registration.getNotifications().then((all) => all.map(${members} => ${members}))`;

/** Where a click leads. */
const clickOn = (action: string): string => `registration.getNotifications().then(([notification]) => {
  const opened = [];
  clients.openWindow = (url) => opened.push(url);
  // It stays for the next click.
  notification.close = () => {};
  const click = { notification, action: '${action}', waitUntil() {} };
  dispatchEvent(Object.assign(new Event('notificationclick'), click));
  return opened;
})`;

it('the service worker of the documentation shows all of a push, and its clicks open what they should', async () => {
  const { url: origin } = site;
  const text = await pushed({
    title: 'Sale',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Liquid of the interface
    alert: 'Hello {{${first_name}}} ä',
    custom_uri: 'https://example.com/sale',
    image_url: `${origin}/icon.png`,
    large_image_url: `${origin}/large.png`,
    require_interaction: true,
    extra: { shop: '17' },
    buttons: [
      { text: 'Look', action: 'URI', uri: 'https://example.com/look' },
      { text: 'No', action: 'CLOSE' },
    ],
  });
  const page = await browser.newPage();
  const worker = await openWorker(browser, page, origin);
  await deliver(await page.createCDPSession(), origin, text);
  const [shown] = await until(async () => {
    const all = (await worker.evaluate(shownBy)) as { actions: object[] }[];
    return all.length > 0 && all;
  });
  expect(shown).toMatchObject({
    title: 'Sale',
    body: 'Hello Ada ä',
    icon: `${origin}/icon.png`,
    image: `${origin}/large.png`,
    requireInteraction: true,
    actions: [
      { action: 'button-1', title: 'Look' },
      { action: 'button-2', title: 'No' },
    ],
    data: { shop: '17', url: 'https://example.com/sale' },
  });
  expect(await worker.evaluate(clickOn('button-2'))).toEqual([]);
  expect(await worker.evaluate(clickOn('button-1'))).toEqual(['https://example.com/look']);
  expect(await worker.evaluate(clickOn(''))).toEqual(['https://example.com/sale']);
});
