/** The shell version of `overdue run`, as this server hands it out. */
import type { ServerDeps } from '../../../services/common/deps.ts'
import { isKnown, tagOf } from '../../entity-tag.ts'
import { publicRoute } from '../pages/new-route.ts'
import type { Route } from '../route.ts'
import script from './overdue-run.sh' with { type: 'text' }

/** An upgrade may bring another script. */
const CACHED_SECONDS = 300
/** The most that the script sends of an output when the server keeps all of it. */
const OUTPUT_BYTES_MAX = 100_000

export function overdueRunRoute({ site, pingBodyLimit }: Pick<ServerDeps, 'site' | 'pingBodyLimit'>): Route {
  const limit = Math.min(pingBodyLimit ?? OUTPUT_BYTES_MAX, OUTPUT_BYTES_MAX)
  // The Host of a request is not asked: a proxy or a stranger may have written it.
  const text = script
    .replace(/^server=.*$/m, () => `server=${quoted(site.links.siteRoot)}`)
    .replace(/^limit=.*$/m, () => `limit=${limit}`)
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

/** A word of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
