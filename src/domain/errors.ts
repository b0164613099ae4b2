/**
 * Expected errors, as a closed list of codes. HTTP, SMTP and the command line translate them to their own statuses and messages: by kind in
 * `http/errors.ts` and `smtp/rejection.ts`, by code in `cli/hints.ts`. Only `cli/` may mention commands. A rejected ping is not a `Refusal`
 * but an `ArrivalOutcome` (`store/interface/pings.ts`), because each ping in a batch can fail on its own.
 */

/** The kind of an error. It determines the HTTP or SMTP status of the response. */
export type RefusalKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'over-limit'
  | 'busy'
  | 'unavailable'

/** Additional data about an error, used in hints and by other programs. */
export interface RefusalFacts {
  /** name exactly as the caller spelled it */
  readonly name: string
  /** an existing name that is similar to the one that was not found */
  readonly meant?: string | undefined
  /** name of the project that was searched */
  readonly project: string
  /** a line for each problem, or for each available choice */
  readonly problems?: readonly string[]
  /** a hint; set only for errors detected by the command line itself */
  readonly hint: string
  readonly choices: readonly string[]
  readonly minimum: number
  readonly maximum: number
  /** maximum, in bytes or characters */
  readonly limit: number
  readonly retryAfterSeconds: number
  /** the cause and a fix, for the operator */
  readonly reason: string
  /** true: the log already contains a line about the error, so further requests that fail with it are not logged */
  readonly isLogged?: boolean
  /** name of the environment variable that caused the error, possibly with the required value; null if no variable did */
  readonly setting: string | null
  readonly kind: string
  /** index of the mistake's first character in `name`, and the mistake's length */
  readonly position: number
  readonly length: number
  readonly host: string
  readonly port: number
  /** true: this process is not allowed to listen on the port */
  readonly isForbidden: boolean
  /** absolute path of a file or directory */
  readonly path: string
  /** path of the database's write-ahead log or rollback journal */
  readonly log: string
  /** id of the process that has the file open; null if unknown */
  readonly pid: number | null
  /** true: the process has opened a database that has since been deleted or moved */
  readonly isGone: boolean
  /** address of the copied database, without its password */
  readonly from: string
  readonly to: string
  /** true: the copy was completed */
  readonly isComplete: boolean
  /** true: the database contains its own secret */
  readonly keepsSecret: boolean
  /** the file's schema version */
  readonly version: number
  /** newest schema version that this program supports */
  readonly knownVersion: number
  readonly bytesLeft: number
  readonly bytesNeeded: number
  /** a sentence about settings that a channel requires; null if settings are not the cause, or if they have no description */
  readonly needs: string | null
  /** the other check status that is reported to the channel; null: it does not report another status */
  readonly otherStatus: string | null
  /** number of password attempts that remain before the user must wait */
  readonly triesLeft: number
  /** duration of the wait after the last attempt, in seconds */
  readonly waitSeconds: number
  /** the delivery's state */
  readonly state: string
  /** reason why the confirmation email was not sent; null if it was sent */
  readonly mailError: string | null
}

