/** The page that exports a project as a file. */

import type { Project } from '../../../../domain/project.ts'
import { exportProject } from '../../../../services/projects/project-export.ts'
import { type Href, projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { switchField } from '../../parts/forms/fields.ts'
import { card } from '../../parts/lists.ts'
import { bdi } from '../../parts/words/text.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { formPage } from '../form-page.ts'
import { ownerRoute } from '../new-route.ts'
import { EXPORT, SETTINGS } from './paths.ts'

export function exportRoutes(deps: PageDeps): readonly Route[] {
  return [
    ownerRoute('GET', EXPORT, ({ actor, site: { href } }) => exportPage(href, actor.project)),
    ownerRoute('POST', EXPORT, (visit) => download(deps, visit)),
  ]
}

function download(deps: PageDeps, { actor, form }: ProjectVisit): PageAnswer {
  const { slug } = actor.project
  return {
    kind: 'download',
    pieces: exportProject(deps, actor, form.has('log')),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="project-${slug}.json"`,
    },
  }
}

export function exportCard(href: Href, slug: string) {
  return card({
    title: 'Export',
    body: html`<div class="stack"><p>A single file that contains the project: checks, integrations, planned maintenance, keys and members, and optionally the pings. You can import it into another Overdue.</p>
<div class="acts">${linkButton({ text: 'Export project…', href: href(projectPath(slug, EXPORT)) })}</div></div>`,
  })
}

function exportPage(href: Href, { name, slug }: Pick<Project, 'name' | 'slug'>): FrameContent {
  return formPage({
    href,
    help: 'project-file',
    title: 'Export project',
    heading: html`Export ${bdi(name)}`,
    crumbs: [{ path: projectPath(slug, SETTINGS), text: 'Project settings' }],
    action: projectPath(slug, EXPORT),
    fields: html`<p>The file contains secrets: tokens of integrations, ping URLs, the ping key, and the email addresses of members. Protect it like a password.</p>
${switchField({
  name: 'log',
  label: 'With the log',
  isOn: false,
  help: 'Adds the pings with their bodies, the times when checks went down and up, and the alerts. The file may be large.',
})}`,
    button: { text: 'Download file', look: 'primary' },
  })
}
