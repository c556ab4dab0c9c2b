import type { Words } from './en.ts';

export const es: Words = {
  title: 'Sus preferencias',
  intro: (email) => `Elija lo que desea recibir en ${email}.`,
  introWithoutEmail: 'Elija lo que desea recibir.',
  emails: 'Correos electrónicos',
  texts: 'Mensajes a su número de teléfono',
  allEmails: 'Nuestros correos',
  allEmailsHint:
    'Si está desactivado, no le enviamos ningún correo, elija lo que elija. Su selección se conserva.',
  unsubscribedNow:
    'Ha cancelado la suscripción a todos los correos. Para volver a recibirlos, active «Nuestros correos».',
  unsubscribeAll: 'Cancelar todas mis suscripciones',
  unsubscribeAllHint: 'Desactiva todo lo anterior y lo guarda de inmediato.',
  save: 'Guardar mi selección',
  saved: 'Su selección se ha guardado',
  savedHint: 'Ya puede cerrar esta página.',
  youGet: 'Recibirá',
  notSentNow: 'Elegido, pero no se envía mientras «Nuestros correos» esté desactivado',
  youDoNotGet: 'No recibirá',
  stillSaving:
    'Tenemos su selección y la estamos aplicando. Esta página puede tardar unos minutos en mostrarla.',
  changeAgain: 'Cambiar mi selección',
  unsubscribed: 'Su suscripción se ha cancelado',
  unsubscribedHint: 'Puede tardar un momento en surtir efecto en todas partes.',
  linkBroken: 'Este enlace no funciona',
  linkBrokenHint:
    'Puede que esté incompleto o que pertenezca a alguien que ya no figura aquí. Abra el enlace de nuestro correo más reciente o responda a ese correo.',
  linkExpired: 'Este enlace es demasiado antiguo',
  linkExpiredHint:
    'Por seguridad, los enlaces a sus preferencias solo funcionan durante un tiempo. Abra el enlace de nuestro correo más reciente o responda a ese correo.',
  formOld: 'Esta página ya no está actualizada',
  formOldHint: 'No se ha cambiado nada. Ábrala de nuevo y vuelva a elegir.',
  openAgain: 'Abrir mis preferencias',
  tooMany: 'Un momento, por favor',
  tooManyHint:
    'Su red ha enviado demasiadas solicitudes. No se ha cambiado nada. Inténtelo de nuevo dentro de un minuto.',
  away: 'No ha funcionado',
  awayHint: 'Algo no funciona por nuestra parte. Inténtelo de nuevo dentro de un minuto.',
};