/** The kind of each error code, and the names of its facts. */
export const REFUSALS = {
  // Requests
  invalid: ['invalid'],
  unauthorized: ['unauthorized'],
  forbidden: ['forbidden'],
  /** the actor may read the project but may not change it */
  'read-only': ['forbidden'],
  'not-found': ['not-found'],
  'too-large': ['too-large', 'limit'],
  'over-limit': ['over-limit', 'retryAfterSeconds'],
  busy: ['busy'],
  overloaded: ['unavailable'],
  unavailable: ['unavailable', 'reason', 'isLogged'],

  // Input
  usage: ['invalid', 'hint', 'problems'],
  'option-invalid': ['invalid', 'hint', 'problems'],
  'unknown-choice': ['invalid', 'choices'],
  'out-of-range': ['invalid', 'minimum', 'maximum'],
  'schedule-invalid': ['invalid', 'name', 'kind', 'position', 'length'],

  // Projects, checks, keys
  'project-not-found': ['not-found', 'name', 'meant'],
  'project-ambiguous': ['conflict', 'name', 'problems'],
  'name-invalid': ['invalid', 'limit', 'problems'],
  'project-name-taken': ['conflict', 'name'],
  /** the slug is already part of a public page's address */
  'status-slug-taken': ['conflict', 'name'],
  'status-page-full': ['conflict', 'limit'],
  'check-not-found': ['not-found', 'name', 'project', 'meant'],
  'check-ambiguous': ['conflict', 'name', 'problems'],
  'check-not-paused': ['conflict'],
  /** some of the selected checks were changed, deleted or moved after the user saw them */
  'checks-changed': ['conflict', 'problems'],
  /** the change was already undone, or is too old to be undone */
  'undo-ended': ['not-found'],
  'advice-withdrawn': ['conflict'],
  'key-not-found': ['not-found', 'project'],
  'key-ambiguous': ['conflict'],

  // Accounts
  'account-exists': ['conflict', 'name'],
  'account-not-found': ['not-found', 'name', 'meant'],
  'email-invalid': ['invalid', 'name'],
  'password-invalid': ['invalid'],
  'tz-invalid': ['invalid', 'name'],
  'member-not-found': ['not-found', 'name', 'project'],
  /** a project that has had an owner must always have at least one */
  'last-owner': ['conflict', 'name', 'project'],
  'invitations-full': ['conflict', 'limit'],
  /** the ownership offer was withdrawn, accepted or declined, or has expired */
  'offer-ended': ['not-found'],
  'first-account-exists': ['conflict'],
  /** the account is the only owner of a project that has other members, or the only administrator */
  'account-needed': ['conflict', 'problems'],
  /** accounts have no passwords, because a proxy signs users in */
  'proxy-signs-in': ['conflict'],
  /** the one-time link was used, has expired, or never existed */
  'link-ended': ['not-found'],
  /** the identity at the OpenID provider is already linked to an account */
  'identity-taken': ['conflict'],
  /** the account would be left without a way to sign in */
  'identity-needed': ['conflict'],
  /** the OpenID provider does not respond */
  'oidc-unavailable': ['unavailable', 'reason', 'isLogged'],
  /** the OpenID provider's response is invalid */
  'oidc-refused': ['unauthorized'],
  /** accounts have no passwords, because users can sign in only at the OpenID provider */
  'provider-signs-in': ['conflict'],
  /** the link's account is suspended */
  'account-suspended': ['conflict'],
  'passkey-limit': ['conflict', 'limit'],
  /** this passkey already belongs to an account */
  'passkey-exists': ['conflict'],
  'passkey-not-found': ['not-found'],
  /** the signature is invalid, or the challenge has expired */
  'passkey-refused': ['unauthorized'],
  'sign-in-failed': ['unauthorized', 'triesLeft', 'waitSeconds'],

  // Channels and deliveries
  'channel-not-found': ['not-found', 'name', 'project', 'meant'],
  'channel-ambiguous': ['conflict', 'name', 'problems'],
  'channel-list-invalid': ['invalid', 'name', 'project', 'problems'],
  'channel-settings-invalid': ['invalid', 'kind', 'needs', 'problems'],
  'channel-kind-off': ['forbidden', 'kind', 'setting'],
  'channel-kind-unsupported': ['conflict', 'kind'],
  'channel-unconfirmed': ['conflict', 'mailError'],
  'channel-unsubscribed': ['conflict'],
  'channel-not-notified': ['conflict', 'otherStatus'],
  'channel-unusable': ['conflict', 'setting'],
  'group-members-invalid': ['invalid', 'project'],
  'group-empty': ['conflict'],
  'group-quiet-hours': ['conflict'],
  'delivery-not-found': ['not-found', 'name'],
  'delivery-ambiguous': ['conflict', 'name'],
  'delivery-not-failed': ['conflict', 'name', 'project', 'state'],
  'delivery-superseded': ['conflict', 'name', 'project'],

  // Incidents and silences
  /** the incident has ended, so it can't be acknowledged */
  'incident-resolved': ['conflict'],
  /** another user has already acknowledged the incident */
  'incident-taken': ['conflict'],
  /** no user has acknowledged the incident */
  'incident-free': ['conflict'],
  'notes-full': ['conflict', 'limit'],
  'silences-full': ['conflict', 'limit'],
  'incident-not-found': ['not-found', 'name'],
  'silence-not-found': ['not-found', 'name', 'project'],
  'silence-ambiguous': ['conflict', 'name'],

  // Settings, the network and the mail server
  settings: ['invalid', 'problems'],
  'secret-mismatch': ['unavailable', 'setting', 'keepsSecret'],
  'cannot-listen': ['unavailable', 'host', 'port', 'setting', 'isForbidden'],
  'mail-off': ['unavailable', 'setting'],
  'request-failed': ['unavailable', 'hint'],

  // A database in a file
  'database-missing': ['not-found', 'path'],
  'database-lost': ['unavailable', 'path', 'log', 'pid'],
  'database-moved': ['unavailable', 'path'],
  'database-damaged': ['unavailable', 'path'],
  'database-foreign': ['conflict', 'path', 'setting'],
  /** the database was created by a version older than the first release */
  'database-too-old': ['conflict', 'path', 'version'],
  'database-too-new': ['conflict', 'path', 'version', 'knownVersion'],
  'database-unusable': ['unavailable', 'path', 'reason'],
  'database-in-use': ['conflict', 'path', 'pid', 'isGone'],
  /** the database is on a server, which must be backed up by other means */
  'database-not-file': ['conflict'],
  'database-in-memory': ['conflict', 'setting'],
  'database-exists': ['conflict', 'path'],
  'log-foreign': ['conflict', 'path', 'log'],
  'path-is-folder': ['conflict', 'path', 'setting'],
  'not-regular-file': ['conflict', 'path', 'setting'],

  // Copies from one database to another
  /** the database has been copied to another one, so further changes would not be in the copy */
  'database-copied': ['conflict', 'from', 'to', 'isComplete'],
  /** the database is the target of a copy that was not completed */
  'database-incomplete': ['conflict', 'from', 'to'],
  'copy-target-taken': ['conflict', 'to'],
  'copy-differs': ['conflict', 'to', 'problems'],
  /** a signal stopped the copy */
  'copy-stopped': ['unavailable'],

  // Imports from other programs
  'import-missing': ['not-found', 'path'],
  /** the file has the right format but is empty */
  'import-empty': ['invalid', 'path'],
  'import-damaged': ['invalid', 'path'],
  'import-own-database': ['invalid', 'path'],
  /** the database belongs to a different program, or to a version that is too old */
  'import-foreign': ['invalid', 'path'],
  /** the file is neither a database nor a readable dump; `kind` is its actual format */
  'import-format': ['invalid', 'path', 'kind'],
  'import-address-invalid': ['invalid'],
  /** the secret is not the one used by the program that exported the data */
  'import-secret-wrong': ['invalid'],
  'import-unavailable': ['unavailable', 'path', 'reason'],
  /** the source has no such project; `problems` lists its projects */
  'import-project-unknown': ['not-found', 'name', 'problems'],
  // Another program's API, from which data is imported
  'api-unreachable': ['unavailable', 'host', 'reason'],
  'api-key-refused': ['unauthorized', 'host'],
  /** the program at this address is not supported by the import */
  'api-foreign': ['invalid', 'host'],

  /** parts of the project already exist on this server; `problems` has a sentence about each part */
  'import-clash': ['conflict', 'problems'],
  /** the logs have changed since they were staged */
  'import-interrupted': ['conflict'],
  /** a signal stopped the import */
  'import-stopped': ['unavailable'],

  // Project files
  'project-file-invalid': ['invalid'],
  'project-file-too-new': ['conflict', 'version', 'knownVersion'],
  'project-file-unreadable': ['not-found', 'path'],
  /** another import is running; imports through pages run one at a time */
  'import-busy': ['conflict'],
  'import-not-read': ['conflict'],
  'file-exists': ['conflict', 'path'],
  'file-unwritable': ['unavailable', 'path'],

  // Backups
  'backup-missing': ['not-found', 'path'],
  'backup-damaged': ['conflict', 'path'],
  'backup-is-database': ['conflict', 'path'],
  'backup-exists': ['conflict', 'path'],
  'backup-has-log': ['conflict', 'path', 'log'],
  'folder-missing': ['not-found', 'path'],
  'disk-full': ['unavailable', 'path', 'bytesLeft', 'bytesNeeded'],
  'copy-damaged': ['unavailable'],
  'copy-failed': ['unavailable', 'reason'],
} as const satisfies Readonly<Record<string, readonly [RefusalKind, ...(keyof RefusalFacts)[]]>>

