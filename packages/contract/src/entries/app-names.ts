/** The app that a name means: of apps with one name, the one of the platform. */
import type { JudgeSettings, NamedApp } from '../operation.ts';
import type { Json } from '../types.ts';

/** `undefined` when the name means no app of the workspace, or several. */
export function appNamed(
  name: string,
  platform: Json | undefined,
  { appNames }: Pick<JudgeSettings, 'appNames'>,
): string | undefined {
  const [app, another] = (appNames.get(name) ?? []).filter((one) => mayRunOn(one, platform));
  return another ? undefined : app?.id;
}

function mayRunOn(app: NamedApp, platform: Json | undefined): boolean {
  return app.platform === undefined || typeof platform !== 'string' || familyOf(platform) === app.platform;
}

/** Pushes to devices of Amazon go the way of Android. */
function familyOf(platform: string): string {
  const known = platform.toLowerCase();
  return /^(kindle|fire)/.test(known) ? 'android' : known;
}
