/** What several channels have in common. */
import type { Channel } from '@roster/store';

/** It goes to the devices of a person, who may refuse pushes. */
export const isPush = (channel: Channel): boolean => channel.endsWith('_push') || channel === 'live_activity';

/** It goes to the phone of a person, who has subscribed to a group. */
export const isToPhone = (channel: Channel): boolean => channel === 'sms' || channel === 'whats_app';
