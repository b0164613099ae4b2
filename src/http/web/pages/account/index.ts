/** The account pages, where users manage their own accounts. */
import type { Page } from '../../page.ts'
import account from './account.css' with { type: 'text' }
import { accountFixtures } from './fixtures.ts'
import { accountRoutes } from './routes.ts'
import { identitiesRoutes } from './security/identities.ts'
import { oidcRoutes } from './security/oidc.ts'

export const page = {
  routes: (deps) => [...accountRoutes(deps), ...oidcRoutes(deps), ...identitiesRoutes(deps)],
  menu: { text: 'Account', icon: 'user', key: 'y', path: '/account', apart: 'foot' },
  help: 'operate#accounts',
  lastStyles: [account],
  fixtures: accountFixtures,
} satisfies Page
