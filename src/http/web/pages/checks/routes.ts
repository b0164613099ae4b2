/** `/p/<project>/checks`: lists a project's checks. Checks that are down or late come first. All of the list's state is in its URL. */

import type { ListPicture } from '../../../../domain/account/account.ts'
import { may } from '../../../../domain/actor.ts'
import { GROUPS, type ListQuery, type StandingCounts } from '../../../../domain/list/check-list.ts'
import type { Instant } from '../../../../lib/time.ts'
import { type CheckList, readCheckList } from '../../../../services/overview/check-list.ts'
import { listSilencesOf } from '../../../../services/silences/silences.ts'
import { projectPath } from '../../href.ts'
import { type Html, html, LATER } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { adviceNumbers } from '../../parts/advice/numbers.ts'
import { empty, noChecks } from '../../parts/empty.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { type MuteScope, mutePath } from '../../parts/mute.ts'
import { counted, numbered, shown } from '../../parts/words/text.ts'
import { exactTime } from '../../parts/words/times.ts'
import type { FrameContent, Handler, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { BULK_FORM_LIMIT, changeSelected, undo } from './bulk.ts'
import { bulkBar } from './bulk-bar.ts'
import { readChannelNames } from './channel-names.ts'
import { readDayCells } from './day.ts'
import { clearLink, filterBar, filterWords } from './filter-bar.ts'
import { readQuery, searchOf } from './query.ts'
import { type TableData, table, tableRows } from './table.ts'
import { changeView, viewForm } from './view-menu.ts'

/**
 * Maximum number of rows on a page. If the list is longer, only the first {@link FIRST} rows are shown, unless the URL requests all rows.
 */
const AT_ONCE = 2_000
const FIRST = 500

/** Names of the live views that the page can request in its event stream. */
const LIVE_VIEWS: Readonly<Record<ListPicture, string>> = { runs: 'checks', '24h': 'checks-24h' }

export function checksRoutes(deps: PageDeps): readonly Route[] {
  const list: Handler<ProjectVisit> = (visit) => deps.longReads.during(visit.person, () => listAnswer(deps, visit))
  return [
    projectRoute('GET', 'checks', 'read', list, { isPacked: true }),
    projectRoute('POST', 'checks', 'write', (visit) => changeSelected(deps, visit), { formLimit: BULK_FORM_LIMIT }),
    projectRoute('POST', 'undo', 'write', (visit) => undo(deps, visit)),
    projectRoute('POST', 'view', 'read', (visit) => changeView(deps, visit)),
  ]
}

async function listAnswer(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, account, url, site } = visit
  const { pathname, searchParams } = url
  // Links in rows are relative, and only work if the URL has no trailing slash.
  if (pathname.endsWith('/')) return { kind: 'redirect', to: pathname.slice(0, -1) + url.search }
  const query = readQuery(searchParams)
  const standing = await deps.live.position(actor.project.id)
  const now = deps.now()
  const list = await readCheckList(deps, actor, query, now)
  const canWrite = may(actor, 'write')
  const { slug } = actor.project
  const isAll = searchParams.has('all') && list.entries.length > AT_ONCE
  const shown = isAll || list.entries.length <= AT_ONCE ? list.entries : list.entries.slice(0, FIRST)
  const placed = shown.map(({ id }) => ({ id, projectId: actor.project.id }))
  const data: ListPage = {
    path: site.href(projectPath(slug, 'checks')),
    live: `${projectPath(slug, 'live')}?${new URLSearchParams({ view: LIVE_VIEWS[account.listPicture], since: standing(list.seen) })}`,
    firstPingPath: site.href(projectPath(slug, 'first-ping')),
    wallPath: site.href(`/wall?${new URLSearchParams({ p: slug })}`),
    viewPath: site.href(projectPath(slug, 'view')),
    mutePath: site.href(projectPath(slug, 'mute')),
    muteHref: site.href(mutePath(slug, scopeOf(query), projectPath(slug, 'checks') + searchOf(query))),
    script: site.href.asset('strips.js'),
    query,
    now,
    tz: account.tz,
    canWrite,
    grows: searchOf(query) === '' && shown.length === list.entries.length,
    list,
    shown: shown.length,
    channels: await readChannelNames(deps, actor),
    silencesOf: await listSilencesOf(deps, actor, placed),
    rows: account.listRows,
    picture: account.listPicture,
    readDays: (checks) => readDayCells(deps, { actor, tz: account.tz }, checks, now),
  }
  const rows = tableRows(list, shown, data)
  if (isAll) return { kind: 'page', page: listPage(data, LATER), later: rows }
  return listPage(data, await Array.fromAsync(rows))
}

/** Returns the checks that the mute button above the list applies to. */
function scopeOf({ tags }: ListQuery): MuteScope {
  return { checks: [], tags, isProject: tags.length === 0 }
}

