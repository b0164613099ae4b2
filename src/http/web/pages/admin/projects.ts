/** `/admin/projects`: lists all projects and their owners, for administrators. */

import { type ListedProject, type ProjectPage, readProjectPage } from '../../../../services/projects/all-projects.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { readOffset } from '../../parts/forms/offset.ts'
import { icon } from '../../parts/icons.ts'
import { bdi } from '../../parts/words/text.ts'
import type { FrameContent, Route } from '../../route.ts'
import { adminRoute } from '../new-route.ts'
import { ADMIN_TABS, adminTabs } from './tabs.ts'

const TEXT_LIMIT = 200
/** Maximum number of owners to name for each project. */
const OWNERS_NAMED = 3

export function adminProjectsRoutes(deps: PageDeps): readonly Route[] {
  return [
    adminRoute('GET', ADMIN_TABS.projects.path, async ({ person, url, site: { href } }) => {
      const text = (url.searchParams.get('q') ?? '').trim().slice(0, TEXT_LIMIT)
      const read = () => readProjectPage(deps, person, text, readOffset(url.searchParams))
      return adminProjectsPage(href, text, await deps.longReads.during(person, read))
    }),
  ]
}

/** @param text text to search for; '' lists all projects */
function adminProjectsPage(href: Href, text: string, { projects, next }: ProjectPage): FrameContent {
  const more =
    next === null ? null : href(`${ADMIN_TABS.projects.path}?${new URLSearchParams({ q: text, from: String(next) })}`)
  const table = html`<div class="card scroll" tabindex="0" role="group" aria-label="Projects"><table class="table stacks"><thead><tr><th scope="col">Name</th><th scope="col">Owners</th><th scope="col">Checks</th><th scope="col">Integrations</th><th scope="col">Members</th></tr></thead><tbody>
${projects.map((listed) => row(href, listed))}</tbody></table></div>`
  return {
    layout: 'frame',
    title: ADMIN_TABS.projects.title,
    intro: 'Administrators have owner access to every project.',
    body: html`<div class="stack">${adminTabs(href, 'projects')}<div><form class="filters" role="search" action="${href(ADMIN_TABS.projects.path)}" aria-label="Search projects"><div class="search">${icon('search')}<input class="in" type="search" name="q" value="${text}" maxlength="${TEXT_LIMIT}" aria-label="Part of the name" placeholder="Part of the name" autocomplete="off" spellcheck="false" autocapitalize="none" data-key="/"><kbd aria-hidden="true">/</kbd></div>${submit({ text: 'Search' })}</form>
${projects.length > 0 ? table : nothing(href, text)}
${more !== null && html`<p class="rest">${linkButton({ text: 'More projects', href: more })}</p>`}</div></div>`,
  }
}

function nothing(href: Href, text: string): Html {
  if (text === '') {
    const add = linkButton({ text: 'New project', icon: 'plus', href: href('/projects/new') })
    return empty({ title: 'No projects', text: 'A project contains checks and integrations.', actions: add })
  }
  const all = linkButton({ text: 'Show all', href: href(ADMIN_TABS.projects.path) })
  return empty({ title: 'No project matches', text: 'No name contains this text.', actions: all })
}

function row(href: Href, { project, contents, owners }: ListedProject): Html {
  const { checks, channels, members } = contents
  const named = owners.slice(0, OWNERS_NAMED).map((email) => html`<div>${bdi(email)}</div>`)
  const others = owners.length - named.length
  const who =
    owners.length === 0
      ? html`<span class="muted">no owner</span>`
      : html`${named}${others > 0 && html`<div>and ${others} more</div>`}`
  return html`<tr><th scope="row"><a href="${href(projectPath(project.slug, 'checks'))}">${bdi(project.name)}</a></th><td data-name="Owners">${who}</td><td data-name="Checks">${checks}</td><td data-name="Integrations">${channels}</td><td data-name="Members">${members}</td></tr>
`
}
