/** Local addresses. Links are paths, not URLs, so that they work under every name of the server. */

/** The first page of signed-in people. */
export const START = '/'

/** Puts the path of SITE_ROOT before a local path such as `/projects`. */
export interface Href {
  (path: string): string
  /** returns the address of a file that pages load */
  readonly asset: (name: AssetName) => string
}

export type AssetName =
  | 'overdue.css'
  | 'reference.css'
  | 'status.css'
  | 'wall.css'
  | 'overdue.js'
  | 'status.js'
  | 'passkeys.js'
  | 'palette.js'
  | 'rhythm.js'
  | 'strips.js'
  | 'wall.js'
  | 'htmx.js'
  | 'states.svg'

/** @param siteRoot without a final slash @param assetPath returns the path of a file, below SITE_ROOT */
export function createHref(siteRoot: string, assetPath: (name: AssetName) => string): Href {
  const { pathname } = new URL(siteRoot)
  const prefix = pathname === '/' ? '' : pathname
  const href = (path: string) => prefix + path
  return Object.assign(href, { asset: (name: AssetName) => href(assetPath(name)) })
}

/** Returns the address of a project's page. @param page such as `checks` */
export function projectPath(slug: string, page: string): string {
  return `/p/${encodeURIComponent(slug)}/${page}`
}

/** Returns the address of a check's page, or of one below it. @param page such as `log` */
export function checkPath(slug: string, publicId: string, page = ''): string {
  return projectPath(slug, `checks/${publicId}${page === '' ? '' : `/${page}`}`)
}

/** Returns the address of an incident's page, or of one below it. @param n number of the flip that opened it @param page such as `take` */
export function incidentPath(slug: string, publicId: string, n: number, page = ''): string {
  return projectPath(slug, `alerts/${publicId}-${n}${page === '' ? '' : `/${page}`}`)
}

/** The tabs of the page that edits a check, in order. */
export const EDIT_TABS = ['details', 'schedule', 'rules', 'alerts'] as const
export type EditTab = (typeof EDIT_TABS)[number]

/** Returns the address of a tab of the page that edits a check. @param query values for its fields */
export function editPath(
  slug: string,
  publicId: string,
  tab: EditTab,
  query: Readonly<Record<string, string>> = {},
): string {
  return checkPath(slug, publicId, `edit?${new URLSearchParams({ tab, ...query })}`)
}

/** Returns the address of an integration's form, or of a page below it. @param page such as `checks` */
export function integrationPath(slug: string, id: string, page = ''): string {
  return projectPath(slug, `integrations/${id}${page === '' ? '' : `/${page}`}`)
}

/** Returns the `next` in the address of a step of a sign-in; null if there is none, or it is not on this server. */
export function nextOf({ searchParams }: URL): string | null {
  return localPath(searchParams.get('next'))
}

const NOWHERE = 'http://local.invalid'

/**
 * Checks the `next` of a sign-in: the page to open afterwards, on this server only.
 * @param given as the browser sent it; anything but a local path counts as none
 */
export function localPath(given: string | null): string | null {
  // Browsers read `//x` and `/\x` as other hosts, and skip control characters and spaces first.
  if (given === null || !/^\/(?![/\\])/.test(given) || /[\\\p{Cc}]/u.test(given)) return null
  const url = URL.parse(given, NOWHERE)
  if (url === null || url.origin !== NOWHERE) return null
  const path = url.pathname + url.search
  // Dots may hide a second slash: `/.//x`.
  return path.startsWith('//') ? null : path
}
