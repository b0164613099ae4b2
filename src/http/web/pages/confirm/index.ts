/** The page where users prove their identity again. */
import type { Page } from '../../page.ts'
import { confirmRoutes } from './routes.ts'

export const page = {
  routes: confirmRoutes,
  fixtures: {
    // In tests, the user has signed in so recently that no proof of identity is required.
    'GET /confirm': { for: 'people', status: 303 },
    'POST /confirm': { for: 'people', form: { means: 'password', password: 'wrong' } },
    'POST /confirm/passkey-options': { for: 'people', status: 200 },
  },
} satisfies Page
