/** The preference center of workspaces that made none: usable by keyboard and screen reader, without script. */
import { emailField, groupField } from '@roster/liquid';
import { escapeHtml } from '@roster/runtime';
import type { Center, Shown } from '../center.ts';
import { everythingField, mostGroups, shownField } from '../form.ts';
import { type GroupState, getsEmails, isOn, type Preferences, reachingGroups } from '../preferences.ts';
import type { Words } from '../words/en.ts';
import { documentOf } from './document.ts';

/** As many as a form may hold, those of emails first. */
const groupsFor = (preferences: Preferences) => {
  const groups = reachingGroups(preferences);
  const emails = groups.filter(({ channel }) => channel === 'email').slice(0, mostGroups);
  return [
    emails,
    groups.filter(({ channel }) => channel === 'sms').slice(0, mostGroups - emails.length),
  ] as const;
};

interface Box {
  id: string;
  name: string;
  label: string;
  hint?: string | undefined;
  isOn: boolean;
}

/** `opted_in` is shown like `subscribed`, and no state like the one that has the same effect: none of them changes until the box is used. */
const htmlOf = ({ id, name, label, hint, isOn }: Box): string =>
  `<div class="choice"><input type="hidden" name="${escapeHtml(shownField(name))}" value="${
    isOn ? 'subscribed' : 'unsubscribed'
  }"><input type="checkbox" id="${id}" name="${escapeHtml(name)}" value="subscribed"${isOn ? ' checked' : ''}${
    hint === undefined ? '' : ` aria-describedby="${id}-hint"`
  }><div class="what"><label for="${id}">${escapeHtml(label)}</label>${
    hint === undefined ? '' : `<p class="quiet" id="${id}-hint">${escapeHtml(hint)}</p>`
  }</div></div>`;

const boxOf = (group: GroupState, id: string): Box => ({
  id,
  name: groupField(group.id),
  label: group.name,
  hint: group.description,
  isOn: isOn(group),
});

const boxes = (legend: string, all: readonly Box[]): string =>
  all.length === 0
    ? ''
    : `<fieldset class="card"><legend>${escapeHtml(legend)}</legend>${all.map(htmlOf).join('')}</fieldset>`;

/** Buttons show no state. The first one is that of the Enter key. */
const buttons = ({ save, unsubscribeAll, unsubscribeAllHint }: Words): string =>
  `<button class="button" type="submit">${escapeHtml(save)}</button>
<button class="button plain" type="submit" id="everything" name="${everythingField}" value="1" aria-describedby="everything-hint">${escapeHtml(unsubscribeAll)}</button>
<p class="quiet" id="everything-hint">${escapeHtml(unsubscribeAllHint)}</p>`;

const page = ({ preferences, language, submitUrl }: Shown): string => {
  const { words } = language;
  const { sender, hiddenEmail } = preferences;
  const intro = hiddenEmail === undefined ? words.introWithoutEmail : words.intro(hiddenEmail);
  const [mails, texts] = groupsFor(preferences);
  const allEmails: Box = {
    id: 'emails',
    name: emailField,
    label: words.allEmails,
    hint: words.allEmailsHint,
    isOn: getsEmails(preferences),
  };
  const main = [
    `<p class="quiet">${escapeHtml(intro)}</p>`,
    allEmails.isOn ? '' : `<div class="note"><p>${escapeHtml(words.unsubscribedNow)}</p></div>`,
    `<form method="post" action="${escapeHtml(submitUrl)}">`,
    boxes(words.emails, [allEmails, ...mails.map((group, place) => boxOf(group, `email-${place}`))]),
    boxes(
      words.texts,
      texts.map((group, place) => boxOf(group, `text-${place}`)),
    ),
    buttons(words),
    '</form>',
  ];
  return documentOf(language, { title: words.title, sender, main: main.filter(Boolean).join('\n') });
};

const listOf = (heading: string, names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `<h2>${escapeHtml(heading)}</h2><ul>${names.map((name) => `<li>${escapeHtml(name)}</li>`).join('')}</ul>`;

/** The states as they are stored, all emails as the first of them. */
const summaryOf = (preferences: Preferences, words: Words): string => {
  const hasEmails = getsEmails(preferences);
  const [on, onHold, off]: [string[], string[], string[]] = [[], [], []];
  (hasEmails ? on : off).push(words.allEmails);
  for (const group of groupsFor(preferences).flat()) {
    const isHeld = group.channel === 'email' && !hasEmails;
    (isOn(group) ? (isHeld ? onHold : on) : off).push(group.name);
  }
  return [listOf(words.youGet, on), listOf(words.notSentNow, onHold), listOf(words.youDoNotGet, off)].join(
    '',
  );
};

const confirmation = ({ preferences, language, pageUrl, isLater }: Shown): string => {
  const { words } = language;
  const main = [
    `<p class="quiet">${escapeHtml(isLater ? words.stillSaving : words.savedHint)}</p>`,
    isLater ? '' : `<div class="card">${summaryOf(preferences, words)}</div>`,
    `<p><a class="button" href="${escapeHtml(pageUrl)}">${escapeHtml(words.changeAgain)}</a></p>`,
  ];
  return documentOf(language, {
    title: words.saved,
    sender: preferences.sender,
    main: main.filter(Boolean).join('\n'),
    kind: 'done',
  });
};

export const defaultCenter: Center = {
  render: async (name, shown) => ({ page, confirmation })[name](shown),
};
