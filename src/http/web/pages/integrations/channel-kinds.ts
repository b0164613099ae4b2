/** The kinds of integrations as the gallery shows them: two letters, since logos are trademarks, and what each is. */
import type { ChannelKind } from '../../../../domain/channel/channel-kind.ts'
import { type Html, html } from '../../html.ts'

const KINDS: Readonly<Record<ChannelKind, readonly [mark: string, about: string]>> = {
  apprise: ['AP', 'over a hundred services'],
  call: ['TE', 'by Twilio'],
  discord: ['DC', 'webhook'],
  email: ['@', 'any address, and reports'],
  github: ['GH', 'an issue'],
  googlechat: ['GC', 'webhook of a space'],
  gotify: ['GO', 'push, self-hosted'],
  group: ['GR', 'several at once'],
  matrix: ['MX', 'room'],
  mattermost: ['MM', 'incoming webhook'],
  msteamsw: ['MT', 'workflow'],
  ntfy: ['NT', 'push, also self-hosted'],
  opsgenie: ['OG', 'alerts'],
  pagertree: ['PT', 'webhook'],
  pd: ['PD', 'events'],
  po: ['PO', 'push'],
  pushbullet: ['PB', 'push'],
  rocketchat: ['RC', 'incoming webhook'],
  shell: ['$_', 'on this server'],
  signal: ['SI', 'signal-cli'],
  slack: ['SL', 'incoming webhook'],
  sms: ['TX', 'SMS by Twilio'],
  spike: ['SP', 'webhook'],
  telegram: ['TG', 'bot'],
  trello: ['TR', 'a card'],
  victorops: ['SO', 'REST endpoint'],
  webhook: ['{}', 'your own requests'],
  whatsapp: ['WA', 'by Twilio'],
  zulip: ['ZU', 'stream or person'],
}

/** The words beside it name the kind, so screen readers skip it. */
export function kindMark(kind: ChannelKind): Html {
  return html`<span class="mark" aria-hidden="true">${KINDS[kind][0]}</span>`
}

export function aboutKind(kind: ChannelKind): string {
  return KINDS[kind][1]
}
