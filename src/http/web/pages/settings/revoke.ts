/** `/p/<project>/settings/keys/<key>/revoke`: revokes an API key. */

import { Refusal } from '../../../../domain/errors.ts'
import type { StoredKey } from '../../../../domain/project.ts'
import { listKeys, revokeKey } from '../../../../services/projects/keys.ts'
import { contextOf, type PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { relativeTime } from '../../parts/words/times.ts'
import type { FrameContent, ProjectVisit, Route } from '../../route.ts'
import { formPage } from '../form-page.ts'
import { projectRoute } from '../new-route.ts'
import { nameOf } from './keys.ts'
import { KEYS, revokePath, SETTINGS } from './paths.ts'

export function revokeRoutes(deps: PageDeps): readonly Route[] {
  const path = `${KEYS}/:key/revoke`
  return [
    projectRoute('GET', path, 'write', async (visit) => {
      const key = await findApiKey(deps, visit)
      return revokeKeyPage(contextOf(deps, visit), visit.actor.project.slug, key)
    }),
    projectRoute('POST', path, 'write', async (visit) => {
      const { lookup } = await findApiKey(deps, visit)
      await revokeKey(deps, visit.actor, lookup)
      return { kind: 'redirect', to: projectPath(visit.actor.project.slug, SETTINGS), done: 'key-revoked' }
    }),
  ]
}

/** @throws Refusal `not-found` */
async function findApiKey(deps: PageDeps, { actor, params }: ProjectVisit): Promise<StoredKey> {
  const keys = await listKeys(deps, actor)
  const found = keys.find(({ lookup, kind }) => lookup === params.key && kind !== 'ping')
  if (!found) throw new Refusal('not-found', 'not found')
  return found
}

function revokeKeyPage({ href, now, tz }: PageContext, slug: string, key: StoredKey): FrameContent {
  const { lookup, lastUsedAt } = key
  const used = lastUsedAt === null ? 'It was never used.' : html`It was last used ${relativeTime(lastUsedAt, now, tz)}.`
  return formPage({
    href,
    title: 'Revoke API key',
    heading: html`Revoke ${nameOf(key)}?`,
    crumbs: [{ path: projectPath(slug, SETTINGS), text: 'Project settings' }],
    action: revokePath(slug, lookup),
    fields: html`<p>${used} Every program that uses it will get a 401. This can't be undone.</p>`,
    button: { text: 'Revoke API key', look: 'danger' },
  })
}
