/** The door of the board in a real browser, form by form: what a browser sends beside a form is its own choice. */
import { completeCompany, hashPassword } from '@roster/access';
import { startMonitor } from '@roster/monitor-service';
import type { Running } from '@roster/runtime';
import { dashboardClaim } from '@roster/store';
import { contextIn } from '@roster/testkit';
import type { Browser, Page } from 'puppeteer-core';
import request from 'supertest';
import { runRoster } from '../run-roster.ts';
import { useSharedStore, useWhole } from '../shared.ts';
import { expectGood, openBrowser } from './browser.ts';

const whole = useWhole();
const store = useSharedStore();
let monitor: Running;
let browser: Browser;
let page: Page;

const company = completeCompany({ id: 'door', workspaces: [{ name: 'Door', id: 'door' }] });
const userName = 'ada@door.example';
const password = 'correct horse battery staple';

beforeAll(async () => {
  browser = await openBrowser();
  monitor = await startMonitor(await contextIn('monitor', { ...whole.variables, MONITOR_SIGN_IN: 'always' }));
  await store.companies.put(company);
  const permissions = { company: ['admin'], roles: [], workspaces: [] };
  const dates = { at: 1, changed: 1, rev: 1 };
  const kept = await hashPassword(password);
  const user = { _id: 'ada-of-the-door', company: 'door', userName, active: true, permissions };
  await store.dashboard.users.insertOne({ ...user, ...dates, password: kept });
  await store.dashboard.claims.insertOne({ _id: dashboardClaim('door', userName), user: user._id });
});
afterAll(async () => {
  await browser?.close();
  await monitor?.stop();
  await store.dashboard.users.deleteMany({ company: 'door' });
});

beforeEach(async () => {
  await browser.deleteCookie(...(await browser.cookies()));
  page = await browser.newPage();
  page.setDefaultTimeout(0);
});
afterEach(() => page.close());

/** Numbers and `localhost`: two names of one machine, and to a browser two sites. */
const at = (path: string, host = '127.0.0.1'): string => `http://${host}:${monitor.port}${path}`;
const place = (): string => new URL(page.url()).pathname;
const text = (): Promise<unknown> => page.evaluate('document.body.innerText');

/** The text that a browser reads out with a field. */
const ruleOf = (field: string): Promise<unknown> =>
  page.evaluate(
    `document.getElementById(document.querySelector('${field}').getAttribute('aria-describedby'))?.innerText`,
  );

const press = async (): Promise<number | undefined> => {
  const [answer] = await Promise.all([page.waitForNavigation(), page.click('button:not([type=button])')]);
  return answer?.status();
};

const signIn = async (word = password, host?: string): Promise<number | undefined> => {
  await page.goto(at('/', host));
  expect(place()).toBe('/sign-in');
  await page.type('#userName', userName);
  await page.type('#password', word);
  return press();
};

it.each(['127.0.0.1', 'localhost'])('lets somebody in who asks for %s, and out again', async (host) => {
  expect(await signIn(password, host)).toBe(200);
  expect([place(), await text()]).toEqual(['/', expect.stringContaining('Outbox')]);
  await page.goto(at('/board', host));
  await page.waitForSelector('a[href*="/board/queue/"]');
  await page.goto(at('/sign-out', host));
  await press();
  await page.goto(at('/board', host));
  expect(place()).toBe('/sign-in');
});

it('says so when the password is wrong, and takes the right one on the same page', async () => {
  expect(await signIn('a wrong one')).toBe(401);
  expect(await text()).toContain('do not sign anybody in');
  expect(await page.evaluate('document.querySelector("#userName").value')).toBe(userName);
  await page.type('#password', password);
  expect(await press()).toBe(200);
  expect(place()).toBe('/');
});

it('asks once more when the session has ended, and goes on to the page that was asked for', async () => {
  await signIn();
  expect(await text()).toContain(`Signed in as ${userName}. Sign out`);
  await store.dashboard.sessions.deleteMany({ user: 'ada-of-the-door' });
  await page.goto(at('/outbox?workspace=door'));
  expect(place()).toBe('/sign-in');
  await page.type('#userName', userName);
  await page.type('#password', password);
  await press();
  expect(page.url()).toBe(at('/outbox?workspace=door'));
});

it('leads who is signed in from a link on another site to its page', async () => {
  await signIn();
  await page.goto(at('/sign-in', 'localhost'));
  await page.evaluate(`document.body.innerHTML = '<a href="${at('/outbox?workspace=door')}">x</a>'`);
  await Promise.all([page.waitForNavigation(), page.click('a')]);
  expect([page.url(), await text()]).toEqual([
    at('/outbox?workspace=door'),
    expect.stringContaining(userName),
  ]);
});

it('lets somebody in who was invited, with a password of their choice', async () => {
  const args = ['dashboard', 'invite', 'bob@door.example', '--workspace', 'door', '--json'];
  const { out } = await runRoster({ ...whole.variables, BOARD_URL: at('') }, args);
  const { link } = JSON.parse(out) as { link: string };
  await page.goto(link);
  await expectGood(page, 'invite');
  expect(await ruleOf('#password')).toMatch(/^12 to 200 characters\./);
  await page.type('#password', 'too short');
  await page.click('button:not([type=button])');
  // The browser says so itself, and asks nobody.
  expect(await page.evaluate('document.querySelector("#password").validity.tooShort')).toBe(true);
  await page.type('#password', ' passwordpassword'.repeat(12));
  expect(await press()).toBe(400);
  expect(await text()).toContain('at most');
  await page.type('#password', 'chosen by Bob himself');
  expect([await press(), place()]).toEqual([200, '/']);
  await page.goto(link);
  expect(await text()).toContain('This link is over');
  await expectGood(page, 'invite-over');
});

