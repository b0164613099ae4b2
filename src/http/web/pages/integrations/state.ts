/** The state of an integration in words: one for the list, and sentences about its cause and remedy. */
import type { ChannelState } from '../../../../domain/channel/channel-state.ts'
import type { ShownState } from '../../../../domain/check/shown-check.ts'
import { assignment } from '../../../../services/channels/channel-kinds.ts'
import type { JudgedChannel, ListedChannel } from '../../../../services/channels/channel-list.ts'
import { projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { channelName } from '../../parts/channels.ts'
import { stateShape } from '../../parts/words/states.ts'
import { counted, sentence, shown } from '../../parts/words/text.ts'
import { timeOf } from '../../parts/words/times.ts'
import { ADMIN_TABS } from '../admin/tabs.ts'
import type { IntegrationsContext } from './context.ts'

const LOOKS: Readonly<Record<ChannelState['kind'], readonly [look: ShownState, word: string]>> = {
  ready: ['up', 'Ready'],
  retrying: ['late', 'Retrying'],
  failing: ['late', 'Failed'],
  partly: ['late', 'Partly'],
  unconfirmed: ['new', 'Unconfirmed'],
  unsubscribed: ['down', 'Off'],
  disabled: ['down', 'Off'],
  unusable: ['down', 'Off'],
}

export function lookOf(state: ChannelState): ShownState {
  return state.kind === 'partly' && state.isOff ? 'down' : LOOKS[state.kind][0]
}

/** Returns `Retrying`, or for a group `2 of 3 work`. */
export function stateWord(state: ChannelState): Html {
  const look = lookOf(state)
  const word = state.kind === 'partly' ? `${state.working} of ${state.members} work` : LOOKS[state.kind][1]
  return html`<span class="word ${look}">${stateShape(look)}<span>${word}</span></span>`
}

/** Explains a state; null if the integration is ready. */
export function stateWhy({ state, activity, members }: ListedChannel, context: IntegrationsContext): HtmlValue {
  const { canWrite, now, tz } = context
  switch (state.kind) {
    case 'ready':
      return null
    case 'retrying': {
      const next = activity.nextTryAt && html` Next try ${timeOf('ago', activity.nextTryAt, now, tz)}.`
      return html`${state.error !== null && html`${said(state.error)} `}${waiting(activity.channelId, activity.waiting, context)}${next}`
    }
    case 'failing':
      return html`The last message did not arrive: ${said(state.error)} The next alert is sent all the same${canWrite && ', and so is a test'}.`
    case 'partly':
      return html`${state.working} of ${counted(state.members, 'member works', 'members work')}: ${illNames(members)}.`
    case 'unconfirmed': {
      const asked = state.error === null ? 'A test sends the request again.' : said(state.error)
      return html`Nothing is sent until the owner of the address opens the link in the request. ${asked}`
    }
    case 'unsubscribed':
      return 'The receiver has unsubscribed. A new address switches it on again.'
    case 'disabled':
      return html`Switched off: ${said(state.reason)} A test that arrives switches it on again${canWrite && ', and so does saving it'}.`
    case 'unusable':
      return unusable(state, context)
  }
}

/** Most names; further integrations are counted. */
const NAMED = 3

/** Names some integrations that do not work, with their states: `Phone is being retried, Desk is off and 2 more`. */
export function illNames(channels: readonly JudgedChannel[]): Html {
  const ill = channels.filter(({ state }) => state.kind !== 'ready')
  const named = ill.slice(0, NAMED).map((one, index) => html`${index > 0 && ', '}${illWords(one)}`)
  const rest = ill.length - NAMED
  return html`${named}${rest > 0 && ` and ${rest} more`}`
}

const ILL: Readonly<Record<ChannelState['kind'], string>> = {
  ready: 'is ready',
  retrying: 'is being retried',
  failing: 'failed',
  partly: 'works in part',
  unconfirmed: 'is not confirmed',
  unsubscribed: 'is off',
  disabled: 'is off',
  unusable: 'is off',
}

/** Returns a text such as `Phone is being retried`. */
export function illWords({ channel, state }: JudgedChannel): Html {
  return html`${channelName(channel)} ${ILL[state.kind]}`
}

/** Explains unusable settings. They and their mistakes may reveal secrets, so not everybody sees them. */
function unusable(
  { reason, setting }: Extract<ChannelState, { kind: 'unusable' }>,
  context: IntegrationsContext,
): HtmlValue {
  if (setting !== null) return html`Nothing can be sent to it from this server. ${whatToSet([setting], context)}`
  return context.canWrite ? `Nothing can be sent to it: ${said(reason)}` : 'Nothing can be sent to it.'
}

/** @param settings settings of the server. Only an administrator sees their names and examples, or a link to the page of the mail server */
export function whatToSet(
  settings: readonly string[],
  { isAdministrator, href }: Pick<IntegrationsContext, 'isAdministrator' | 'href'>,
): HtmlValue {
  if (!isAdministrator) return 'Ask an administrator.'
  return settings.some((setting) => setting.startsWith('EMAIL_HOST'))
    ? html`<a href="${href(ADMIN_TABS.mail.path)}">Set up the mail server</a>.`
    : `Set ${settings.map(assignment).join(', ')}.`
}

function waiting(channelId: string, number: number, { href, slug }: IntegrationsContext): Html {
  const path = `${projectPath(slug, 'alerts')}?${new URLSearchParams({ channel: channelId })}`
  const words = counted(number, 'alert waits', 'alerts wait')
  return html`<a href="${href(path)}">${words}</a>; none is lost.`
}

/** Returns the message of a receiver or a program as a sentence. */
function said(error: string): string {
  return sentence(shown(error))
}
