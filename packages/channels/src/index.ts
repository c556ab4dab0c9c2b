export { type Managed, openBroadcastChannels } from './apple/broadcast-channels.ts';
export {
  type Channels,
  type ChannelsOptions,
  openChannels,
  type ProviderChannel,
  plainTextOf,
} from './channels.ts';
export { appCredentials, createReadCredential, type ReadCredential } from './credentials.ts';
export { liftEmailLimits } from './email/costs.ts';
export type { Answer } from './outgoing.ts';
export { type PhoneAnswer, type PhoneReport, phoneAnswersIn, reportsIn } from './phone/calls.ts';
export { type CallCheck, checkCall, howSigned, readsAnswers } from './phone/signed-calls.ts';
export { createPhoneUrls, type PhoneCall, type PhoneUrls, phonePath } from './phone/urls.ts';
export { type Leaving, openPreviews, type Previews } from './previews.ts';
export { createSigned } from './signed.ts';
