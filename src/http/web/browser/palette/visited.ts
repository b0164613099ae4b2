/**
 * The checks that were opened last, in the storage of the browser: the newest few, and only their public ids, which reveal nothing to the
 * next person at the computer. The sign-in page deletes them, and a sign-out leads there.
 */

const NAME = 'visited'
const REMEMBERED = 8

export function visited(): readonly string[] {
  return localStorage.getItem(NAME)?.split(' ') ?? []
}

/** Records the check of this page. */
export function noteVisit(): void {
  const { pathname } = location
  const id = /\/checks\/([a-z0-9]{8})(?:\/|$)/.exec(pathname)?.[1]
  if (pathname.endsWith('/sign-in')) localStorage.removeItem(NAME)
  if (id) localStorage.setItem(NAME, [id, ...visited().filter((other) => other !== id)].slice(0, REMEMBERED).join(' '))
}
