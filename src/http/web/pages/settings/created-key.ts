/**
 * `/p/<project>/settings/keys/created`: shows an API key once. It comes in a cookie that only this page gets and that ends with it, so that a
 * reload creates no second key and shows none.
 */
import { isApiKey } from '../../../../domain/project.ts'
import type { Deps } from '../../../../services/deps.ts'
import { cookiePlace, readCookie, setCookie } from '../../cookie.ts'
import { type Href, projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import { linkButton } from '../../parts/buttons.ts'
import { copyable } from '../../parts/lists.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { KEYS, SETTINGS } from './paths.ts'

const NAME = 'overdue_new_key'
const SECONDS = 60
const PAGE = `${KEYS}/created`

type CreatedDeps = Pick<Deps, 'site'>

/** @param key in clear */
export function toCreatedKey(deps: CreatedDeps, visit: ProjectVisit, key: string): PageAnswer {
  return {
    kind: 'redirect',
    to: projectPath(visit.actor.project.slug, PAGE),
    cookie: keyCookie(deps, visit, key, SECONDS),
  }
}

function keyCookie({ site }: CreatedDeps, visit: ProjectVisit, key: string, seconds: number): string {
  const { isSecure } = cookiePlace(visit.request, site.links.siteRoot, visit.client.scheme)
  const path = visit.site.href(projectPath(visit.actor.project.slug, PAGE))
  return setCookie({ name: NAME, value: key, seconds, place: { path, isSecure } })
}

export function createdKeyRoutes(deps: CreatedDeps): readonly Route[] {
  return [
    {
      method: 'GET',
      path: `/p/:project/${PAGE}`,
      access: 'project',
      right: 'write',
      cache: 'no-store',
      answer(visit) {
        const key = readCookie(visit.request.headers, NAME)
        const page = createdKeyPage(
          visit.site.href,
          visit.actor.project.slug,
          key !== null && isApiKey(key) ? key : null,
        )
        return { kind: 'page', page, ...(key === null ? {} : { cookie: keyCookie(deps, visit, '', 0) }) }
      },
    },
  ]
}

/** @param key in clear; null once it was shown */
export function createdKeyPage(href: Href, slug: string, key: string | null): FrameContent {
  const settings = projectPath(slug, SETTINGS)
  const text =
    key === null
      ? html`<p>The key was shown once, or created more than a minute ago. If you have not copied it, revoke it and create another.</p>`
      : html`<p>Copy the key now. Only a hash of it is stored, so it is not shown again.</p>
${copyable(key, 'API key')}`
  return {
    layout: 'frame',
    title: 'New API key',
    here: 'settings',
    crumbs: [{ path: settings, text: 'Project settings' }],
    isNarrow: true,
    body: html`<div class="stack">${text}
<div class="acts">${linkButton({ text: 'Go back to the settings', href: href(settings) })}</div></div>`,
  }
}
