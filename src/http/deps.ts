/** Dependencies that all parts of the web server share. The API and the pages have additional ones. */
import type { RateLimit } from '../lib/limits/rate-limit.ts'
import type { ServerDeps } from '../services/common/deps.ts'
import type { LongReads } from '../services/common/long-reads.ts'
import type { PingReceiver } from '../services/pings/pings.ts'
import type { RefusedNotes } from '../services/pings/refused-signals.ts'
import type { Readiness } from '../services/server/readiness.ts'
import type { ClientReader } from './client.ts'

export interface HttpDeps extends ServerDeps {
  readonly pings: PingReceiver
  readonly refusedNotes: Pick<RefusedNotes, 'note'>
  readonly clients: ClientReader
  /** rate limit of the API */
  readonly rateLimit: RateLimit
  /** rate limit of public pages and badges, keyed by address */
  readonly publicLimit: RateLimit
  readonly longReads: LongReads
  readonly readiness: Readiness
  /** whether the server is about to stop and wants no new requests */
  isDraining(): boolean
}
