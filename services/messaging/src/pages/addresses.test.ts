/** What the page server answers to each method and address, byte for byte. By bare sockets: a client would put odd addresses right and leave out headers. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { phonePath } from '@roster/channels';
import { createFormTokens } from '../links/form-token.ts';
import { createLinks, type LinkKind } from '../links/link.ts';
import { phoneRoute } from '../phone/calls.ts';
import { type Answer, createPages } from './pages.ts';
import { plainText } from './reply.ts';
import type { PageServer } from './server.ts';
import { startTestServer } from './testbed.ts';

const secret = 'a secret for tests only';
const links = createLinks(secret);
const tokens = createFormTokens(secret);

const linkFor = (kind: LinkKind): string =>
  links.sign({ kind, ws: 'demo', center: 'c-1', person: 's-1', expires: 9e9 });
const [page, unsubscribe] = [linkFor('page'), linkFor('unsubscribe')];
const preferences = {
  ...{ ws: 'demo', person: 's-1', sender: 'Demo', hasPhone: false, emails: null },
  groups: [{ id: 'news', name: 'News', channel: 'email' as const, state: null }],
};

const { routes, other } = createPages({
  links,
  tokens,
  readPreferences: async () => preferences,
  findCenter: async () => ({ render: async (which, { isLater }) => `${which}${isLater ? ', later' : ''}` }),
  submit: async () => 'queued',
  fresh: async () => {},
  byNetwork: () => true,
  byLink: () => true,
});

const tellBack: Answer = async ({ method, path, query, body }) =>
  plainText(200, [method, path, query, body].join());

let server: PageServer;
beforeAll(async () => {
  server = await startTestServer({
    routes: [['all', phoneRoute, tellBack], ...routes],
    other,
    isOfProvider: (path) => path === `${phonePath}known`,
    ready: async () => 'MongoDB is away',
  });
});
afterAll(() => server.close());

const robots = 'User-agent: *\nDisallow: /\n';
const last = 'GET /robots.txt HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

/** All bytes of the answer. A last request on the same connection shows where it ends, and whether the connection stays. */
const answerTo = async (request: string): Promise<{ answer: string; stays: boolean }> => {
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  let text = '';
  socket
    .on('error', () => {})
    .on('data', (data: Buffer) => {
      text += data.toString('latin1');
    });
  socket.write(`${request}${last}`, 'latin1');
  await once(socket, 'close');
  const answers = text.replace(/^Date: .*\r\n/gm, '').split(/(?=HTTP\/1\.1 \d)/);
  return { answer: answers[0] ?? '', stays: answers.length === 2 && answers[1]?.endsWith(robots) === true };
};

