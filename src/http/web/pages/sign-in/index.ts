/** The pages for signing in and for resetting a password. */
import type { Page } from '../../page.ts'
import { signInCodeRoutes } from './code.ts'
import { signInFixtures } from './fixtures.ts'
import { signInLinkRoutes } from './link.ts'
import { passwordRoutes } from './password.ts'
import { signInRoutes } from './routes.ts'

export const page = {
  routes: (deps) => [
    ...signInRoutes(deps),
    ...signInLinkRoutes(deps),
    ...signInCodeRoutes(deps),
    ...passwordRoutes(deps),
  ],
  fixtures: signInFixtures,
} satisfies Page
