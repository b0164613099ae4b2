/** Status pages as they are sent: rendered once for all readers, in each requested form, and compressed once. */
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
  /** a strong tag of the bytes; compressed ones have the same, so send it as a weak one */
  readonly tag: string
  readonly packed: (encoding: Encoding) => Promise<Uint8Array>
}

interface KeptStatus {
  readonly isIndexed: boolean
  readonly written: (form: StatusForm) => WrittenStatus
}

/** Seconds that a page is cached here. Browsers and proxies keep an answer for a minute, so this adds little to its age. */
const KEPT_SECONDS = 10
/** Seconds during which an old page is sent while it is read again. The longest page takes seconds to read between pings. */
const STALE_SECONDS = 30
/**
 * Largest share of time for reading a page. A page whose flips take a second to read is read every 50 seconds, however many people view it.
 */
const READ_SHARE = 0.02
const PAGES_KEPT = 100

/** @param href the same for each call */
type KeptStatuses = (slug: string, href: Href) => Promise<KeptStatus>

/** Creates the cache. Errors are not cached, so made-up slugs can't evict pages. The function throws the errors of `findPublicStatus`. */
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
