/**
 * `/status/<slug>`, `.json` and `.atom`: the public status page of a project. The route doesn't read the session or set a cookie, so every
 * reader gets the same bytes.
 */

import { isKnown } from '../../../entity-tag.ts'
import { chooseEncoding } from '../../packing.ts'
import type { PageDeps } from '../../page.ts'
import type { PageAnswer, Route } from '../../route.ts'
import { FORMLESS_POLICY } from '../../security-headers.ts'
import { publicRoute } from '../new-route.ts'
import { keepStatuses, type StatusForm } from './kept.ts'

const CACHED_SECONDS = 60

const TYPES: Readonly<Record<StatusForm, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
}

export function publicStatusRoutes(deps: PageDeps): readonly Route[] {
  const find = keepStatuses(deps)
  return [
    publicRoute(
      'GET',
      '/status/:slug',
      async ({ params, request, site }): Promise<PageAnswer> => {
        const { slug, form } = readName(params.slug ?? '')
        const status = await find(slug, site.href)
        const { bytes, tag, packed } = status.written(form)
        const headers = {
          'content-type': TYPES[form],
          etag: `W/${tag}`,
          vary: 'accept-encoding',
          'x-robots-tag': status.isIndexed ? 'all' : 'noindex',
          ...FORMLESS_POLICY,
          // The data is public, so pages from other origins may read it.
          ...(form === 'html' ? {} : { 'access-control-allow-origin': '*' }),
        }
        if (isKnown(request, tag)) return { kind: 'file', body: null, status: 304, headers }
        const encoding = chooseEncoding(request.headers.get('accept-encoding'))
        if (encoding === null) return { kind: 'file', body: bytes, headers }
        return { kind: 'file', body: await packed(encoding), headers: { ...headers, 'content-encoding': encoding } }
      },
      { cache: { seconds: CACHED_SECONDS } },
    ),
  ]
}

/** Splits a name such as `harbour.json` into a slug and a format. A slug contains no dots. */
function readName(name: string): { readonly slug: string; readonly form: StatusForm } {
  const [, slug, ending] = /^([^.]*)\.(json|atom)$/.exec(name) ?? []
  return slug === undefined ? { slug: name, form: 'html' } : { slug, form: ending === 'json' ? 'json' : 'atom' }
}
