/** Dependencies that all parts of the web server share. The API and the pages have additional dependencies. */
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
  /** the API's rate limit */
  readonly rateLimit: RateLimit
  /** the rate limit for public pages and badges, by client address */
  readonly publicLimit: RateLimit
  readonly longReads: LongReads
  readonly readiness: Readiness
  /** whether the server is about to stop and should get no new requests */
  isDraining(): boolean
}