it('tells the rule of a new password on the account page, too', async () => {
  await signIn();
  await page.goto(at('/account'));
  expect(await ruleOf('#password-new')).toMatch(/^12 to 200 characters\./);
});

it('says without JavaScript what to do instead of looking at the board', async () => {
  await signIn();
  await page.setJavaScriptEnabled(false);
  await page.goto(at('/board'));
  await page.setJavaScriptEnabled(true);
  expect(await text()).toMatch(/^The board needs JavaScript.* roster status .* roster dead list /s);
  expect(await text()).not.toContain('Loading');
});

it('is not opened by the form of another site', async () => {
  const fields = `<input name=userName value="${userName}"><input name=password value="${password}">`;
  const form = `<form method=post action="${at('/sign-in')}">${fields}<button>x</button></form>`;
  await page.goto(at('/sign-in', 'localhost'));
  await page.setBypassCSP(true);
  await page.goto(at('/sign-in', 'localhost'));
  await page.evaluate(`document.body.innerHTML = ${JSON.stringify(form)}`);
  expect(await press()).toBe(403);
});

describe('a passkey', () => {
  /** A device as Chromium plays one. */
  const withDevice = async () => {
    const client = await page.createCDPSession();
    await client.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
    } as const;
    const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, automaticPresenceSimulation: true },
    });
    return { forget: () => client.send('WebAuthn.clearCredentials', { authenticatorId }) };
  };

  const submit = async (selector: string): Promise<number | undefined> => {
    const [answer] = await Promise.all([page.waitForNavigation(), page.click(selector)]);
    return answer?.status();
  };
  const shownProblem = () =>
    page.waitForFunction('document.querySelector("#problem:not([hidden])")?.innerText');

  const addOne = async (name: string): Promise<void> => {
    await signIn(password, 'localhost');
    await page.goto(at('/account', 'localhost'));
    await page.type('#passkey-name', name);
    await page.type('#passkey-current', password);
    expect(await submit('form:has(#passkey-name) button:last-of-type')).toBe(200);
    await expectGood(page, 'new-passkey');
    expect(await submit('form[data-passkey] button')).toBe(200);
  };

  afterEach(() =>
    store.dashboard.users.updateOne({ _id: 'ada-of-the-door' }, { $unset: { passkeys: true } }),
  );

  it('is added, asked for after the password, and works once', async () => {
    await withDevice();
    await addOne('My laptop');
    expect(await text()).toContain('The passkey My laptop is added.');
    await page.goto(at('/sign-out', 'localhost'));
    await press();
    const posted: string[] = [];
    page.on('request', (request) => void posted.push(request.postData() ?? ''));
    expect(await signIn(password, 'localhost')).toBe(200);
    await expectGood(page, 'passkey');
    expect(place()).toBe('/sign-in');
    expect(await submit('form[data-passkey] button')).toBe(200);
    expect([place(), await text()]).toEqual(['/', expect.stringContaining(`Signed in as ${userName}`)]);
    const answer = posted.find((body) => body.includes('answer=%7B')) ?? '';
    const again = await request(at('/sign-in/passkey', 'localhost')).post('').type('form').send(answer);
    expect([again.status, again.headers['set-cookie']]).toEqual([401, undefined]);
    const { passkeys } = (await store.dashboard.users.findOne({ _id: 'ada-of-the-door' })) ?? {};
    expect(passkeys).toMatchObject([{ name: 'My laptop', host: 'localhost', counter: 2 }]);
    await page.goto(at('/account', 'localhost'));
    await expectGood(page, 'account');
  });

  it('of another device, or at another address, signs nobody in', async () => {
    const device = await withDevice();
    await addOne('My laptop');
    await page.goto(at('/sign-out', 'localhost'));
    await press();
    await device.forget();
    await signIn(password, 'localhost');
    await page.click('form[data-passkey] button');
    expect(await (await shownProblem()).jsonValue()).toContain('No passkey has answered');
    expect(await signIn(password, '127.0.0.1')).toBe(401);
    expect(await text()).toContain('is for localhost: open the board there');
  });

  it('that is lost is forgotten by who runs Roster', async () => {
    await withDevice();
    await addOne('My laptop');
    const args = ['dashboard', 'invite', userName, '--company', 'door', '--forget-passkeys', '--json'];
    const { out } = await runRoster({ ...whole.variables, BOARD_URL: at('', 'localhost') }, args);
    await page.goto(at('/', 'localhost'));
    expect(place()).toBe('/sign-in');
    await page.goto((JSON.parse(out) as { link: string }).link);
    await page.type('#password', password);
    expect([await press(), place()]).toEqual([200, '/']);
  });
});

it('shows a password that is typed, and hides it again', async () => {
  await page.goto(at('/sign-in'));
  await page.type('#password', 'typed');
  const type = () => page.evaluate('document.querySelector("#password").type');
  await page.click('.quiet-button');
  expect(await type()).toBe('text');
  await expectGood(page, 'sign-in-shown');
  await page.click('.quiet-button');
  expect(await type()).toBe('password');
});
