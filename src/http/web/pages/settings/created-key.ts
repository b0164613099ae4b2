/** `/p/<project>/settings/keys/created`: shows an API key once. */
import { isApiKey } from '../../../../domain/project.ts'
import { type Href, projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import { type OncePlace, takeShownOnce, toShownOnce } from '../../once.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { copyable } from '../../parts/lists.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { KEYS, SETTINGS } from './paths.ts'

const PAGE = `${KEYS}/created`

function placeOf({ actor }: ProjectVisit): OncePlace {
  return { name: 'overdue_new_key', path: projectPath(actor.project.slug, PAGE) }
}

/** @param key in clear */
export function toCreatedKey(deps: PageDeps, visit: ProjectVisit, key: string): PageAnswer {
  return toShownOnce(deps, visit, placeOf(visit), key)
}

export function createdKeyRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', PAGE, 'write', (visit) => {
      const { secret: key, ending } = takeShownOnce(deps, visit, placeOf(visit))
      const page = createdKeyPage(visit.site.href, visit.actor.project.slug, key !== null && isApiKey(key) ? key : null)
      return { kind: 'page', page, ...ending }
    }),
  ]
}

/** @param key in clear; null once it was shown */
function createdKeyPage(href: Href, slug: string, key: string | null): FrameContent {
  const settings = projectPath(slug, SETTINGS)
  const text =
    key === null
      ? html`<p>The key was shown once, or created more than a minute ago. If you have not copied it, revoke it and create another.</p>`
      : html`<p>Copy the key now. It is not shown again.</p>
${copyable(key, 'API key')}`
  return {
    layout: 'frame',
    title: 'New API key',
    crumbs: [{ path: settings, text: 'Project settings' }],
    isNarrow: true,
    body: html`<div class="stack">${text}
<div class="acts">${linkButton({ text: 'Go back to the settings', href: href(settings) })}</div></div>`,
  }
}
