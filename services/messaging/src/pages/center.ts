/** A preference center as its pages need it: the default one, or one that the workspace made. */
import type { Preferences } from './preferences.ts';
import type { Language } from './words/choose.ts';

/** What a page is made of. */
export interface Shown {
  preferences: Preferences;
  language: Language;
  /** Where the form is sent, as a URL relative to the page. */
  submitUrl: string;
  /** The page itself, as a URL relative to the confirmation. */
  pageUrl: string;
  /** The page of another preference center for the same person, as a URL relative to this page. It ends when the link of this page does. */
  linkTo(center: string): string;
  /** The choice is kept, but not applied yet. */
  isLater: boolean;
}

export type CenterPage = 'page' | 'confirmation';

export interface Center {
  /** Its pages may run their own scripts; `undefined`: they are written by Roster, and have none. */
  scripts?: boolean;
  render(page: CenterPage, shown: Shown): Promise<string>;
}

/** `undefined`: the workspace has none with this id, or it is a draft. */
export type FindCenter = (ws: string, id: string) => Promise<Center | undefined>;
