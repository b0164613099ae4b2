/** Serves the shell script version of `overdue run`. */
import { scriptText } from '../../../domain/ping/script-text.ts'
import type { ServerDeps } from '../../../services/common/deps.ts'
import { isKnown, tagOf } from '../../entity-tag.ts'
import { publicRoute } from '../pages/new-route.ts'
import type { Route } from '../route.ts'

/** Cache lifetime of the script, in seconds. An upgrade may change the script. */
const CACHED_SECONDS = 300

export function overdueRunRoute({ site, pingBodyLimit }: Pick<ServerDeps, 'site' | 'pingBodyLimit'>): Route {
  // The address comes from the settings, because the request's Host header cannot be trusted.
  const text = scriptText(site.links.siteRoot, pingBodyLimit)
  const tag = tagOf(text)
  const headers = { 'content-type': 'text/x-shellscript; charset=utf-8', etag: tag }
  return publicRoute(
    'GET',
    '/overdue-run',
    ({ request }) =>
      isKnown(request, tag)
        ? { kind: 'file', status: 304, body: null, headers }
        : { kind: 'file', body: text, headers },
    { isUnlimited: true, cache: { seconds: CACHED_SECONDS } },
  )
}
