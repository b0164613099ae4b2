/** The frame around pages for signed-in users: menu, project switcher, heading, tab bar and help for keyboard shortcuts. */
import type { Account } from '../../../domain/account/account.ts'
import { oneLine } from '../../../lib/text/text.ts'
import { projectPath, START } from '../href.ts'
import { type Html, html } from '../html.ts'
import { withRights } from '../live/rights.ts'
import { icon, logo } from '../parts/icons.ts'
import { type ToldDone, toast } from '../parts/toast.ts'
import { approximately } from '../parts/words/delivery-words.ts'
import { stateShape } from '../parts/words/states.ts'
import { bdi } from '../parts/words/text.ts'
import type { Refresh } from '../refresh.ts'
import type { FrameContent, MenuPlace, PageSite } from '../route.ts'
import { documentHtml } from './document.ts'
import { keyHelp } from './key-help.ts'
import { type CurrentProject, entryOf, type MenuEntry, type MenuPlaces, mainMenu, menuGroups } from './menu.ts'
import { paletteDialog, paletteField } from './palette.ts'

/** A project in the project switcher. */
export interface ProjectLink {
  readonly slug: string
  readonly name: string
  /** number of the project's checks that are down */
  readonly down: number
}

export interface FrameData {
  readonly site: PageSite
  readonly account: Pick<Account, 'email' | 'theme' | 'tz' | 'hasShortcuts' | 'isAdministrator'>
  /** project that the page belongs to; null for a page outside projects */
  readonly project: CurrentProject | null
  /** the reader's project if they have access to only one; its menu is then also shown on pages outside projects */
  readonly onlyProject: CurrentProject | null
  /** all projects that the reader is allowed to see, in display order */
  readonly projects: readonly ProjectLink[]
  /** number of waiting or failed alerts in the project whose menu is shown, at most `COUNTED_AT_MOST` */
  readonly undelivered: number
  /** number of checks with advice in the project whose menu is shown */
  readonly advised: number
  readonly done: ToldDone | null
  /** links that turn automatic reloading on or off; null if the page's content does not change */
  readonly refresh: Refresh | null
  /** true if a second request would show different content, for example because the page shows a secret or the response to a form */
  readonly isOnce: boolean
  readonly content: FrameContent
  readonly menu: MenuPlaces
  /** this page's place in the menu; null if it has none */
  readonly here: MenuPlace | null
  /** target of the Help link: a document and one of its headings; null for the list of documents */
  readonly help: string | null
}

export function framePage(data: FrameData): Html {
  const { site, account, project, projects, content, done } = data
  const place = project ?? data.onlyProject
  const body = html`<a class="skip" href="#main">Skip to content</a>
<div class="app">
${side(data, place)}
<main id="main" tabindex="-1"${content.isNarrow && html` class="narrow"`} hx-sse:connect="${site.href(streamPath(data))}" hx-trigger="live" hx-swap="none" data-numbers="${site.href(NUMBERS)}">
${done && toast(done, undoPath(data))}${crumbs(data)}${head(content)}${content.body}
${refreshLine(data)}
</main>
</div>
${tabBar(data, place)}
${paletteDialog(site.href, data.menu.search, place)}
${account.hasShortcuts && keyHelp(site.href, data.menu, place, account.isAdministrator)}`
  const down = projects.reduce((sum, each) => sum + each.down, 0)
  return documentHtml({
    site,
    titles: [content.title, content.about ?? '', project?.name ?? ''],
    down,
    reader: account,
    body,
  })
}

/** Path of the stream that reports the number of down checks. */
const NUMBERS = '/live?view=counts'

/**
 * Returns the stream's path. If the page must not be reloaded, the path contains no rights, so that the page is not reloaded when the
 * reader's rights change.
 */
function streamPath({ account, project, content, isOnce }: FrameData): string {
  const path = content.live ?? numbersPath(project)
  return isOnce ? path : withRights(path, project?.right ?? null, account.isAdministrator)
}

/** Returns the stream's path for a page on which only the numbers in the menu are live. */
function numbersPath(project: CurrentProject | null): string {
  return project === null ? NUMBERS : projectPath(project.slug, 'live?view=counts')
}

/** Renders the line about reloading, for browsers without scripts and for pages that reload themselves. */
function refreshLine({ site, refresh }: FrameData): Html {
  if (refresh?.isOn) {
    return html`<p class="help">This page reloads every minute. <a href="${site.href(refresh.other)}">Stop</a></p>`
  }
  const link = refresh && html` <a href="${site.href(refresh.other)}">Reload every minute</a>`
  return html`<noscript><p class="help as-of">This page shows the state when it was loaded. Reload it to see changes.${link}</p></noscript>`
}

function undoPath({ site, project, done }: FrameData): string | null {
  const slug = project?.slug ?? done?.undoIn
  return slug ? site.href(projectPath(slug, 'undo')) : null
}

