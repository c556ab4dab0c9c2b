export { acceptedSecrets, knownSecrets, makingSecret, type Secrets } from './secrets.ts';
export { type SecretVariables, secretsOf } from './secrets-of.ts';
export { toldSecrets } from './told.ts';
