/** The frame of the pages for people who are signed in: menu, project switcher, heading, tab bar, help for keys. */
import type { Account } from '../../../domain/account/account.ts'
import { oneLine } from '../../../lib/text.ts'
import { projectPath } from '../href.ts'
import { type Html, html } from '../html.ts'
import { icon, logo } from '../parts/icons.ts'
import { bdi } from '../parts/text.ts'
import { type ToldDone, toast } from '../parts/toast.ts'
import type { FrameContent, PageSite } from '../route.ts'
import { documentHtml } from './document.ts'
import { keyHelp } from './key-help.ts'
import { ACCOUNT, type CurrentProject, type MenuEntry, type MenuItem, mainMenu, REFERENCE } from './menu.ts'

/** A project to switch to. */
export interface ProjectLink {
  readonly slug: string
  readonly name: string
  /** number of checks that are down */
  readonly down: number
}

export interface FrameData {
  readonly site: PageSite
  readonly account: Pick<Account, 'email' | 'theme' | 'tz' | 'hasShortcuts'>
  readonly project: CurrentProject | null
  /** all that the reader may see, in the order to show */
  readonly projects: readonly ProjectLink[]
  readonly done: ToldDone | null
  readonly content: FrameContent
}

export function framePage(data: FrameData): Html {
  const { site, account, project, projects, content, done } = data
  const { here = null } = content
  const body = html`<a class="skip" href="#main">Skip to content</a>
<div class="app">
${side(data, here)}
<main id="main" tabindex="-1"${content.isNarrow && html` class="narrow"`}>
${done && toast(done, project && site.href(projectPath(project.slug, 'undo')))}${crumbs(data)}${head(content)}${content.body}
<noscript><p class="help">Times are as of the last load. Reload the page to see changes.</p></noscript>
</main>
</div>
${tabBar(data, here)}
${account.hasShortcuts && keyHelp(site.href, project)}`
  const down = projects.reduce((sum, each) => sum + each.down, 0)
  return documentHtml({ site, titles: [content.title, content.about ?? '', project?.name ?? ''], down, reader: account, body })
}

function side({ site, account, project, projects }: FrameData, here: MenuItem | null): Html {
  return html`<nav class="side" aria-label="Main">
<a class="brand" href="${site.href('/projects')}">${logo(20)}<b>${bdi(site.name)}</b></a>
${switcher(site, project, projects)}
<ul>${mainMenu(project).map((entry) => html`<li>${menuLink(site, entry, here)}</li>`)}</ul>
<ul class="side-foot"><li>${menuLink(site, REFERENCE, here)}</li><li>${menuLink(site, { ...ACCOUNT, text: account.email }, here)}</li></ul>
</nav>`
}

function switcher({ href }: PageSite, project: CurrentProject | null, projects: readonly ProjectLink[]): Html {
  const links = projects.map(({ slug, name, down }) => {
    const isCurrent = slug === project?.slug
    return html`<li><a href="${href(projectPath(slug, 'checks'))}"${isCurrent && html` aria-current="true"`}>${bdi(name)}${down > 0 && html` <small class="end">${down} down</small>`}</a></li>`
  })
  const label = project === null ? 'Choose a project' : `Project: ${oneLine(project.name)}. Switch project`
  return html`<details class="switcher"><summary aria-label="${label}"><span>${project === null ? 'Choose a project' : bdi(project.name)}</span>${icon('down', 'end')}</summary><ul>${links}<li><a href="${href('/projects')}">All projects</a></li></ul></details>`
}

function menuLink({ href }: PageSite, { item, text, icon: symbol, path }: MenuEntry, here: MenuItem | null): Html {
  return html`<a href="${href(path)}"${item === here && html` aria-current="page"`}>${icon(symbol)}<span>${bdi(text)}</span></a>`
}

function tabBar({ site, project }: FrameData, here: MenuItem | null): Html {
  const entries = [...mainMenu(project), ACCOUNT]
  return html`<nav class="tabbar" aria-label="Sections">${entries.map((entry) => menuLink(site, entry, here))}</nav>`
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