const common = `cache-control: no-store
referrer-policy: no-referrer
x-robots-tag: noindex, nofollow
x-content-type-options: nosniff
x-frame-options: DENY
cross-origin-opener-policy: same-origin
cross-origin-resource-policy: same-origin
permissions-policy: camera=(), geolocation=(), microphone=()
content-security-policy: default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const heads = {
  page: `content-type: text/html; charset=utf-8\n${common}; style-src 'sha256-STYLE'`,
  text: `content-type: text/plain; charset=utf-8\n${common}`,
};

/** The answer in short, once every header of it stands where it should. */
const shortOf = (answer: string, stays: boolean, isHead: boolean): string => {
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  const [first = '', ...lines] = head.replace(/sha256-[^']+/, 'sha256-STYLE').split('\r\n');
  const kind = lines[0]?.includes('html') ? 'page' : 'text';
  const more = lines.find((line) => /^(location|retry-after): /.test(line));
  const length = lines.find((line) => line.startsWith('content-length: ')) ?? '';
  const kept = ['Connection: keep-alive', 'Keep-Alive: timeout=5'];
  const expected = [
    ...heads[kind].split('\n'),
    ...(more === undefined ? [] : [more]),
    ...(stays ? [length, ...kept] : ['connection: close', length]),
  ];
  expect(lines).toEqual(expected);
  if (isHead) expect(body).toBe('');
  else expect(length).toBe(`content-length: ${Buffer.byteLength(body, 'latin1')}`);
  const said =
    kind === 'text' || body.length < 20
      ? body.trim().replace('\n', ' ')
      : /<title>(.*)<\/title>/.exec(body)?.[1];
  return [first.slice('HTTP/1.1 '.length), kind, more, isHead ? length : said, ...(stays ? [] : ['closed'])]
    .filter((part) => part !== undefined && part !== '')
    .join(' | ');
};

const send = async (line: string, body?: string, headers = ''): Promise<string> => {
  const length = body === undefined ? '' : `content-length: ${body.length}\r\n`;
  const { answer, stays } = await answerTo(
    `${line} HTTP/1.1\r\nhost: x\r\n${headers}${length}\r\n${body ?? ''}`,
  );
  return shortOf(answer, stays, line.startsWith('HEAD '));
};

const form = 'content-type: application/x-www-form-urlencoded\r\n';
const oneClick = 'List-Unsubscribe=One-Click';
const choice = 'shown.group.news=unsubscribed&group.news=subscribed';

const filled = (line: string): string =>
  line.replace('PAGE', page).replace('UNSUBSCRIBE', unsubscribe).replace('TOKEN', tokens.make(page));

const broken = '404 Not Found | page | This link does not work';
const notAllowed = '405 Method Not Allowed | page | This link does not work';
const toPage = `303 See Other | page | location: ../${page}`;

it.each([
  ['/robots.txt', '200 OK | text | User-agent: * Disallow: /'],
  ['/health/live?x=y', '200 OK | text | ok'],
  ['/health/ready', '503 Service Unavailable | text | MongoDB is away'],
  ['/preferences/PAGE', '200 OK | page | page'],
  ['/preferences/PAGE?later', '200 OK | page | page, later'],
  ['/preferences/PAGE/', toPage],
  ['/preferences/PAGE/saved', '200 OK | page | confirmation'],
  ['/preferences/PAGE/saved?later', '200 OK | page | confirmation, later'],
  ['/preferences/PAGE/saved/', broken],
  ['/preferences/PAGE/TOKEN', toPage],
  ['/preferences/PAGE/saved/x', broken],
  ['/preferences/UNSUBSCRIBE', broken],
  ['/preferences', broken],
  ['/preferences/', broken],
  ['/unsubscribe/UNSUBSCRIBE', `303 See Other | page | location: ../preferences/${page}`],
  ['/unsubscribe/UNSUBSCRIBE/', broken],
  ['/unsubscribe/UNSUBSCRIBE/x', broken],
  ['/unsubscribe/PAGE', broken],
  ['/phone/x?a=%41&b', '200 OK | text | GET,/phone/x,a=%41&b,'],
  ['/phone/', '200 OK | text | GET,/phone/,,'],
  ['/phone/x/y', '200 OK | text | GET,/phone/x/y,,'],
  ['/phone', broken],
  ['/', broken],
])('GET %s', async (target, expected) => {
  expect(await send(filled(`GET ${target}`))).toBe(expected);
});

describe('in another spelling', () => {
  it.each([
    ['/Robots.txt', broken],
    ['/robots.txt/', broken],
    ['/robots.txt;x', broken],
    ['/robots.txt#x', broken],
    ['/%72obots.txt', broken],
    ['http://x/robots.txt', broken],
    ['/health/live/', broken],
    ['/Preferences/PAGE', broken],
    ['//preferences/PAGE', broken],
    ['/preferences//PAGE', broken],
    ['/x/../preferences/PAGE', broken],
    ['/%70references/PAGE', broken],
    ['/preferences/PAGE%2fsaved', broken],
    ['/preferences/PAGE/%73aved', toPage],
    ['/preferences/PAGE#x', broken],
    ['http://x/preferences/PAGE', broken],
    ['/preferences/%ff', broken],
    ['/phone/%ff', '200 OK | text | GET,/phone/%ff,,'],
    ['/Phone/x', broken],
    ['/a%', broken],
    ['*', broken],
  ])('GET %s', async (target, expected) => {
    expect(await send(filled(`GET ${target}`))).toBe(expected);
  });
});

describe('other methods', () => {
  it.each([
    ['HEAD /preferences/PAGE', '200 OK | page | content-length: 4'],
    ['HEAD /robots.txt', '200 OK | text | content-length: 26'],
    ['POST /robots.txt', '200 OK | text | User-agent: * Disallow: /'],
    ['DELETE /health/live', '200 OK | text | ok'],
    ['DELETE /preferences/PAGE', notAllowed],
    ['PUT /phone/x', notAllowed],
    ['OPTIONS /preferences/PAGE', notAllowed],
    ['TRACE /', notAllowed],
    ['PROPFIND /x', notAllowed],
  ])('%s', async (line, expected) => {
    expect(await send(filled(line))).toBe(expected);
  });
});

describe('with a body', () => {
  const large = 'x'.repeat(25_000);
  const json = 'content-type: application/json\r\n';
  const zipped = `${form}content-encoding: gzip\r\n`;
  const saved = '303 See Other | page | location: saved';
  const tooLarge = '413 Payload Too Large | page | This link does not work | closed';

  it.each([
    ['POST /preferences/PAGE/TOKEN', form, 'x=y', saved],
    ['POST /preferences/PAGE/TOKEN', form, choice, `${saved}?later`],
    ['POST /preferences/PAGE/TOKEN', zipped, choice, `${saved}?later`],
    ['POST /preferences/PAGE/TOKEN', form, large, tooLarge],
    ['POST /preferences/PAGE', form, choice, broken],
    ['POST /preferences/PAGE/', form, choice, broken],
    ['POST /preferences/PAGE/saved', form, choice, broken],
    ['POST /preferences/PAGE/TOKEN/', form, choice, broken],
    ['POST /unsubscribe/UNSUBSCRIBE', form, oneClick, '200 OK | page | You are unsubscribed'],
    ['POST /unsubscribe/UNSUBSCRIBE', form, 'x', broken],
    ['POST /unsubscribe/UNSUBSCRIBE/x', form, oneClick, broken],
    ['POST /phone/x?y', form, 'told', '200 OK | text | POST,/phone/x,y,told'],
    ['POST /phone/known', json, large, `200 OK | text | POST,/phone/known,,${large}`],
    ['POST /phone/x', json, large, tooLarge],
    ['POST /nothing', form, 'x', broken],
    ['GET /preferences/PAGE', form, 'x', '200 OK | page | page | closed'],
    ['DELETE /x', form, 'x', `${notAllowed} | closed`],
  ])('%s', async (line, headers, body, expected) => {
    expect(await send(filled(line), body, headers)).toBe(expected);
  });
});

it('nothing is answered from the memory of the browser', async () => {
  expect(await send(`GET /preferences/${page}`, undefined, 'if-none-match: *\r\n')).toContain('200 OK');
});
