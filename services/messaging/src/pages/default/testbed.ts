/** For tests: the default preference center, rendered for a person. */
import type { CenterPage } from '../center.ts';
import type { Preferences } from '../preferences.ts';
import { chooseLanguage } from '../words/choose.ts';
import { defaultCenter } from './default-center.ts';

export const aPerson = (more: Partial<Preferences>): Preferences => ({
  ...{ ws: 'demo', person: 'ada', sender: 'Demo', hasPhone: true, emails: null, groups: [] },
  ...more,
});

export const rendered = (name: CenterPage, preferences: Preferences, code = 'en'): Promise<string> => {
  const shown = { preferences, language: chooseLanguage(code), submitUrl: '/submit', pageUrl: '' };
  return defaultCenter.render(name, { ...shown, linkTo: () => '', isLater: false });
};
