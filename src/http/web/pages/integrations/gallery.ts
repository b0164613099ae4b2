/** The gallery of integrations that users can add. If an integration requires server settings that are missing, the gallery names them. */
import type { ChannelKind } from '../../../../domain/channel/channel-kind.ts'
import type { OfferedKind } from '../../../../services/channels/channel-kinds.ts'
import { integrationPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { kindMark } from '../../parts/channels.ts'
import { icon } from '../../parts/icons.ts'
import type { IntegrationsContext } from './context.ts'
import { whatToSet } from './state.ts'

/** Kinds that most projects use. They come first. All other kinds follow in alphabetical order, and groups come last. */
const FIRST: readonly ChannelKind[] = ['email', 'webhook', 'ntfy', 'slack', 'telegram', 'msteamsw', 'discord', 'matrix']

function placeOf({ kind }: OfferedKind): number {
  if (FIRST.includes(kind)) return FIRST.indexOf(kind)
  return FIRST.length + Number(kind === 'group')
}

const isLacking = ({ lacks }: OfferedKind) => lacks.length > 0

/** Renders the list of kinds. Kinds that the server cannot send alerts to come last. */
export function gallery(kinds: readonly OfferedKind[], context: IntegrationsContext): Html {
  const sorted = kinds.toSorted(
    (a, b) =>
      Number(isLacking(a)) - Number(isLacking(b)) || placeOf(a) - placeOf(b) || a.name.localeCompare(b.name, 'en'),
  )
  return html`<section class="gallery" id="add" aria-labelledby="add-h"><div class="acts"><h2 id="add-h">Add an integration</h2><div class="search">${icon('search')}<input class="in" type="search" data-narrows="kinds" aria-label="Search ${kinds.length} services" placeholder="Search ${kinds.length} services" autocomplete="off" spellcheck="false" data-key="/"></div></div>${lacksLine(sorted.filter(isLacking).length, context)}<ul class="kinds" id="kinds">
${sorted.map((kind) => item(kind, context))}</ul><p class="help" data-narrowed="kinds" hidden>No services match. With a webhook or Apprise, you can reach most others.</p></section>`
}

function lacksLine(lacking: number, { href, isAdministrator }: IntegrationsContext): Html | false {
  if (lacking === 0) return false
  const words = `${lacking} ${lacking === 1 ? 'needs' : 'need'} server settings first.`
  const advice = isAdministrator
    ? html`Set the variables shown here and restart the server. <a href="${href('/docs/settings')}">All settings</a>`
    : 'An administrator of this server can set them.'
  return html`<p class="help">${words} ${advice}</p>`
}

/**
 * Renders a kind of integration. A kind that the server cannot send alerts to has no link, because filling in its form would be pointless.
 */
function item({ kind, name, about, isOff, lacks }: OfferedKind, context: IntegrationsContext): Html {
  const { href, slug } = context
  const lack = lacks.length > 0 && html`${isOff ? 'Turned off' : 'Not set up'}. ${whatToSet(lacks, context)}`
  const words = html`${kindMark(kind)}<span><b>${name}</b><small>${lack || about}</small></span>`
  return lack
    ? html`<li class="lacks"><div>${words}</div></li>
`
    : html`<li><a href="${href(integrationPath(slug, 'new', kind))}">${words}</a></li>
`
}
