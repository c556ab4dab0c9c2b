export type { Answer } from './answer.ts';
export { appCredentials } from './app-credentials.ts';
export {
  type Channels,
  openChannels,
} from './channels.ts';
export { createReadCredential, type ReadCredential } from './credentials.ts';
