/** `mattermost`: Mattermost's incoming webhooks, in Slack's format. */
import { escapeMarkup } from '../lib/text/text.ts'
import { JOINER } from './parts/message-text.ts'
import { slackLike } from './parts/webhook-kinds.ts'

export const mattermost = slackLike({
  kind: 'mattermost',
  name: 'Mattermost',
  mark: 'MM',
  about: 'incoming webhook',
  offSwitch: 'MATTERMOST_ENABLED',
  urlIs: 'The URL that Mattermost shows for an incoming webhook.',
  grantIs: "The URL, in the form of Slack's answer.",
  grantMember: 'incoming_webhook',
  dialect: {
    // Plain text without mentions.
    escapeTitle: (text) => text,
    escapeText,
    // Code is shown unchanged, but Slack's `<!channel>` would become a mention first.
    escapeCode: (text) => text.replaceAll('<', `<${JOINER}`).replaceAll('@', `@${JOINER}`),
    escapeSchedule: escapeText,
    // The same URL without a mention.
    escapeUrl: (url) => url.replaceAll('@', '%40'),
    fieldLimit: 4000,
  },
})

/** Escapes Markdown. Only a joiner, not a backslash, stops `@here` from notifying everybody. */
function escapeText(text: string): string {
  return escapeMarkup(text.replace(/[\\`*_~[\]#|!]/g, '\\$&')).replaceAll('@', `@${JOINER}`)
}
