/**
 * The mail server in use: the environment's, or the one that administrators have set, which is stored encrypted. Each instance reads it
 * again at least every {@link AGE_SECONDS}, so a change needs no restart.
 */
import { type EnvironmentMail, type MailInUse, type MailServer, mailInUse } from '../../domain/mail/mail-server.ts'
import type { Log } from '../../lib/log.ts'
import type { Sealer } from '../../lib/secrets/sealed-text.ts'
import { addSeconds, type Clock, type Instant, isBefore } from '../../lib/time.ts'
import type { Store } from '../../store/store.ts'

/** Name of the setting in the database. */
const MAIL_SERVER = 'mail server'
/** Names the use of the key, so that data encrypted for another use is not accepted as a mail server. */
export const MAIL_SERVER_SEAL = 'overdue mail server'
const AGE_SECONDS = 20

/** The mail server that administrators have set. */
export interface StoredMail {
  /** the encrypted text in the database; null: none is set */
  readonly sealed: string | null
  /** null: none is set, or it cannot be read */
  readonly server: MailServer | null
}

interface MailSetupOptions {
  readonly environment: EnvironmentMail
  readonly store: Pick<Store, 'settings'>
  readonly sealer: Sealer
  readonly now: Clock
  readonly log: Log
}

export class MailSetup {
  readonly name = MAIL_SERVER
  readonly environment: EnvironmentMail
  readonly sealer: Sealer
  readonly #options: MailSetupOptions
  #stored: StoredMail = { sealed: null, server: null }
  #inUse: MailInUse | null
  #readAt: Instant | null = null

  constructor(options: MailSetupOptions) {
    this.#options = options
    this.environment = options.environment
    this.sealer = options.sealer
    this.#inUse = mailInUse(options.environment, null)
  }

  /** The server as last read; null: no email is sent. It is the same object until another server is in use. */
  get inUse(): MailInUse | null {
    return this.#inUse
  }

  /** Reads the stored server now. */
  async read(): Promise<StoredMail> {
    const { store, sealer, environment, now, log } = this.#options
    this.#readAt = now()
    const sealed = await store.settings.find(MAIL_SERVER)
    if (sealed === this.#stored.sealed) return this.#stored
    const opened = sealed === null ? null : await sealer.open(sealed)
    this.#stored = { sealed, server: opened === null ? null : JSON.parse(opened) }
    this.#inUse = mailInUse(environment, this.#stored.server)
    if (isUnreadable(this.#stored)) {
      log(
        'error',
        'the stored mail server cannot be read: it was stored with another secret; enter it again on the page /admin/mail',
      )
    }
    return this.#stored
  }

  /** Reads the stored server, unless that was done recently. */
  async follow(): Promise<void> {
    const at = this.#options.now()
    const last = this.#readAt
    // A clock that was set back would prevent reading.
    const isRecent = last !== null && !isBefore(at, last) && isBefore(at, addSeconds(last, AGE_SECONDS))
    if (!isRecent) await this.read()
  }
}

/** Whether a server is stored that this instance cannot read. */
export function isUnreadable({ sealed, server }: StoredMail): boolean {
  return sealed !== null && server === null
}
