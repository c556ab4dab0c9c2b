import type { Words } from './en.ts';

export const fr: Words = {
  title: 'Vos préférences',
  intro: (email) => `Choisissez ce que vous souhaitez recevoir à l’adresse ${email}.`,
  introWithoutEmail: 'Choisissez ce que vous souhaitez recevoir.',
  emails: 'E-mails',
  texts: 'Messages à votre numéro de téléphone',
  allEmails: 'Nos e-mails',
  allEmailsHint:
    'Si cette option est désactivée, nous ne vous envoyons aucun e-mail, quels que soient vos autres choix. Vos choix sont conservés.',
  unsubscribedNow:
    'Vous vous êtes désabonné de tous les e-mails. Pour en recevoir de nouveau, activez « Nos e-mails ».',
  unsubscribeAll: 'Me désabonner de tout',
  unsubscribeAllHint: 'Désactive tout ce qui précède et l’enregistre aussitôt.',
  save: 'Enregistrer mes choix',
  saved: 'Vos choix sont enregistrés',
  savedHint: 'Vous pouvez fermer cette page.',
  youGet: 'Vous recevrez',
  notSentNow: 'Choisi, mais non envoyé tant que « Nos e-mails » est désactivé',
  youDoNotGet: 'Vous ne recevrez pas',
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
  formOld: 'Cette page n’est plus à jour',
  formOldHint: 'Rien n’a été modifié. Veuillez la rouvrir et choisir de nouveau.',
  openAgain: 'Ouvrir mes préférences',
  tooMany: 'Un instant, s’il vous plaît',
  tooManyHint:
    'Votre réseau a envoyé trop de demandes. Rien n’a été modifié. Veuillez réessayer dans une minute.',
  away: 'Cela n’a pas fonctionné',
  awayHint: 'Quelque chose ne fonctionne pas de notre côté. Veuillez réessayer dans une minute.',
};
