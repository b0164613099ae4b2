/** The page that deletes a project. */

import type { Project } from '../../../../domain/project.ts'
import { deleteProject } from '../../../../services/projects/project-deletion.ts'
import { countContents, type ProjectContents } from '../../../../services/projects/projects.ts'
import type { Form } from '../../form.ts'
import { type Href, projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { isNameTyped, nameToType } from '../../parts/forms/confirm-name.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import type { FrameContent, ProjectVisit, Route } from '../../route.ts'
import { formPage } from '../form-page.ts'
import { ownerRoute } from '../new-route.ts'
import { DELETE, SETTINGS } from './paths.ts'

export function deleteRoutes(deps: PageDeps): readonly Route[] {
  const page = async ({ actor, site: { href } }: ProjectVisit, refused: Form | null) =>
    deletePage({ href, project: actor.project, contents: await countContents(deps, actor), refused })
  return [
    ownerRoute('GET', DELETE, (visit) => page(visit, null)),
    ownerRoute('POST', DELETE, async (visit) => {
      const { actor, form } = visit
      const { name, slug } = actor.project
      if (!isNameTyped({ name, id: slug }, form)) return { kind: 'page', status: 422, page: await page(visit, form) }
      await deleteProject(deps, actor)
      return { kind: 'redirect', to: '/projects', done: 'project-deleted' }
    }),
  ]
}

interface DeleteData {
  readonly href: Href
  readonly project: Project
  readonly contents: ProjectContents
  /** what was sent without the name; null before */
  readonly refused: Form | null
}

function deletePage({ href, project, contents, refused }: DeleteData): FrameContent {
  const { name, slug } = project
  const { checks, channels, members } = contents
  const lost = [
    counted(checks, 'check with its log', 'checks with their logs'),
    counted(channels, 'integration', 'integrations'),
    'all keys, badges and alerts that wait',
  ]
  return formPage({
    href,
    title: 'Delete project',
    heading: html`Delete ${bdi(name)}?`,
    crumbs: [{ path: projectPath(slug, SETTINGS), text: 'Project settings' }],
    action: projectPath(slug, DELETE),
    fields: html`<p>This also deletes ${lost.join(', ')}. Pings to its checks will get a 404, and no one will be alerted when a job does not run. ${counted(members, 'person loses', 'people lose')} access. This can't be undone.</p>
${nameToType({ name, id: slug }, refused)}`,
    button: { text: 'Delete project', look: 'danger' },
  })
}
