export { acceptedSecrets, knownSecrets, makingSecret, otherSecrets, type Secrets } from './secrets.ts';
export { type SecretVariables, secretsOf } from './secrets-of.ts';
export { toldDates, toldSecrets } from './told.ts';
