/** `mattermost`: a message through Mattermost's incoming webhooks, in Slack's format. */
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
    // Titles are plain text, so mentions in them do not work.
    escapeTitle: (text) => text,
    escapeText,
    // Mattermost shows code unchanged, but before that it would turn Slack's `<!channel>` into a mention.
    escapeCode: (text) => text.replaceAll('<', `<${JOINER}`).replaceAll('@', `@${JOINER}`),
    escapeSchedule: escapeText,
    // Encodes `@`, so that the URL stays the same but does not mention anybody.
    escapeUrl: (url) => url.replaceAll('@', '%40'),
    fieldLimit: 4000,
  },
})

/** Escapes Markdown. A joiner stops `@here` from notifying everybody, which a backslash does not. */
function escapeText(text: string): string {
  return escapeMarkup(text.replace(/[\\`*_~[\]#|!]/g, '\\$&')).replaceAll('@', `@${JOINER}`)
}
