import type { Words } from './en.ts';

export const de: Words = {
  title: 'Ihre Einstellungen',
  intro: (email) => `Wählen Sie, was Sie an ${email} erhalten möchten.`,
  introWithoutEmail: 'Wählen Sie, was Sie erhalten möchten.',
  emails: 'E-Mails',
  texts: 'Nachrichten an Ihre Telefonnummer',
  allEmails: 'E-Mails von uns',
  allEmailsHint:
    'Ist dies ausgeschaltet, senden wir Ihnen keine E-Mails, was auch immer Sie sonst auswählen. Ihre Auswahl bleibt erhalten.',
  unsubscribedNow:
    'Sie haben alle E-Mails abbestellt. Um wieder E-Mails zu erhalten, schalten Sie „E-Mails von uns“ ein.',
  unsubscribeAll: 'Alles abbestellen',
  unsubscribeAllHint: 'Schaltet alles oben Genannte aus und speichert das sofort.',
  save: 'Auswahl speichern',
  saved: 'Ihre Auswahl ist gespeichert',
  savedHint: 'Sie können diese Seite jetzt schließen.',
  youGet: 'Sie erhalten',
  notSentNow: 'Ausgewählt, aber nicht gesendet, solange „E-Mails von uns“ ausgeschaltet ist',
  youDoNotGet: 'Sie erhalten nicht',
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
  formOld: 'Diese Seite ist nicht mehr aktuell',
  formOldHint: 'Es wurde nichts geändert. Bitte öffnen Sie sie erneut und wählen Sie noch einmal.',
  openAgain: 'Meine Einstellungen öffnen',
  tooMany: 'Einen Moment bitte',
  tooManyHint:
    'Aus Ihrem Netz kamen zu viele Anfragen. Es wurde nichts geändert. Bitte versuchen Sie es in einer Minute noch einmal.',
  away: 'Das hat gerade nicht geklappt',
  awayHint: 'Bei uns funktioniert etwas nicht. Bitte versuchen Sie es in einer Minute noch einmal.',
};
