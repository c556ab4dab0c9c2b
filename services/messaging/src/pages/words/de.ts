import type { Words } from './en.ts';

export const de: Words = {
  title: 'Ihre Einstellungen',
  intro: (email) => `Wählen Sie, was Sie an ${email} erhalten möchten.`,
  introWithoutEmail: 'Wählen Sie, was Sie erhalten möchten.',
  emails: 'E-Mails',
  texts: 'SMS',
  noTopics: 'Im Moment gibt es hier nichts auszuwählen.',
  unsubscribedNow:
    'Sie haben alle E-Mails abbestellt. Was Sie unten auswählen, erhalten Sie erst, wenn Sie auch „Alles abbestellen“ ausschalten.',
  everything: 'Alles',
  unsubscribeAll: 'Alles abbestellen',
  unsubscribeAllHint: 'Sie erhalten dann nichts davon, was auch immer oben ausgewählt ist.',
  save: 'Auswahl speichern',
  saved: 'Ihre Auswahl ist gespeichert',
  savedHint: 'Sie können diese Seite jetzt schließen.',
  youGet: 'Sie erhalten',
  youDoNotGet: 'Sie erhalten nicht',
  youGetNothing:
    'Sie erhalten keine E-Mails mehr von uns, was auch immer ausgewählt ist, bis Sie „Alles abbestellen“ ausschalten.',
  stillSaving:
    'Wir haben Ihre Auswahl und wenden sie gerade an. Es kann einige Minuten dauern, bis diese Seite sie zeigt.',
  changeAgain: 'Auswahl ändern',
  unsubscribed: 'Sie sind abgemeldet',
  unsubscribedHint: 'Es kann einen Moment dauern, bis das überall wirkt.',
  linkBroken: 'Dieser Link funktioniert nicht',
  linkBrokenHint:
    'Vielleicht ist er unvollständig, oder er gehört zu einer Person, die hier nicht mehr bekannt ist. Bitte öffnen Sie den Link in unserer neuesten E-Mail oder antworten Sie auf diese E-Mail.',
  linkExpired: 'Dieser Link ist zu alt',
  linkExpiredHint:
    'Links zu Ihren Einstellungen gelten aus Sicherheitsgründen nur eine Zeit lang. Bitte öffnen Sie den Link in unserer neuesten E-Mail oder antworten Sie auf diese E-Mail.',
  formOld: 'Diese Seite war zu lange offen',
  formOldHint: 'Es wurde nichts geändert. Bitte öffnen Sie sie erneut und wählen Sie noch einmal.',
  openAgain: 'Meine Einstellungen öffnen',
  tooMany: 'Einen Moment bitte',
  tooManyHint:
    'Aus Ihrem Netz kamen zu viele Anfragen. Es wurde nichts geändert. Bitte versuchen Sie es in einer Minute noch einmal.',
  away: 'Das hat gerade nicht geklappt',
  awayHint: 'Bei uns funktioniert etwas nicht. Bitte versuchen Sie es in einer Minute noch einmal.',
};
