/** Names and marks for integrations. */
import type { Channel } from '../../../domain/channel/channel.ts'
import type { ChannelKind } from '../../../domain/channel/channel-kind.ts'
import { kindWords } from '../../../services/channels/channel-kinds.ts'
import { type Html, html } from '../html.ts'
import { bdi } from './words/text.ts'

export function channelKind(kind: ChannelKind): string {
  return kindWords(kind).name
}

/** Returns an integration's name, or its kind if it has no name. */
export function channelName({ name, kind }: Pick<Channel, 'name' | 'kind'>): Html | string {
  return name === '' ? channelKind(kind) : bdi(name)
}

/** Renders a two-character mark for a kind of integration. Screen readers skip the mark, because the text next to it contains the kind. */
export function kindMark(kind: ChannelKind): Html {
  return html`<span class="mark" aria-hidden="true">${kindWords(kind).mark}</span>`
}
