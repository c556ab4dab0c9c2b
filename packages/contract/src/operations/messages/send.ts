/** POST /messages/send. */
import { type Static, Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import { queuedAnswer, successAnswer } from '../answers.ts';
import { unknownNames, writeRow } from '../messaging-row.ts';
import { messages, refuseMessages, refuseNoMessage, tidyMessages } from './messages.ts';
import {
  broadcastLimits,
  type Recipients,
  recipientMembers,
  refuseNoRecipients,
  refuseRecipients,
  tidyRecipients,
} from './recipients.ts';
import { dispatchId, messageRejections, messagesTag, recipientRejections } from './schedules.ts';
import { refuseTypos } from './typos.ts';

const sending = Type.Object({ ...recipientMembers, messages });

export type NewSending = Omit<Static<typeof sending>, 'external_user_ids'> &
  Pick<Recipients, 'external_user_ids'>;

export const messagesSend = operation({
  ...writeRow,
  tag: messagesTag,
  id: 'messages.send',
  path: '/messages/send',
  summary: 'Send messages now',
  description:
    'Sends to listed people, a segment or an audience: to the same audience at most 10 times a minute, to all audiences together 250 times. Every request that was accepted before is applied first: a person who unsubscribed a moment ago gets nothing. `GET /sends/{dispatch_id}` tells what became of each recipient.',
  request: { body: sending },
  before: [refuseTypos, refuseNoRecipients, refuseNoMessage],
  rules: [refuseRecipients, refuseMessages],
  tidy: (body) => tidyMessages(tidyRecipients(body)),
  moreLimits: broadcastLimits,
  responses: {
    201: successAnswer('MessagesSent', 'They are sent in a moment.', {
      dispatch_id: dispatchId,
      ...unknownNames,
    }),
    202: queuedAnswer,
  },
  rejections: [...messageRejections, ...recipientRejections],
  examples: [
    example('A push to a person', {
      body: {
        external_user_ids: ['ada'],
        messages: { ios_push: { alert: `Hello {{\${first_name} | default: "there"}}` } },
      },
      201: { dispatch_id: '4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2d', message: 'success' },
    }),
  ],
});
