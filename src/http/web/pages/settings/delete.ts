/** The page that deletes a project. */

import { deleteProject } from '../../../../services/projects/project-deletion.ts'
import { countContents } from '../../../../services/projects/projects.ts'
import type { Form } from '../../form.ts'
import { projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { isNameTyped, nameToType } from '../../parts/forms/confirm-name.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import type { FrameContent, ProjectVisit, Route } from '../../route.ts'
import { formPage } from '../form-page.ts'
import { again } from '../forms.ts'
import { ownerRoute } from '../new-route.ts'
import { DELETE, SETTINGS } from './paths.ts'

export function deleteRoutes(deps: PageDeps): readonly Route[] {
  return [
    ownerRoute('GET', DELETE, (visit) => deletePage(deps, visit, null)),
    ownerRoute('POST', DELETE, async (visit) => {
      const { actor, form } = visit
      const { name, slug } = actor.project
      if (!isNameTyped({ name, id: slug }, form)) return again(await deletePage(deps, visit, form))
      await deleteProject(deps, actor)
      return { kind: 'redirect', to: '/projects', done: 'project-deleted' }
    }),
  ]
}

/** @param refused the submitted form if the project name was wrong; otherwise null */
async function deletePage(
  deps: PageDeps,
  { actor, site: { href } }: ProjectVisit,
  refused: Form | null,
): Promise<FrameContent> {
  const { name, slug } = actor.project
  const { checks, channels, members } = await countContents(deps, actor)
  const lost = [
    counted(checks, 'check with its log', 'checks with their logs'),
    counted(channels, 'integration', 'integrations'),
    'all keys, badges and waiting alerts',
  ]
  return formPage({
    href,
    title: 'Delete project',
    heading: html`Delete ${bdi(name)}?`,
    crumbs: [{ path: projectPath(slug, SETTINGS), text: 'Project settings' }],
    action: projectPath(slug, DELETE),
    fields: html`<p>This also deletes ${lost.join(', ')}. Pings to its checks will get a 404, and no one will be alerted when a job does not run. ${counted(members, 'person', 'people')} will lose access. This can't be undone.</p>
${nameToType({ name, id: slug }, refused)}`,
    button: { text: 'Delete project', look: 'danger' },
  })
}
