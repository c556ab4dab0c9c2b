/** From a request of a stranger to a page. Nothing is looked up before the signature of the link is right. */
import type { FormTokens } from '../links/form-token.ts';
import type { Link, LinkKind, Links } from '../links/link.ts';
import type { MinuteLimit } from './bounds.ts';
import type { Center, CenterPage, FindCenter, Shown } from './center.ts';
import { type Notice, noticePage, notices } from './default/notices.ts';
import { type Choice, choiceIn, isEmpty } from './form.ts';
import type { Preferences, ReadPreferences } from './preferences.ts';
import { customPage, ownPage, type PageReply, redirect } from './reply.ts';
import type { Submit, Submitted } from './submission.ts';
import { chooseLanguage } from './words/choose.ts';

const urlEncoded = 'application/x-www-form-urlencoded';

/** The one part of a multipart body that counts; white space and other headers of the part may stand between. */
const multipart =
  /name="?List-Unsubscribe"?[^\r\n]{0,200}\r?\n(?:[^\r\n]{1,200}\r?\n){0,4}\r?\nOne-Click\r?\n/i;

/** RFC 8058: what a mail program posts to the URL of the List-Unsubscribe header. */
const isOneClick = (contentType: string, body: string): boolean =>
  contentType.toLowerCase().startsWith(urlEncoded)
    ? new URLSearchParams(body).get('List-Unsubscribe')?.toLowerCase() === 'one-click'
    : multipart.test(body);

export interface PageRequest {
  method: 'GET' | 'POST';
  /** Without the query. */
  path: string;
  /** The parts of the path that the route names. */
  params: Readonly<Partial<Record<'link' | 'form', string>>>;
  query: string;
  /** Of whoever asks, as limits count it. */
  network: string;
  acceptLanguage: string;
  contentType: string;
  /** Empty when it is not there. */
  header(name: string): string;
  /** Empty for GET. */
  body: string;
}

/** Knows the request and the reply as data, and no web framework. */
export type Answer = (request: PageRequest) => Promise<PageReply>;

/** Method, and path as Express writes it. */
export type Route = readonly [method: 'get' | 'post' | 'all', path: string, answer: Answer];

export interface PagesOptions {
  links: Links;
  tokens: FormTokens;
  readPreferences: ReadPreferences;
  findCenter: FindCenter;
  submit: Submit;
  /** Waits a moment until what the workspace sent before is applied. */
  fresh(ws: string): Promise<unknown>;
  /** How often a network may ask. */
  byNetwork: MinuteLimit;
  /** How often one unsubscribe link may be used: many people share the IPs of their mail service. */
  byLink: MinuteLimit;
}

/** A link that is good, of a person and a preference center that are there. */
interface Opened {
  text: string;
  link: Link;
  center: Center;
  preferences: Preferences;
}

const savedPart = 'saved';
const laterMark = 'later';

const openLink = async ({ readPreferences, findCenter }: PagesOptions, text: string, link: Link) => {
  const center = await findCenter(link.ws, link.center);
  const preferences = center && (await readPreferences(link.ws, link.person));
  return center && preferences && { text, link, center, preferences };
};

const noticeReply = (
  { acceptLanguage }: PageRequest,
  notice: Notice,
  { preferences, pageUrl }: { preferences?: Preferences; pageUrl?: string } = {},
): PageReply => {
  const language = chooseLanguage(preferences?.language, acceptLanguage);
  const headers = notice === 'tooMany' || notice === 'away' ? { 'retry-after': '60' } : {};
  return ownPage(notices[notice].status, noticePage(notice, language, pageUrl), headers);
};

const shownTo = (
  request: PageRequest,
  { preferences, text, link }: Opened,
  { tokens, links }: PagesOptions,
  folder: '' | '../',
): Shown => ({
  preferences,
  language: chooseLanguage(preferences.language, request.acceptLanguage),
  submitUrl: `${text}/${tokens.make(text)}`,
  pageUrl: `../${text}`,
  linkTo: (center) => `${folder}${links.sign({ ...link, center })}`,
  isLater: new URLSearchParams(request.query).has(laterMark),
});

const createShow =
  (options: PagesOptions) =>
  (page: CenterPage) =>
  async (request: PageRequest, opened: Opened): Promise<PageReply> => {
    const { center } = opened;
    const html = await center.render(page, shownTo(request, opened, options, page === 'page' ? '' : '../'));
    return center.scripts === undefined
      ? ownPage(200, html)
      : customPage(html, { hasScripts: center.scripts });
  };
