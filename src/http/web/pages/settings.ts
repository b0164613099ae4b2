/** `/p/<project>/settings`: the name of a project. */
import type { Deps } from '../../../services/deps.ts'
import { renameProject } from '../../../services/projects.ts'
import { type Href, projectPath } from '../href.ts'
import { html } from '../html.ts'
import { submit } from '../parts/buttons.ts'
import { textField } from '../parts/fields.ts'
import type { FrameContent, Route } from '../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain } from './forms.ts'

export function settingsRoutes(deps: Pick<Deps, 'store' | 'now' | 'random'>): readonly Route[] {
  const path = '/p/:project/settings'
  return [
    {
      method: 'GET',
      path,
      access: 'project',
      right: 'own',
      cache: 'no-store',
      answer({ actor: { project }, site: { href } }) {
        return {
          kind: 'page',
          page: settingsPage({ href, slug: project.slug, name: project.name, problems: NO_PROBLEMS }),
        }
      },
    },
    {
      method: 'POST',
      path,
      access: 'project',
      right: 'own',
      cache: 'no-store',
      answer({ actor, form, site: { href } }) {
        const name = form.text('name').trim()
        const { slug } = actor.project
        const page = (problems: FormProblems) => settingsPage({ href, slug, name, problems })
        return orFormAgain({ refused: { 'name-invalid': 'name', 'project-name-taken': 'name' }, page }, async () => {
          await renameProject(deps, actor, name)
          return { kind: 'redirect', to: projectPath(slug, 'settings'), done: 'project-renamed' }
        })
      },
    },
  ]
}

export interface SettingsData {
  readonly href: Href
  readonly slug: string
  readonly name: string
  readonly problems: FormProblems
}

export function settingsPage({ href, slug, name, problems: { fields } }: SettingsData): FrameContent {
  const help = html`The addresses of its pages stay as they are: <code>${href(`/p/${slug}/`)}</code>`
  return {
    layout: 'frame',
    title: 'Project settings',
    here: 'settings',
    isNarrow: true,
    body: html`<form class="form" method="post" action="${href(projectPath(slug, 'settings'))}">
${textField({ name: 'name', label: 'Name', value: name, isRequired: true, maxLength: 200, help, error: fields.name, hasFocus: fields.name !== undefined })}
<div class="acts">${submit({ text: 'Save name', look: 'primary' })}</div>
</form>`,
  }
}
