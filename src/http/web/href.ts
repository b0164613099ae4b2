/** Page addresses. Links are paths rather than URLs, so that they work with any of the server's host names. */

/** The page that users see after signing in. */
export const START = '/'

/** Prepends SITE_ROOT's path to a local path such as `/projects`. */
export interface Href {
  (path: string): string
  /** returns the path of a static file */
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

/**
 * @param siteRoot SITE_ROOT without a trailing slash
 * @param assetPath returns the path of a static file, below SITE_ROOT
 */
export function createHref(siteRoot: string, assetPath: (name: AssetName) => string): Href {
  const { pathname } = new URL(siteRoot)
  const prefix = pathname === '/' ? '' : pathname
  const href = (path: string) => prefix + path
  return Object.assign(href, { asset: (name: AssetName) => href(assetPath(name)) })
}

/**
 * Returns the path of a project page.
 * @param page path within the project, such as `checks`
 */
export function projectPath(slug: string, page: string): string {
  return `/p/${encodeURIComponent(slug)}/${page}`
}

/**
 * Returns the path of a check's page, or of a page below it.
 * @param page path below the check, such as `log`
 */
export function checkPath(slug: string, publicId: string, page = ''): string {
  return projectPath(slug, `checks/${publicId}${page === '' ? '' : `/${page}`}`)
}

/**
 * Returns the path of an incident's page, or of a page below it.
 * @param n number of the flip that opened the incident
 * @param page path below the incident, such as `take`
 */
export function incidentPath(slug: string, publicId: string, n: number, page = ''): string {
  return projectPath(slug, `alerts/${publicId}-${n}${page === '' ? '' : `/${page}`}`)
}

/** The tabs on a check's edit page, in display order. */
export const EDIT_TABS = ['details', 'schedule', 'rules', 'alerts'] as const
export type EditTab = (typeof EDIT_TABS)[number]

/**
 * Returns the path of a tab on a check's edit page.
 * @param query values to fill in
 */
export function editPath(
  slug: string,
  publicId: string,
  tab: EditTab,
  query: Readonly<Record<string, string>> = {},
): string {
  return checkPath(slug, publicId, `edit?${new URLSearchParams({ tab, ...query })}`)
}

/**
 * Returns the path of an integration's form, or of a page below it.
 * @param page path below the integration, such as `checks`
 */
export function integrationPath(slug: string, id: string, page = ''): string {
  return projectPath(slug, `integrations/${id}${page === '' ? '' : `/${page}`}`)
}

/** Returns the `next` parameter from a sign-in page's URL; null if it is missing or does not lead to this server. */
export function nextOf({ searchParams }: URL): string | null {
  return localPath(searchParams.get('next'))
}

const NOWHERE = 'http://local.invalid'

/**
 * Validates a sign-in's `next` parameter, which is the page to open afterwards.
 * @param given the value that the browser sent
 * @returns null unless it is a path on this server
 */
export function localPath(given: string | null): string | null {
  // Browsers treat `//x` and `/\x` as other hosts, and strip control characters and spaces first.
  if (given === null || !/^\/(?![/\\])/.test(given) || /[\\\p{Cc}]/u.test(given)) return null
  const url = URL.parse(given, NOWHERE)
  if (url === null || url.origin !== NOWHERE) return null
  const path = url.pathname + url.search
  // Dot segments may hide a second slash, as in `/.//x`.
  return path.startsWith('//') ? null : path
}