function side(data: FrameData, place: CurrentProject | null): Html {
  const { site, account, projects, menu } = data
  const tallies = talliesOf(data, place)
  return html`<nav class="side" aria-label="Main">
<a class="brand" href="${site.href(START)}">${logo(20)}<b>${bdi(site.name)}</b></a>
${switcher(site, place, projects)}
${paletteField(site.href, menu.search, data.here)}
${Array.from(
  menuGroups(mainMenu(menu, place, account.isAdministrator)),
  ([
    group,
    entries,
  ]) => html`${group !== undefined && html`<h2>${group}</h2>`}<ul>${entries.map((entry) => html`<li>${menuLink(data, entry, tallies)}</li>`)}</ul>
`,
)}<ul class="side-foot"><li id="live" hidden></li><li>${menuLink(data, helpOf(data))}</li><li>${menuLink(data, { ...entryOf(menu.account, null), text: account.email })}</li></ul>
</nav>`
}

function helpOf({ menu, help }: FrameData): MenuEntry {
  const entry = entryOf(menu.help, null)
  return help === null ? entry : { ...entry, path: `${entry.path}/${help}` }
}

/** Numbers next to the entries in a project's menu. They are always rendered, so that the script can update them. */
type Tallies = Partial<Readonly<Record<NonNullable<MenuPlace['tally']>, Html>>>

function talliesOf({ projects, undelivered, advised }: FrameData, place: CurrentProject | null): Tallies {
  if (place === null) return {}
  const down = projects.find(({ slug }) => slug === place.slug)?.down ?? 0
  return {
    down: html`<span class="tally end" data-tally="down"${down === 0 && ' hidden'}>${stateShape('down')}<b>${down}</b><i class="sr"> down</i></span>`,
    undelivered: html`<span class="tally undelivered end" data-tally="undelivered"${undelivered === 0 && ' hidden'}><b>${approximately(undelivered)}</b><i class="sr"> waiting or failed</i></span>`,
    advised: html`<span class="tally advised end" data-tally="advised"${advised === 0 && ' hidden'}><b>${advised}</b><i class="sr"> with advice</i></span>`,
  }
}

function switcher({ href }: PageSite, project: CurrentProject | null, projects: readonly ProjectLink[]): Html {
  const links = projects.map(({ slug, name, down }) => {
    const isCurrent = slug === project?.slug
    return html`<li><a href="${href(projectPath(slug, 'checks'))}"${isCurrent && html` aria-current="true"`}>${bdi(name)}${down > 0 && html` <small class="end">${down} down</small>`}</a></li>`
  })
  const label = project === null ? 'Choose a project' : `Project: ${oneLine(project.name)}. Switch project`
  return html`<details class="switcher"><summary aria-label="${label}"><span>${project === null ? 'Choose a project' : bdi(project.name)}</span>${icon('down', 'end')}</summary><ul>${links}<li><a href="${href('/projects')}">Projects</a></li></ul></details>`
}

function menuLink({ site, here }: FrameData, { place, text, path }: MenuEntry, tallies: Tallies = {}): Html {
  const tally = place.tally && tallies[place.tally]
  return html`<a href="${site.href(path)}"${place === here && html` aria-current="page"`}>${icon(place.icon)}<span>${bdi(text)}</span>${tally}</a>`
}

/** Renders the tab bar for phones. It has four entries; the last one opens the rest of the menu. */
function tabBar(data: FrameData, place: CurrentProject | null): Html {
  const { account, menu, here } = data
  const tallies = talliesOf(data, place)
  const entries = mainMenu(menu, place, account.isAdministrator)
  const tabs = entries.filter(({ isTab }) => isTab).map((entry) => menuLink(data, entry, tallies))
  const others = [...entries.filter(({ isTab }) => !isTab), entryOf(menu.account, null), helpOf(data)]
  const isOther = others.some((other) => other.place === here)
  return html`<nav class="tabbar" aria-label="Sections">${tabs}<details class="more-tabs"><summary${isOther && html` aria-current="true"`}>${icon('more')}<span>More</span></summary><ul>${others.map((entry) => html`<li>${menuLink(data, entry)}</li>`)}</ul></details></nav>`
}

function crumbs({ site, content }: FrameData): Html | null {
  const { crumbs: above = [], title } = content
  if (above.length === 0) return null
  const links = above.map(({ path, text }) => html`<li><a href="${site.href(path)}">${bdi(text)}</a></li>`)
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${links}<li aria-current="page">${bdi(title)}</li></ol></nav>\n`
}

function head({ title, heading = bdi(title), intro, actions }: FrameContent): Html {
  return html`<div class="head"><div class="grow"><h1>${heading}</h1>${intro !== undefined && html`<p>${intro}</p>`}</div>${
    actions !== undefined && html`<div class="acts">${actions}</div>`
  }</div>\n`
}
