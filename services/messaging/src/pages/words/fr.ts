import type { Words } from './en.ts';

export const fr: Words = {
  title: 'Vos préférences',
  intro: (email) => `Choisissez ce que vous souhaitez recevoir à l’adresse ${email}.`,
  introWithoutEmail: 'Choisissez ce que vous souhaitez recevoir.',
  emails: 'E-mails',
  texts: 'SMS',
  noTopics: 'Il n’y a rien à choisir pour le moment.',
  unsubscribedNow:
    'Vous vous êtes désabonné de tous les e-mails. Vos choix ci-dessous ne seront envoyés que si vous désactivez aussi « Me désabonner de tout ».',
  everything: 'Tout',
  unsubscribeAll: 'Me désabonner de tout',
  unsubscribeAllHint: 'Vous ne recevrez plus rien de ce qui précède, quels que soient vos choix ci-dessus.',
  save: 'Enregistrer mes choix',
  saved: 'Vos choix sont enregistrés',
  savedHint: 'Vous pouvez fermer cette page.',
  youGet: 'Vous recevrez',
  youDoNotGet: 'Vous ne recevrez pas',
  youGetNothing:
    'Vous ne recevrez plus d’e-mails de notre part, quels que soient vos choix, tant que « Me désabonner de tout » est activé.',
  stillSaving:
    'Nous avons bien reçu vos choix et les appliquons. Quelques minutes peuvent s’écouler avant que cette page les affiche.',
  changeAgain: 'Modifier mes choix',
  unsubscribed: 'Vous êtes désabonné',
  unsubscribedHint: 'Cela peut prendre un instant avant d’être effectif partout.',
  linkBroken: 'Ce lien ne fonctionne pas',
  linkBrokenHint:
    'Il est peut-être incomplet, ou il appartient à une personne qui n’est plus connue ici. Veuillez ouvrir le lien de notre dernier e-mail, ou répondre à cet e-mail.',
  linkExpired: 'Ce lien est trop ancien',
  linkExpiredHint:
    'Pour votre sécurité, les liens vers vos préférences ne sont valables qu’un certain temps. Veuillez ouvrir le lien de notre dernier e-mail, ou répondre à cet e-mail.',
  formOld: 'Cette page est restée ouverte trop longtemps',
  formOldHint: 'Rien n’a été modifié. Veuillez la rouvrir et choisir de nouveau.',
  openAgain: 'Ouvrir mes préférences',
  tooMany: 'Un instant, s’il vous plaît',
  tooManyHint:
    'Votre réseau a envoyé trop de demandes. Rien n’a été modifié. Veuillez réessayer dans une minute.',
  away: 'Cela n’a pas fonctionné',
  awayHint: 'Quelque chose ne fonctionne pas de notre côté. Veuillez réessayer dans une minute.',
};