function muteLabel({ tags }: ListQuery): string {
  return tags.length === 0 ? 'Mute… all checks' : `Mute… all checks tagged ${tags.map(shown).join(' ')}`
}

interface ListPage extends TableData {
  /** local path of the page's event stream */
  readonly live: string
  readonly firstPingPath: string
  readonly wallPath: string
  readonly viewPath: string
  /** path that the form posts the selected checks to */
  readonly mutePath: string
  /** URL of the page that mutes the tags in the filter, or the entire project */
  readonly muteHref: string
  /** URL of the script that draws the small charts in rows */
  readonly script: string
  readonly list: CheckList
  /** number of rows */
  readonly shown: number
}

function listPage(data: ListPage, rows: Html | readonly Html[]): FrameContent {
  const { path, canWrite, list, query } = data
  const newCheck = linkButton({
    text: html`<span>New check</span>`,
    icon: 'plus',
    look: 'primary',
    href: `${path}/new`,
    key: 'n',
  })
  const common = { layout: 'frame', title: 'Checks', live: data.live } as const
  if (list.counts.total === 0) return { ...common, body: noChecks(canWrite ? firstSteps(data, newCheck) : null) }
  return {
    ...common,
    intro: html`<span id="sentence">${countSentence(list.counts)}</span><span id="n-groups" hidden>${groupNumbers(list.counts)}</span>`,
    actions: html`${linkButton({ text: 'Wall', href: data.wallPath })}${canWrite && linkButton({ text: 'Mute…', label: muteLabel(query), icon: 'mute', href: data.muteHref })}${canWrite && newCheck}`,
    body: html`${filterBar({ path, query, counts: list.counts, canWrite, rows: data.rows, picture: data.picture })}${viewForm(data.viewPath)}<script src="${data.script}" defer></script>
<div id="found">${list.entries.length === 0 ? noMatch(data) : found(data, rows)}</div>`,
  }
}

function firstSteps({ firstPingPath }: ListPage, newCheck: Html): Html {
  return html`${newCheck}${linkButton({ text: 'Set up the first ping', href: firstPingPath })}`
}

/**
 * Returns a string such as `3 down, 1 late. 28 as expected, 1 not pinged yet, 2 paused.`. If nothing is wrong, returns `30 checks, all
 * good.`
 */
export function countSentence({ states, silent, advice, groups }: StandingCounts): string {
  const { slow, expected, unpinged, stopped } = groups
  const bad = numbered(
    [states.down, 'down'],
    [silent, 'late'],
    [slow, 'slow or late but running'],
    ...adviceNumbers(advice),
  )
  const others = numbered([expected, 'as expected'], [unpinged, 'not pinged yet'], [stopped, 'paused'])
  if (bad.length === 0 && others.length === 1 && expected > 0)
    return `${counted(expected, 'check', 'checks')}, all good.`
  return [bad, others].flatMap((some) => (some.length === 0 ? [] : [`${some.join(', ')}.`])).join(' ')
}

/** Returns the number of checks in each group, for the script, such as `2 0 30 1 0`. */
export function groupNumbers({ groups }: Pick<StandingCounts, 'groups'>): string {
  return GROUPS.map((group) => groups[group]).join(' ')
}

function noMatch({ path, query }: ListPage): Html {
  return empty({
    title: 'No checks match',
    text: html`No checks match ${filterWords(query)}.`,
    actions: clearLink({ path, query }),
  })
}

function found(data: ListPage, rows: Html | readonly Html[]): Html {
  const { canWrite, path, query, list, channels } = data
  if (!canWrite) return html`${table(data, rows)}${foot(data)}`
  // Pressing Enter in a field activates the form's first button, so make that button a disabled one that does nothing.
  return html`<form method="post" action="${path}" id="selection" aria-label="Checks"><button disabled hidden></button><input type="hidden" name="match" value="${searchOf(query)}">
${table(data, rows)}
${bulkBar({ settingsPath: `${path}/bulk/schedule`, mutePath: data.mutePath, matching: list.entries.length, channels })}
</form>${foot(data)}`
}

/** Renders `<p id=as-of>`, which states when the list was last updated. */
export function asOfLine(now: Instant, tz: string): Html {
  return html`<p class="help as-of" id="as-of">Times are in ${tz.replaceAll('_', ' ')}, as of ${exactTime(now, tz)}.</p>`
}

function foot({ path, query, now, tz, list, shown }: ListPage): Html {
  const search = searchOf(query)
  const everything = `${path}${search}${search === '' ? '?' : '&'}all=1`
  const rest = list.entries.length - shown
  return html`${rest > 0 && html`<p class="rest">Only the first ${shown} of ${counted(list.entries.length, 'check', 'checks')} are shown. <a href="${everything}">Show all</a></p>`}
${asOfLine(now, tz)}`
}
