/**
 * `/projects`: lists the projects that the user may see, and has a form for creating a project. Projects with checks that are down come
 * first.
 */

import type { Person } from '../../../domain/actor.ts'
import { listOffersTo } from '../../../services/accounts/ownership.ts'
import { listProjectsOf, type ProjectWithState } from '../../../services/projects/members.ts'
import { createOwnProject } from '../../../services/projects/projects.ts'
import { type Href, projectPath } from '../href.ts'
import { type Html, html } from '../html.ts'
import type { Page, PageDeps } from '../page.ts'
import { empty } from '../parts/empty.ts'
import { linkButton } from '../parts/forms/buttons.ts'
import { textField } from '../parts/forms/fields.ts'
import { offerNotes } from '../parts/offers.ts'
import { stateShape } from '../parts/words/states.ts'
import { bdi, counted } from '../parts/words/text.ts'
import type { FrameContent, Route } from '../route.ts'
import { formPage } from './form-page.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain } from './forms.ts'
import { accountRoute } from './new-route.ts'

const PATH = '/projects'
const NEW_PATH = '/projects/new'

export const page = {
  routes: projectsRoutes,
  menu: { text: 'Projects', icon: 'folder', key: 'p', path: '/projects', tab: 'outside' },
  fixtures: {
    'GET /projects': { for: 'people' },
    'GET /projects/new': { for: 'people' },
    'POST /projects/new': { for: 'people', form: { name: 'Trial {n}' }, isOnce: true },
  },
} satisfies Page

function projectsRoutes(deps: PageDeps): readonly Route[] {
  return [
    accountRoute('GET', PATH, async ({ person, site: { href } }) => {
      const list = listPage(href, person, await listProjectsOf(deps, person))
      const offers = offerNotes(href, await listOffersTo(deps, person))
      return { ...list, body: html`${offers}${list.body}` }
    }),
    accountRoute('GET', NEW_PATH, ({ site: { href } }) => newProjectPage(href, '', NO_PROBLEMS)),
    accountRoute('POST', NEW_PATH, ({ form, person, site: { href } }) => {
      const name = form.text('name').trim()
      const again = (problems: FormProblems) => newProjectPage(href, name, problems)
      return orFormAgain(
        { refused: { 'name-invalid': 'name', 'project-name-taken': 'name' }, page: again },
        async () => {
          const project = await createOwnProject(deps, person, name)
          return { kind: 'redirect', to: projectPath(project.slug, 'checks'), done: 'project-made' }
        },
      )
    }),
  ]
}

function listPage(href: Href, person: Person, projects: readonly ProjectWithState[]): FrameContent {
  const newProject = linkButton({ text: 'New project', icon: 'plus', href: href(NEW_PATH) })
  const sorted = projects.toSorted((a, b) => Number(b.down > 0) - Number(a.down > 0) || byName(a, b))
  const down = projects.reduce((sum, project) => sum + project.down, 0)
  return {
    layout: 'frame',
    title: 'Projects',
    isNarrow: true,
    ...(projects.length > 0 ? { intro: sentenceOf(down), actions: newProject } : {}),
    body:
      projects.length === 0
        ? empty({
            title: 'No projects',
            text: 'A project contains checks and integrations. Create a project, or ask to be added to one.',
            actions: newProject,
          })
        : html`<ul class="card plist">${sorted.map((project) => row(href, person, project))}</ul>`,
  }
}

function byName(a: ProjectWithState, b: ProjectWithState): number {
  return a.project.name.localeCompare(b.project.name, 'en', { sensitivity: 'base', numeric: true })
}

function sentenceOf(down: number): string {
  if (down === 0) return 'No checks are down.'
  return down === 1 ? '1 check is down.' : `${down} checks are down.`
}

function row(href: Href, person: Person, { project, role, checks, down, state, hasOwner }: ProjectWithState): Html {
  const place = role ?? (person.isAdministrator ? 'administrator' : '')
  const words = [counted(checks, 'check', 'checks'), ...(down > 0 ? [`${down} down`] : []), place]
  if (!hasOwner) words.push('no owner')
  return html`<li><a href="${href(projectPath(project.slug, 'checks'))}">${stateShape(state)}<span><b>${bdi(project.name)}</b><small>${words.join(' · ')}</small></span></a></li>`
}

function newProjectPage(href: Href, name: string, { fields }: FormProblems): FrameContent {
  return formPage({
    href,
    title: 'New project',
    crumbs: [{ path: PATH, text: 'Projects' }],
    action: NEW_PATH,
    fields: html`${textField({ name: 'name', label: 'Name', value: name, isRequired: true, maxLength: 200, help: 'For example, a team, a customer or a server. You become the owner of the project.', error: fields.name, hasFocus: true })}`,
    button: { text: 'Create project', look: 'primary' },
  })
}