export type RefusalCode = keyof typeof REFUSALS

/** The facts that belong to an error code. */
export type RefusalData<Code extends RefusalCode> = Pick<
  RefusalFacts,
  (typeof REFUSALS)[Code] extends readonly [RefusalKind, ...infer Names extends (keyof RefusalFacts)[]]
    ? Names[number]
    : never
>

type RefusalArguments = {
  [Code in RefusalCode]: keyof RefusalData<Code> extends never
    ? [code: Code, message: string, data?: Readonly<Record<string, never>>, options?: ErrorOptions]
    : [code: Code, message: string, data: RefusalData<Code>, options?: ErrorOptions]
}[RefusalCode]

/**
 * An expected error that ends a request or a command, or prevents the server from starting. Clients and users see `message`, so it must not
 * mention commands or contain secrets. If callers need to handle an outcome in different ways, return a union instead of throwing a
 * refusal.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly data: Readonly<Partial<RefusalFacts>>

  constructor(...[code, message, data = {}, options]: RefusalArguments) {
    super(message, options)
    this.code = code
    this.data = data
  }

  get kind(): RefusalKind {
    return REFUSALS[this.code][0]
  }

  /** explanation for the operator's log */
  get reason(): string {
    return this.data.reason ?? this.message
  }
}

/** Whether the log already contains a line about the error. */
export function isLogged(error: unknown): boolean {
  return error instanceof Refusal && error.data.isLogged === true
}
