/** Routes for the style sheets, scripts, icons and `robots.txt`. */

import { Refusal } from '../../../domain/errors.ts'
import { chooseEncoding } from '../packing.ts'
import { publicRoute } from '../pages/new-route.ts'
import type { PageAnswer, Route, Visit } from '../route.ts'
import { cacheHeader } from '../security-headers.ts'
import { FAVICONS, findAsset } from './assets.ts'

const DAY_SECONDS = 86_400
const YEAR_SECONDS = 365 * DAY_SECONDS

const ROBOTS = 'User-agent: *\nAllow: /status/\nDisallow: /\n'

export const FILE_ROUTES: readonly Route[] = [
  publicRoute('GET', '/assets/:file', assetAnswer, {
    isUnlimited: true,
    cache: { seconds: YEAR_SECONDS, isImmutable: true },
  }),
  ...Object.entries(FAVICONS).map(
    ([path, icon]): Route =>
      publicRoute('GET', path, () => ({ kind: 'file', body: icon, headers: { 'content-type': 'image/svg+xml' } }), {
        isUnlimited: true,
        cache: { seconds: DAY_SECONDS },
      }),
  ),
  publicRoute(
    'GET',
    '/robots.txt',
    () => ({ kind: 'file', body: ROBOTS, headers: { 'content-type': 'text/plain; charset=utf-8' } }),
    { cache: { seconds: DAY_SECONDS } },
  ),
]

async function assetAnswer({ params, request }: Visit): Promise<PageAnswer> {
  const found = findAsset(params.file ?? '')
  if (found === null) throw new Refusal('not-found', 'not found')
  const { asset, isCurrent } = found
  const cache = isCurrent ? {} : cacheHeader('no-store')
  const headers = { 'content-type': asset.type, vary: 'accept-encoding', ...cache }
  const encoding = chooseEncoding(request.headers.get('accept-encoding'))
  if (encoding === null) return { kind: 'file', body: asset.bytes, headers }
  const body = await asset.packed(encoding)
  return { kind: 'file', body, headers: { ...headers, 'content-encoding': encoding } }
}
