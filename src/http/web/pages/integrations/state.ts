/** Describes an integration's state. The list shows a single word, and other pages show sentences about the cause and the fix. */
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

/** Returns a word such as `Retrying`; for a group, a string such as `2 of 3 work`. */
export function stateWord(state: ChannelState): Html {
  const look = lookOf(state)
  const word = state.kind === 'partly' ? `${state.working} of ${state.members} work` : LOOKS[state.kind][1]
  return html`<span class="word ${look}">${stateShape(look)}<span>${word}</span></span>`
}

/** Returns an explanation of a state; null if the integration is ready. */
export function stateWhy({ state, activity, members }: ListedChannel, context: IntegrationsContext): HtmlValue {
  const { canWrite, now, tz } = context
  switch (state.kind) {
    case 'ready':
      return null
    case 'retrying': {
      const next = activity.nextTryAt && html` Next attempt ${timeOf('ago', activity.nextTryAt, now, tz)}.`
      return html`${state.error !== null && html`${said(state.error)} `}${waiting(activity.channelId, activity.waiting, context)}${next}`
    }
    case 'failing':
      return html`The last message did not arrive: ${said(state.error)} The next alert will still be sent${canWrite && ', and you can send a test'}.`
    case 'partly':
      return html`${state.working} of ${counted(state.members, 'member works', 'members work')}: ${illNames(members)}.`
    case 'unconfirmed': {
      const asked = state.error === null ? 'To send that email again, send a test.' : said(state.error)
      return html`Nothing is sent until the owner of the address opens the link in the confirmation email. ${asked}`
    }
    case 'unsubscribed':
      return 'The receiver has unsubscribed. Enter a new address to turn it on again.'
    case 'disabled':
      return html`Turned off: ${said(state.reason)} A successful test turns it on again${canWrite && ', and so does saving it'}.`
    case 'unusable':
      return unusable(state, context)
  }
}

/** Maximum number of integrations to name. The rest are summarized as a count. */
const NAMED = 3

/** Returns a list of integrations that aren't working, such as `Phone is being retried, Desk is off and 2 more`. */
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
  partly: 'works only partly',
  unconfirmed: 'is not confirmed',
  unsubscribed: 'is off',
  disabled: 'is off',
  unusable: 'is off',
}

/** Renders a phrase such as `Phone is being retried`. */
export function illWords({ channel, state }: JudgedChannel): Html {
  return html`${channelName(channel)} ${ILL[state.kind]}`
}

/** Explains why the settings are unusable. Not every reader sees the settings or the mistakes in them, because they may reveal secrets. */
function unusable(
  { reason, setting }: Extract<ChannelState, { kind: 'unusable' }>,
  context: IntegrationsContext,
): HtmlValue {
  if (setting !== null) return html`This server cannot send anything to it. ${whatToSet([setting], context)}`
  return context.canWrite ? `Nothing can be sent to it: ${said(reason)}` : 'Nothing can be sent to it.'
}

/**
 * Explains how to provide missing server settings. Only administrators see the names of settings and a link to the mail server page.
 * @param settings the missing settings
 */
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
  return html`<a href="${href(path)}">${words}</a>; no alerts are lost.`
}

/** Turns an error message from a receiver or a program into a sentence. */
function said(error: string): string {
  return sentence(shown(error))
}
