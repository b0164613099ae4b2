/**
 * Determines the mail server in use. Its settings come from the environment, or were entered by administrators and are stored encrypted in
 * the database. Each instance rereads the stored settings every {@link AGE_SECONDS} seconds, so changes take effect without a restart.
 */
import { type EnvironmentMail, type MailInUse, type MailServer, mailInUse } from '../../domain/mail/mail-server.ts'
import type { Log } from '../../lib/log.ts'
import type { Sealer } from '../../lib/secrets/sealed-text.ts'
import { addSeconds, type Clock, type Instant, isBefore } from '../../lib/time.ts'
import type { Store } from '../../store/store.ts'

/** Name of the stored setting. */
const MAIL_SERVER = 'mail server'
/**
 * Part of the encryption key that states the data's purpose. Data that was encrypted for another purpose cannot be decrypted as a mail
 * server.
 */
export const MAIL_SERVER_SEAL = 'overdue mail server'
const AGE_SECONDS = 20

/** The mail server settings that administrators have entered. */
export interface StoredMail {
  /** the encrypted text from the database; null if no server is stored */
  readonly sealed: string | null
  /** null if no server is stored, or if its settings cannot be decrypted */
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

  /** The mail server according to the last read; null if no email can be sent. Returns the same object until the server changes. */
  get inUse(): MailInUse | null {
    return this.#inUse
  }

  /** Rereads the stored settings now, even if they were read recently. */
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

  /** Reads the stored settings, unless they were read recently. */
  async follow(): Promise<void> {
    const at = this.#options.now()
    const last = this.#readAt
    // If the clock was set back, the time of the last read may be in the future. In that case, the settings are reread.
    const isRecent = last !== null && !isBefore(at, last) && isBefore(at, addSeconds(last, AGE_SECONDS))
    if (!isRecent) await this.read()
  }
}

/** Returns true if a server is stored that this instance cannot decrypt. */
export function isUnreadable({ sealed, server }: StoredMail): boolean {
  return sealed !== null && server === null
}