const submittedBy = (opened: Opened, action: Submitted['action'], choice: Choice): Submitted => {
  const { ws, center } = opened.link;
  return { ws, center, person: opened.preferences.person, action, choice };
};

/** Of a statement that nobody could keep, the person learns; the same form can be sent again. */
const createTake = ({ tokens, submit }: PagesOptions) => ({
  async form(request: PageRequest, opened: Opened): Promise<PageReply> {
    const { preferences, text } = opened;
    const { form: token = '' } = request.params;
    const pageUrl = `../${text}`;
    const verdict = tokens.check(text, token);
    if (verdict === 'wrong') return noticeReply(request, 'broken', { preferences, pageUrl });
    const choice = verdict === 'expired' ? undefined : choiceIn(request.body, preferences);
    if (!choice) return noticeReply(request, 'formOld', { preferences, pageUrl });
    if (isEmpty(choice)) return redirect(savedPart);
    const said = await submit({ ...submittedBy(opened, 'preference_center.submit', choice), once: token });
    if (said === 'away') return noticeReply(request, 'away', { preferences });
    return redirect(said === 'applied' ? savedPart : `${savedPart}?${laterMark}`);
  },

  /** Again and again, if a mail program says so again: the person may have subscribed since. */
  async oneClick(request: PageRequest, opened: Opened): Promise<PageReply> {
    const { preferences, link } = opened;
    if (!isOneClick(request.contentType, request.body))
      return noticeReply(request, 'broken', { preferences });
    const choice: Choice =
      link.group === undefined
        ? { emails: 'unsubscribed', groups: new Map() }
        : { groups: new Map([[link.group, 'unsubscribed']]) };
    const said = await submit(submittedBy(opened, 'preference_center.unsubscribe', choice));
    return noticeReply(request, said === 'away' ? 'away' : 'unsubscribed', { preferences });
  },
});

/** The page of the person of an unsubscribe link: opening it in a browser changes nothing. */
const pageInstead = (links: Links, { link }: Opened): PageReply => {
  const { group: _, ...rest } = link;
  return redirect(`../preferences/${links.sign({ ...rest, kind: 'page' })}`);
};

type AnswerOpened = (request: PageRequest, opened: Opened) => PageReply | Promise<PageReply>;

const createOpening =
  (options: PagesOptions) =>
  (kind: LinkKind, answer: AnswerOpened): Answer =>
  async (request) => {
    const { links, fresh, byNetwork, byLink } = options;
    const { method, network, params } = request;
    const { link: text = '' } = params;
    const read = links.read(text);
    const isByLink = kind === 'unsubscribe' && method === 'POST' && read.is === 'good';
    if (!(isByLink ? byLink(text) : byNetwork(network))) return noticeReply(request, 'tooMany');
    if (read.is !== 'good') return noticeReply(request, read.is === 'expired' ? 'expired' : 'broken');
    // Only for those who have a link: waiting costs something.
    if (method === 'GET') await fresh(read.link.ws);
    const opened = read.link.kind === kind ? await openLink(options, text, read.link) : undefined;
    return opened ? answer(request, opened) : noticeReply(request, 'broken');
  };

export const createPages = (options: PagesOptions): { routes: readonly Route[]; other: Answer } => {
  const opening = createOpening(options);
  const show = createShow(options);
  const take = createTake(options);
  const backToPage: AnswerOpened = (_, { text }) => redirect(`../${text}`);
  const toPage: AnswerOpened = (_, opened) => pageInstead(options.links, opened);
  return {
    routes: [
      ['get', '/preferences/:link', opening('page', show('page'))],
      ['get', `/preferences/:link/${savedPart}`, opening('page', show('confirmation'))],
      // A reload of the URL of a form shows the page.
      ['get', '/preferences/:link/{:form}', opening('page', backToPage)],
      ['post', '/preferences/:link{/{:form}}', opening('page', take.form)],
      ['get', '/unsubscribe/:link', opening('unsubscribe', toPage)],
      ['post', '/unsubscribe/:link', opening('unsubscribe', take.oneClick)],
    ],
    other: async (request) => noticeReply(request, options.byNetwork(request.network) ? 'broken' : 'tooMany'),
  };
};
