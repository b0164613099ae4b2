/**
 * A cache for public status pages. Each format of a page is rendered and compressed only once for all readers, when it is first requested.
 */
import type { PublicStatus } from '../../../../domain/status-page/public-status.ts'
import { BriefCache } from '../../../../lib/caches/brief-cache.ts'
import { findPublicStatus } from '../../../../services/status-pages/public-status.ts'
import { tagOf } from '../../../entity-tag.ts'
import type { Href } from '../../href.ts'
import { type Encoding, pack } from '../../packing.ts'
import type { PageDeps } from '../../page.ts'
import { publicStatusAtom } from './atom.ts'
import { publicStatusJson } from './json.ts'
import { publicStatusPage } from './page.ts'

export type StatusForm = 'html' | 'json' | 'atom'

interface WrittenStatus {
  readonly bytes: Uint8Array
  /** strong ETag of the uncompressed bytes. Compressed responses share it, so it has to be sent as a weak ETag */
  readonly tag: string
  readonly packed: (encoding: Encoding) => Promise<Uint8Array>
}

interface KeptStatus {
  readonly isIndexed: boolean
  readonly written: (form: StatusForm) => WrittenStatus
}

/**
 * Lifetime of a page in this cache, in seconds. Browsers and proxies cache a response for a minute, so this cache makes it only slightly
 * older.
 */
const KEPT_SECONDS = 10
/**
 * How long an outdated page may be served while it is being reread, in seconds. The longest page takes a few seconds to read on a busy
 * server.
 */
const STALE_SECONDS = 30
/**
 * Maximum fraction of time spent reading a page. If reading takes one second, the page is read at most every 50 seconds, however many
 * readers it has.
 */
const READ_SHARE = 0.02
const PAGES_KEPT = 100

/** @param href must be the same function in every call, because it is not part of the cache key */
type KeptStatuses = (slug: string, href: Href) => Promise<KeptStatus>

/**
 * Creates the cache. Errors are not cached, so requests for nonexistent slugs cannot evict pages. The returned function throws any error
 * thrown by `findPublicStatus`.
 */
export function keepStatuses(deps: PageDeps): KeptStatuses {
  const cache = new BriefCache<KeptStatus>({
    now: deps.now,
    seconds: KEPT_SECONDS,
    staleSeconds: STALE_SECONDS,
    share: READ_SHARE,
    capacity: PAGES_KEPT,
  })
  return (slug, href) => cache.get(slug, '', async () => keptStatus(deps, href, await findPublicStatus(deps, slug)))
}

function keptStatus({ site }: PageDeps, href: Href, status: PublicStatus): KeptStatus {
  const write: Readonly<Record<StatusForm, () => string>> = {
    html: () => publicStatusPage(status, { href, isPublic: true }).text,
    json: () => publicStatusJson(status),
    atom: () => publicStatusAtom(status, `${site.links.siteRoot}/status/${status.slug}`),
  }
  const made = new Map<StatusForm, WrittenStatus>()
  return {
    isIndexed: status.isIndexed,
    written(form) {
      const written = made.get(form) ?? writtenStatus(write[form]())
      made.set(form, written)
      return written
    },
  }
}

function writtenStatus(text: string): WrittenStatus {
  const bytes = new TextEncoder().encode(text)
  const packed = new Map<Encoding, Promise<Uint8Array>>()
  return {
    bytes,
    tag: tagOf(text),
    packed(encoding) {
      const packing = packed.get(encoding) ?? pack(bytes, encoding)
      packed.set(encoding, packing)
      return packing
    },
  }
}
