/** Where calls of providers of text messages are believed without a signature, for `roster status`. */
import type { WorkspaceSettings } from '@roster/access';
import type { Io } from './io.ts';
import { credentialsOf } from './send-from.ts';

const channels = ['sms', 'whats_app'] as const;

/** More are counted only. */
const mostNamed = 10;

const why = {
  accepted: 'its credential says so',
  unsigned: 'its credential does not say how they are signed',
} as const;

interface Place {
  settings: WorkspaceSettings;
  app: string;
  channel: (typeof channels)[number];
}

const placesIn = (all: readonly WorkspaceSettings[]): Place[] =>
  all.flatMap((settings) =>
    settings.apps.flatMap((app) =>
      channels.flatMap((channel) => (app.channels?.[channel] ? { settings, app: app.id, channel } : [])),
    ),
  );

/** `unknown`: the credential can't be read where this command runs. */
const checkAt = async (io: Io, { settings, channel, app }: Place) => {
  const { howSigned } = await import('@roster/channels');
  try {
    const { provider } = (await credentialsOf(io, settings, channel, app)) ?? {};
    return provider === undefined ? 'signed' : howSigned(provider);
  } catch {
    // `roster channel test` says what is wrong with it.
    return 'unknown';
  }
};

/** Undefined where all calls are signed, or there is no such channel. */
export const unsignedCalls = async (
  io: Io,
  all: readonly WorkspaceSettings[],
): Promise<string | undefined> => {
  const named: string[] = [];
  let unknown = 0;
  for (const place of placesIn(all)) {
    const check = await checkAt(io, place);
    if (check === 'unknown') unknown += 1;
    else if (check !== 'signed')
      named.push(`${place.settings.id}, ${place.channel} of the app ${place.app} (${why[check]})`);
  }
  const more = named.length - mostNamed;
  const told = [
    ...(named.length > 0 ? [`believed without a signature: ${named.slice(0, mostNamed).join('; ')}`] : []),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(unknown > 0 ? [`not known of ${unknown} whose credentials can not be read here`] : []),
  ];
  return told.length > 0 ? told.join('; ') : undefined;
};
