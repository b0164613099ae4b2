/** `/p/<project>/settings/keys/created`: shows an API key once. */
import { isApiKey } from '../../../../domain/project.ts'
import { projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { copyable } from '../../parts/lists.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { shownOnce, toShownOnce } from '../shown-once.ts'
import { KEYS, SETTINGS } from './paths.ts'

const PAGE = `${KEYS}/created`

function placeOf({ actor }: ProjectVisit) {
  return { name: 'overdue_new_key', path: projectPath(actor.project.slug, PAGE) }
}

/** @param key the key in plain text */
export function toCreatedKey(deps: PageDeps, visit: ProjectVisit, key: string): PageAnswer {
  return toShownOnce(deps, visit, placeOf(visit), key)
}

export function createdKeyRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', PAGE, 'write', (visit) =>
      shownOnce(deps, visit, placeOf(visit), {
        title: 'New API key',
        crumbs: [{ path: projectPath(visit.actor.project.slug, SETTINGS), text: 'Project settings' }],
        back: 'the settings',
        isSecret: isApiKey,
        shown: (key) => html`<p>Copy the key now. It will not be shown again.</p>
${copyable(key, 'API key')}`,
        ended:
          'The key has been shown already, or was created more than a minute ago. If you have not copied it, revoke it and create a new one.',
      }),
    ),
  ]
}
