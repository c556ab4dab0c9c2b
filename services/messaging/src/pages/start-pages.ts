/** Wires the process of the pages: what they read, where a choice goes, what providers of text messages tell, and their server. */
import { openServiceStore } from '@roster/batch';
import {
  type CallCheck,
  type Channels,
  createPhoneUrls,
  createReadCredential,
  openChannels,
  phonePath,
} from '@roster/channels';
import { openLiquid, type Templates } from '@roster/liquid';
import { openWatch, reportProcess } from '@roster/queue';
import { environment, type Running, readyWhen } from '@roster/runtime';
import { secretsOf } from '@roster/secrets';
import type { Store } from '@roster/store';
import { createFindCenter, type FindCenterOptions } from '../centers/find-center.ts';
import { createFormTokens } from '../links/form-token.ts';
import { createLinks } from '../links/link.ts';
import { createPhoneCalls, type PhoneOptions, phoneRoute } from '../phone/calls.ts';
import { createHelp } from '../phone/help.ts';
import { createPhoneOf } from '../phone/phone-of.ts';
import { createSenderSettings } from '../sending/settings.ts';
import { createWriteReports } from '../sending/write-report.ts';
import {
  createMinuteLimit,
  createPlaces,
  type MinuteLimit,
  perCenterAndMinute,
  perLinkAndMinute,
  usualBounds,
} from './bounds.ts';
import { openPagesQueue, type PagesContext, type PagesQueue } from './open-pages-queue.ts';
import { createPages } from './pages.ts';
import { createPreferences } from './preferences.ts';
import { type PageServerOptions, startPageServer } from './server.ts';

interface PagesParts {
  store: Store;
  queue: PagesQueue;
  liquid: Templates;
  channels: Channels;
  byNetwork: MinuteLimit;
}

/** What fault tests exchange. */
export interface PagesReplacements
  extends Pick<PageServerOptions, 'readForm' | 'bounds'>,
    Pick<FindCenterOptions, 'withHead'> {
  pagesQueue?: typeof openPagesQueue;
}

const callFaults: { readonly [Check in CallCheck]?: string } = {
  wrong: 'a call of a provider of text messages was refused: its signature is wrong',
  unsigned:
    'a call of a provider of text messages was believed by its address alone: the address is of an earlier version, or the credential does not say how calls are signed',
};

/** A line a minute for each app says what is wrong; the metric counts. */
const tellCalls = ({ log, metrics }: PagesContext): PhoneOptions['onCall'] => {
  const calls = metrics.counter({
    name: 'roster_phone_calls_total',
    help: 'Calls of providers of text messages, by whether their signature is right.',
    labels: ['check'],
  });
  const mayTell = createMinuteLimit({ perMinute: 1 });
  return ({ ws, app, channel }, check) => {
    calls.with(check).inc();
    const says = callFaults[check];
    if (says !== undefined && mayTell(`${ws}/${app}/${channel}/${check}`))
      log.warn({ ws, kind: channel, name: app }, says);
  };
};

const phoneOf = (context: PagesContext, { store, queue, channels, byNetwork }: PagesParts) => {
  const { config } = context;
  const urls = createPhoneUrls(secretsOf(config));
  const settingsOf = createSenderSettings(store);
  return {
    isOfProvider: (path: string): boolean =>
      path.startsWith(phonePath) && urls.read(path.slice(phonePath.length)) !== undefined,
    phone: createPhoneCalls({
      urls,
      settingsOf,
      readCredential: createReadCredential({ env: environment(), dir: config.CREDENTIALS_DIR }),
      answerHelp: createHelp({ store, channels, settingsOf, charge: queue.charge(store) }),
      writeReports: createWriteReports(store),
      say: queue.say({ store, settingsOf }),
      phoneOf: createPhoneOf(store),
      onCall: tellCalls(context),
      byNetwork,
    }),
  };
};

const pagesOf = (
  { config, log, metrics }: PagesContext,
  { store, queue, liquid, byNetwork }: PagesParts,
  { withHead }: PagesReplacements,
): ReturnType<typeof createPages> => {
  const instead = metrics.counter({
    name: 'roster_pages_default_instead_total',
    help: 'Default pages that were shown because a preference center, or those of its workspace, are opened too often.',
  });
  return createPages({
    links: createLinks(secretsOf(config)),
    tokens: createFormTokens(secretsOf(config)),
    readPreferences: createPreferences(store),
    findCenter: createFindCenter({
      store,
      liquid,
      byCenter: createMinuteLimit({ perMinute: perCenterAndMinute }),
      rendering: createPlaces(usualBounds.rendering),
      onBusy: instead.with().inc,
      ...(withHead && { withHead }),
      onFault: (center, { fault }) => log.warn({ center, fault }, 'rendering a preference center failed'),
    }),
    submit: queue.submit,
    fresh: queue.freshNow,
    byNetwork,
    byLink: createMinuteLimit({ perMinute: perLinkAndMinute }),
  });
};

export const startPages = async (
  context: PagesContext,
  { pagesQueue = openPagesQueue, ...replacements }: PagesReplacements = {},
): Promise<Running> => {
  const { config, log, metrics } = context;
  const store = await openServiceStore('pages', context);
  const watch = openWatch({
    url: config.REDIS_URL,
    onError: (err) => log.warn({ err }, 'the watch thread has failed'),
  });
  const report = reportProcess(config.REDIS_URL, context.processor);
  const queue = pagesQueue(context);
  const [liquid, channels] = [openLiquid(), openChannels()];
  const byNetwork = createMinuteLimit({ perMinute: config.PAGES_PER_MINUTE });
  const parts = { store, queue, liquid, channels, byNetwork };
  const answered = metrics.counter({
    name: 'roster_pages_total',
    help: 'Requests for pages of preference centers, by the status of their answers.',
    labels: ['status'],
  });
  const { routes, other } = pagesOf(context, parts, replacements);
  const { isOfProvider, phone } = phoneOf(context, parts);
  const server = await startPageServer({
    routes: [['all', phoneRoute, phone], ...routes],
    other,
    isOfProvider,
    host: config.HOST,
    port: config.PAGES_PORT,
    trustedProxies: config.TRUSTED_PROXIES,
    ready: readyWhen({ Redis: queue.answers, MongoDB: store.ping }),
    log,
    onAnswer: (status) => answered.with(String(status)).inc(),
    ...replacements,
  });
  return {
    ready: server.ready,
    port: server.port,
    async stop() {
      await server.close();
      await channels.close();
      await queue.close();
      await liquid.close();
      await watch.close();
      report.close();
      await store.close();
    },
  };
};
