/** `discord`: a message through Discord's webhooks, in Slack's format. */
import { disableWhen } from './parts/final-answer.ts'
import { slackLike } from './parts/webhook-kinds.ts'

export const discord = slackLike({
  kind: 'discord',
  name: 'Discord',
  mark: 'DC',
  about: 'webhook',
  urlIs: "The URL that Discord shows in a channel's settings under Integrations, Webhooks.",
  grantIs: "Discord's answer when an application was authorized.",
  grantMember: 'webhook',
  // Discord rejects a message if an embed field is longer.
  dialect: {
    // Some clients show Markdown in titles unchanged, so a backslash would be visible. Mentions don't work in titles.
    escapeTitle: unchanged,
    escapeText,
    escapeCode: unchanged,
    escapeSchedule: escapeText,
    escapeUrl: unchanged,
    fieldLimit: 1024,
  },
  addressOf,
  judge: disableWhen(({ status }) => status === 404),
})

/** Escapes text for Discord's Markdown, which accepts a backslash before any character but does not support entities. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_~[\]#|<>@]/g, '\\$&')
}

function unchanged(text: string): string {
  return text
}

function addressOf(given: string): string {
  const url = new URL(given)
  // The old domain redirects, and the message would be lost.
  url.hostname = url.hostname.replace(/(^|\.)discordapp\.com$/, '$1discord.com')
  url.pathname = `${url.pathname.replace(/(?:\/slack)?\/*$/, '')}/slack`
  return url.href
}
