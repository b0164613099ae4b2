/** Addresses of Healthchecks' pages that people have in bookmarks and scripts. */
import { localPath } from '../href.ts'
import type { Route } from '../route.ts'

export const HEALTHCHECKS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/accounts/login',
    access: 'public',
    cache: 'no-store',
    answer({ url }) {
      const next = localPath(url.searchParams.get('next'))
      return { kind: 'redirect', to: next === null ? '/sign-in' : `/sign-in?${new URLSearchParams({ next })}` }
    },
  },
]
