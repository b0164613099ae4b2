/** The server administration pages. Each page is a tab. */
import type { Page } from '../../page.ts'
import { accountsRoutes } from './accounts/routes.ts'
import { adminBackupsRoutes } from './backups/routes.ts'
import { adminFixtures } from './fixtures.ts'
import { adminHealthRoutes } from './health/routes.ts'
import { adminImportRoutes } from './import/routes.ts'
import { instancesRoutes } from './instances.ts'
import { adminMailRoutes } from './mail/routes.ts'
import { adminProjectsRoutes } from './projects.ts'
import { adminSettingsRoutes } from './settings.ts'
import { adminMenu } from './tabs.ts'

export const page = {
  routes: (deps) => [
    ...adminHealthRoutes(deps),
    ...accountsRoutes(deps),
    ...adminProjectsRoutes(deps),
    ...adminBackupsRoutes(deps),
    ...adminImportRoutes(deps),
    ...adminMailRoutes(deps),
    ...adminSettingsRoutes(deps),
    ...instancesRoutes(deps),
  ],
  menu: adminMenu,
  help: 'pages#accounts',
  fixtures: adminFixtures,
} satisfies Page
