/** `slack`: a message through Slack's incoming webhooks. */
import { escapeMarkup } from '../lib/text/text.ts'
import { disableWhen } from './parts/final-answer.ts'
import { JOINER } from './parts/message-text.ts'
import { slackLike } from './parts/webhook-kinds.ts'

export const slack = slackLike({
  kind: 'slack',
  name: 'Slack',
  mark: 'SL',
  about: 'incoming webhook',
  offSwitch: 'SLACK_ENABLED',
  urlIs: 'The URL that Slack shows for an incoming webhook of your workspace.',
  grantIs: "Slack's answer when an application was authorized.",
  grantMember: 'incoming_webhook',
  // Slack has no escape for `*`: the asterisks in a schedule would disappear, and the text between them would be bold.
  dialect: {
    escapeTitle: escapeMarkup,
    escapeText: escapeMarkup,
    escapeCode: escapeMarkup,
    escapeSchedule: (text) => escapeMarkup(text).replaceAll('*', `${JOINER}*`),
    escapeUrl: escapeMarkup,
    fieldLimit: 6000,
  },
  judge: disableWhen(({ status, body }) => status === 404 || (status === 400 && body.trim() === 'invalid_token')),
})
