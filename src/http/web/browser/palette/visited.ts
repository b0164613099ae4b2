/**
 * The checks that were opened last, in the storage of the browser: the newest few, and only by their public ids, which tell nothing to
 * whoever uses the computer next. The sign-in forgets them, so a sign-out does.
 */

const NAME = 'visited'
const REMEMBERED = 8

export function visited(): readonly string[] {
  return localStorage.getItem(NAME)?.split(' ') ?? []
}

/** Notes the check of this page. */
export function noteVisit(): void {
  const { pathname } = location
  const id = /\/checks\/([a-z0-9]{8})(?:\/|$)/.exec(pathname)?.[1]
  if (pathname.endsWith('/sign-in')) localStorage.removeItem(NAME)
  if (id) localStorage.setItem(NAME, [id, ...visited().filter((other) => other !== id)].slice(0, REMEMBERED).join(' '))
}
