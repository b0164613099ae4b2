/** `/p/<project>/integrations/<id>/checks`: assigns an integration to checks. The page has a switch for each of the project's checks. */

import type { BulkAction } from '../../../../domain/bulk/bulk.ts'
import type { Channel } from '../../../../domain/channel/channel.ts'
import { splitTags } from '../../../../domain/check/tags.ts'
import {
  type AssignableCheck,
  type ChannelChecks,
  readChannelChecks,
} from '../../../../services/channels/channel-checks.ts'
import { getChannelById } from '../../../../services/channels/channels.ts'
import { changeChecks } from '../../../../services/checks/bulk.ts'
import type { Form } from '../../form.ts'
import { integrationPath, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { channelKind, channelName } from '../../parts/channels.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { icon } from '../../parts/icons.ts'
import type { Done } from '../../parts/toast.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { formRoutes } from '../check-forms/check-form.ts'

/** Maximum number of checks on the page. Users can search for the remaining checks by name. */
const SHOWN = 2_000
const TEXT_LIMIT = 200

export function assignRoutes(deps: PageDeps): readonly Route[] {
  return formRoutes('integrations/:channel/checks', {
    async show(visit) {
      const channel = await find(deps, visit)
      const text = readText(visit.url.searchParams.get('q') ?? '')
      return assignPage(visit, channel, await readChannelChecks(deps, visit.actor, channel, text), text)
    },
    act: (visit) => assign(deps, visit),
  })
}

function find(deps: PageDeps, { actor, params }: ProjectVisit): Promise<Channel> {
  return getChannelById(deps, actor, params.channel ?? '')
}

function readText(given: string): string {
  return given.trim().slice(0, TEXT_LIMIT)
}

async function assign(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const channel = await find(deps, visit)
  const text = readText(form.text('q'))
  const to = addressOf(actor.project.slug, channel, text)
  const { publicIds, action } = await readChange(deps, visit, channel, text)
  if (publicIds.length === 0) return { kind: 'redirect', to, done: 'nothing-changed' }
  const { changed, left, undo } = await changeChecks(deps, actor, publicIds, action)
  const done: Done =
    changed === 0 ? { code: 'nothing-changed' } : { code: 'checks-changed', count: changed, left, undo }
  return { kind: 'redirect', to, done }
}

interface Change {
  readonly publicIds: readonly string[]
  readonly action: BulkAction
}

/**
 * Determines which switches the user changed. The other checks stay unchanged, because another user may have changed them in the meantime.
 */
async function readChange(
  deps: PageDeps,
  { actor, form }: ProjectVisit,
  channel: Channel,
  text: string,
): Promise<Change> {
  const channelId = channel.id
  const word = form.text('action')
  if (word === 'all' || word === 'none') {
    const { matching } = await readChannelChecks(deps, actor, channel, text)
    const publicIds = matching.filter(({ isOn }) => isOn !== (word === 'all')).map(({ publicId }) => publicId)
    return { publicIds, action: { kind: word === 'all' ? 'assign' : 'unassign', channelId } }
  }
  const to = new Set(form.list('c'))
  return { publicIds: movedIn(form, to), action: { kind: 'assign-some', channelId, to } }
}

function movedIn(form: Form, to: ReadonlySet<string>): readonly string[] {
  return [...to.symmetricDifference(new Set(form.list('was')))]
}

function addressOf(slug: string, { id }: Channel, text: string): string {
  const path = integrationPath(slug, id, 'checks')
  return text === '' ? path : `${path}?${new URLSearchParams({ q: text })}`
}

function assignPage(visit: ProjectVisit, channel: Channel, checks: ChannelChecks, text: string): FrameContent {
  const { slug } = visit.actor.project
  const { href } = visit.site
  const path = href(integrationPath(slug, channel.id, 'checks'))
  const { matching, total, on } = checks
  const shown = matching.slice(0, SHOWN)
  // Let the script filter the list only if all checks are on the page. Otherwise, changed switches would be lost.
  const isWhole = text === '' && shown.length === total
  return {
    layout: 'frame',
    title: 'Assign to checks',
    heading: html`Checks that alert ${channelName(channel)}`,
    about: channel.name || channelKind(channel.kind),
    crumbs: [{ path: projectPath(slug, 'integrations'), text: 'Integrations' }],
    intro: `${on.toLocaleString('en')} of ${counted(total, 'check sends', 'checks send')} alerts to this integration.`,
    isNarrow: true,
    body: html`<form class="filters" role="search" action="${path}" aria-label="Filter checks"><div class="search">${icon('search')}<input class="in" type="search" name="q" value="${text}" maxlength="${TEXT_LIMIT}"${isWhole && html` data-narrows="assigned"`} aria-label="Filter by name, tag or slug" placeholder="Name, tag or slug" autocomplete="off" spellcheck="false" autocapitalize="none" data-key="/"></div>${text !== '' && linkButton({ text: 'Show all', look: 'quiet', href: path })}</form>
<form class="form" method="post" action="${path}"><input type="hidden" name="q" value="${text}"><button disabled hidden></button>
${shown.length === 0 ? html`<p class="muted">No checks match.</p>` : switches(shown)}
<p class="help" data-narrowed="assigned" hidden>No checks match.</p>${shown.length < matching.length && html`<p class="rest">Only the first ${shown.length} of ${counted(matching.length, 'check', 'checks')} are shown. Filter them to find others.</p>`}
<div class="acts">${submit({ text: 'Save', look: 'primary', field: { name: 'action', value: 'save' } })}${matching.length > 0 && allOrNone(matching, text)}</div></form>`,
  }
}

function switches(checks: readonly AssignableCheck[]): Html {
  return html`<ul class="card picks assign" id="assigned">
${checks.map(oneSwitch)}</ul>`
}

function oneSwitch({ publicId, name, tags, isOn }: AssignableCheck): Html {
  const words = name === '' ? html`<i>no name</i>` : bdi(name)
  const marks = splitTags(tags).map((tag) => html` <span class="tag">${bdi(tag)}</span>`)
  return html`<li><label class="pick"><input type="checkbox" role="switch" class="switch" name="c" value="${publicId}"${isOn && html` checked`}><span>${words}${marks}</span></label>${isOn && html`<input type="hidden" name="was" value="${publicId}">`}</li>
`
}

/**
 * Renders two buttons that change all matching checks at the same time, including checks that are not on the page. The user can undo the
 * change.
 */
function allOrNone(matching: readonly AssignableCheck[], text: string): Html {
  const which =
    text === ''
      ? `all ${matching.length.toLocaleString('en')}`
      : `the ${matching.length.toLocaleString('en')} that match`
  const button = (value: string, words: string) => submit({ text: words, field: { name: 'action', value } })
  return html`${button('all', `Assign ${which}`)}${button('none', `Unassign ${which}`)}`
}
