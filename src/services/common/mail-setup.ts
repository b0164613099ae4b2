/**
 * Determines the mail server in use: the server from the environment, or the one that administrators have entered, which is stored
 * encrypted. Each instance reads the stored server again every {@link AGE_SECONDS}, so a change needs no restart.
 */
import { type EnvironmentMail, type MailInUse, type MailServer, mailInUse } from '../../domain/mail/mail-server.ts'
import type { Log } from '../../lib/log.ts'
import type { Sealer } from '../../lib/secrets/sealed-text.ts'
import { addSeconds, type Clock, type Instant, isBefore } from '../../lib/time.ts'
import type { Store } from '../../store/store.ts'

/** Name of the setting in the database. */
const MAIL_SERVER = 'mail server'
/** Purpose that is bound to the encryption key, so that data that was encrypted for another purpose is not accepted as a mail server. */
export const MAIL_SERVER_SEAL = 'overdue mail server'
const AGE_SECONDS = 20

/** The mail server that administrators have entered. */
export interface StoredMail {
  /** the encrypted text in the database; null if no server is stored */
  readonly sealed: string | null
  /** null if no server is stored, or it cannot be decrypted */
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

  /** The mail server as it was last read; null if no email can be sent. The object stays the same until the server changes. */
  get inUse(): MailInUse | null {
    return this.#inUse
  }

  /** Reads the stored mail server now. */
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

  /** Reads the stored mail server, unless it was read recently. */
  async follow(): Promise<void> {
    const at = this.#options.now()
    const last = this.#readAt
    // Otherwise a clock that was set back would prevent the next read.
    const isRecent = last !== null && !isBefore(at, last) && isBefore(at, addSeconds(last, AGE_SECONDS))
    if (!isRecent) await this.read()
  }
}

/** Returns true if a server is stored that this instance cannot decrypt. */
export function isUnreadable({ sealed, server }: StoredMail): boolean {
  return sealed !== null && server === null
}
