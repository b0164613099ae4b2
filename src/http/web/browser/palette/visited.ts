/**
 * Stores the most recently opened checks in the browser's storage. It stores only the public ids of a few checks, which reveal nothing to
 * the next user of the computer. The sign-in page deletes the ids, and signing out leads to that page.
 */

const NAME = 'visited'
const REMEMBERED = 8

export function visited(): readonly string[] {
  return localStorage.getItem(NAME)?.split(' ') ?? []
}

/** Records that the reader opened this page's check. */
export function noteVisit(): void {
  const { pathname } = location
  const id = /\/checks\/([a-z0-9]{8})(?:\/|$)/.exec(pathname)?.[1]
  if (pathname.endsWith('/sign-in')) localStorage.removeItem(NAME)
  if (id) localStorage.setItem(NAME, [id, ...visited().filter((other) => other !== id)].slice(0, REMEMBERED).join(' '))
}
