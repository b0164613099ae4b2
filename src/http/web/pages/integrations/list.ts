/** The table of a project's integrations, and the note about integrations that aren't working. */
import { mailChannelOf } from '../../../../domain/mail/mailing.ts'
import type { ChannelList, ListedChannel } from '../../../../services/channels/channel-list.ts'
import { integrationPath, projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { channelKind, channelName, kindMark } from '../../parts/channels.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { moreMenu } from '../../parts/menu.ts'
import { note } from '../../parts/notes.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'
import { relativeTime } from '../../parts/words/times.ts'
import type { IntegrationsContext } from './context.ts'
import { quietSentence } from './quiet.ts'
import { illNames, illWords, lookOf, stateWhy, stateWord } from './state.ts'
import { deliveryStrip } from './strip.ts'

/** Ids of the elements that contain {@link listParts}. */
const LIST_PARTS = { ill: 'ill', list: 'integrations' } as const

/** Renders the parts that may change while the page is open. The keys are element ids. */
export function listParts(list: ChannelList, context: IntegrationsContext): Readonly<Record<string, Html>> {
  return { [LIST_PARTS.ill]: illNote(list, context), [LIST_PARTS.list]: table(list, context) }
}

/** Renders the note about integrations that aren't working. If only some members of a group are working, the note names the others. */
function illNote({ channels }: ChannelList, context: IntegrationsContext): Html {
  const ill = channels.filter(({ state }) => state.kind !== 'ready' && state.kind !== 'partly')
  return html`<div id="${LIST_PARTS.ill}">${ill.length > 0 && illSentence(ill, context)}</div>`
}

function illSentence(ill: readonly ListedChannel[], context: IntegrationsContext): Html {
  const look = ill.some(({ state }) => lookOf(state) === 'down') ? 'down' : 'late'
  const [first] = ill
  if (ill.length === 1 && first) return note(look, html`<b>${illWords(first)}.</b> ${stateWhy(first, context)}`)
  return note(look, html`<b>${ill.length} integrations do not work:</b> ${illNames(ill)}.`)
}

function table(list: ChannelList, context: IntegrationsContext): Html {
  const { href, slug } = context
  return html`<form class="card" id="${LIST_PARTS.list}" method="post" action="${href(projectPath(slug, 'integrations'))}"><table class="table ints" aria-label="Integrations"><thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Used by</th><th scope="col">Last alert</th><th scope="col">Last 30 alerts</th><td></td></tr></thead><tbody>
${list.channels.map((listed) => row(listed, list, context))}</tbody></table></form>`
}

function row(listed: ListedChannel, { checks }: ChannelList, context: IntegrationsContext): Html {
  const { channel, state, activity } = listed
  const { canWrite, href, slug, now, tz } = context
  const name = canWrite
    ? html`<a href="${href(integrationPath(slug, channel.id))}">${channelName(channel)}</a>`
    : channelName(channel)
  const why = stateWhy(listed, context)
  const quiet = quietSentence(listed, context)
  const last = activity.lastAt === null ? html`<span class="muted">–</span>` : relativeTime(activity.lastAt, now, tz)
  return html`<tr><th scope="row">${kindMark(channel.kind)}<span>${name} <span class="muted">${about(listed, canWrite)}</span>${why && html`<span class="why ${lookOf(state)}">${why}</span>`}${quiet && html`<span class="why">${quiet}</span>`}</span></th><td>${stateWord(state)}</td><td>${usedBy(listed, checks, context)}</td><td>${last}</td><td>${deliveryStrip(listed)}</td><td><div class="acts">${buttons(listed, context)}</div></td></tr>
`
}

/** Renders the kind and the target without any secrets. */
function about({ channel, members }: ListedChannel, canWrite: boolean): HtmlValue {
  const kind = channelKind(channel.kind)
  if (channel.kind === 'group') return html`${kind}${members.map((member) => html`, ${channelName(member.channel)}`)}`
  if (!canWrite) return kind
  const address = channel.kind === 'email' ? mailChannelOf(channel)?.address : undefined
  const to = address ?? (channel.host === channel.kind ? '' : channel.host)
  return to === '' || to === channel.name ? kind : html`${kind}, ${bdi(shown(to))}`
}

function usedBy({ channel, activity, groups }: ListedChannel, all: number, context: IntegrationsContext): Html {
  const words = `${activity.checks.toLocaleString('en')} of ${counted(all, 'check', 'checks')}`
  const own = context.canWrite
    ? html`<a href="${context.href(integrationPath(context.slug, channel.id, 'checks'))}">${words}</a>`
    : words
  return html`${own}${groups.length > 0 && html` <span class="muted">and ${counted(groups.length, 'group', 'groups')}</span>`}`
}

function buttons({ channel }: ListedChannel, { canWrite, href, slug }: IntegrationsContext): Html {
  const { id } = channel
  const name = channel.name === '' ? channelKind(channel.kind) : shown(channel.name)
  const test = submit({
    text: 'Send test',
    label: `Send test to ${name}`,
    isSmall: true,
    field: { name: 'test', value: id },
  })
  if (!canWrite) return test
  const to = (page?: string) => href(integrationPath(slug, id, page))
  return html`${test}${moreMenu(`More about ${name}`, [
    { text: 'Edit', href: to() },
    { text: 'Assign to checks', href: to('checks') },
    { text: 'Alerts', href: href(`${projectPath(slug, 'alerts')}?${new URLSearchParams({ channel: id })}`) },
    { text: 'Delete…', href: to('delete'), isDanger: true },
  ])}`
}
