/** `/admin/backups`: lets administrators list and create backups of this server. */
import { Refusal } from '../../../../../domain/errors.ts'
import { contextOf } from '../../../context.ts'
import type { PageDeps } from '../../../page.ts'
import type { AccountVisit, PageAnswer, Route } from '../../../route.ts'
import { adminRoute, sensitiveAdminRoute } from '../../new-route.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { backupsPage, DOWNLOAD } from './page.ts'

/** Reload interval while a backup is in progress, in seconds. */
const REFRESH_SECONDS = 2

export function adminBackupsRoutes(deps: PageDeps): readonly Route[] {
  const { path } = ADMIN_TABS.backups
  const toPage = { kind: 'redirect', to: path } as const
  return [
    adminRoute('GET', path, (visit) => lookAt(deps, visit)),
    adminRoute('POST', path, async ({ person }) => {
      // If the backup cannot start, the page explains why: another backup is in progress, or the database is not a file.
      await deps.backups?.begin(person)
      return toPage
    }),
    // After proving their identity, users are redirected to this path, and have to press the button again.
    sensitiveAdminRoute('GET', DOWNLOAD, () => toPage),
    sensitiveAdminRoute('POST', DOWNLOAD, async ({ person, form }): Promise<PageAnswer> => {
      const name = form.text('name')
      const body = await deps.backups?.open(person, name)
      if (body === undefined) throw new Refusal('not-found', 'not found')
      return {
        kind: 'file',
        body,
        headers: {
          'content-type': 'application/vnd.sqlite3',
          'content-disposition': `attachment; filename="${name}"`,
        },
      }
    }),
  ]
}

async function lookAt(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const seen = (await deps.backups?.look(visit.person)) ?? null
  const isSet = deps.settings.shown.some(
    ({ name, from }) => name === 'SECRET_KEY' && (from === 'environment' || from === 'file'),
  )
  const page = backupsPage({
    ...contextOf(deps, visit),
    seen,
    place: deps.place,
    version: deps.ownProcess.version,
    siteRoot: deps.site.links.siteRoot,
    hasSecretKey: isSet,
  })
  // Reload the page instead of updating parts of it: a backup changes the entire page, and reloading works without JavaScript.
  return { kind: 'page', page, ...(seen?.underWay ? { headers: { refresh: String(REFRESH_SECONDS) } } : {}) }
}
