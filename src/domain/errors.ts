/**
 * Expected errors: a closed list of codes. HTTP, SMTP and the command line translate them to their own statuses and words: by kind in
 * `http/errors.ts` and `smtp/rejection.ts`, by code in `cli/hints.ts`. Only `cli/` may name commands. The refusal of a single ping is an
 * `ArrivalOutcome` (`store/interface/pings.ts`), because each ping in a batch can fail on its own.
 */

/** The kind of an error, from which the HTTP or SMTP status of the answer follows. */
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

/** Additional facts about an error, for hints and for programs. */
export interface RefusalFacts {
  /** the name that the caller used, unchanged */
  readonly name: string
  /** an existing name that is similar to the one that was not found */
  readonly meant?: string | undefined
  /** name of the project that was searched */
  readonly project: string
  /** one line for each problem, or for each available choice */
  readonly problems?: readonly string[]
  /** a hint; only for errors that the command line itself detects */
  readonly hint: string
  readonly choices: readonly string[]
  readonly minimum: number
  readonly maximum: number
  /** maximum in bytes or characters */
  readonly limit: number
  readonly retryAfterSeconds: number
  /** the cause and how to fix it, for the operator */
  readonly reason: string
  /** true: the log already has a line about the error, so requests are not logged one by one */
  readonly isLogged?: boolean
  /** name of the environment variable that caused the error, possibly with the required value; null if none did */
  readonly setting: string | null
  readonly kind: string
  /** index of the first character of a mistake in `name`, and its length */
  readonly position: number
  readonly length: number
  readonly host: string
  readonly port: number
  /** true: the user that runs this process may not listen on the port */
  readonly isForbidden: boolean
  /** absolute path of a file or folder */
  readonly path: string
  /** path of the database's write-ahead log or journal */
  readonly log: string
  /** id of the process that has a file open; null if unknown */
  readonly pid: number | null
  /** true: the process has a database open that was deleted or moved */
  readonly isGone: boolean
  /** address of the source of a copy, without password */
  readonly from: string
  readonly to: string
  /** true: the copy is complete */
  readonly isComplete: boolean
  /** true: the database has a secret of its own */
  readonly keepsSecret: boolean
  /** schema version of a file */
  readonly version: number
  /** newest schema version that this program supports */
  readonly knownVersion: number
  readonly bytesLeft: number
  readonly bytesNeeded: number
  /** a sentence about the settings that a channel requires; null if they are not the cause or have no description */
  readonly needs: string | null
  /** the other check status that a channel does send; null: it sends none */
  readonly otherStatus: string | null
  /** number of sign-in attempts by password that are allowed before a wait */
  readonly triesLeft: number
  /** length of that wait, in seconds */
  readonly waitSeconds: number
  /** state of a delivery */
  readonly state: string
  /** why the confirmation email was not sent; null if it was sent */
  readonly mailError: string | null
}

/** The kind of each error code, and the names of its facts. */
export const REFUSALS = {
  // Requests
  invalid: ['invalid'],
  unauthorized: ['unauthorized'],
  forbidden: ['forbidden'],
  /** the actor may read the project but not change it */
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
  /** the slug is part of the address of a public page */
  'status-slug-taken': ['conflict', 'name'],
  'status-page-full': ['conflict', 'limit'],
  'check-not-found': ['not-found', 'name', 'project', 'meant'],
  'check-ambiguous': ['conflict', 'name', 'problems'],
  'check-not-paused': ['conflict'],
  /** some of the selected checks were changed, deleted or moved after the person saw them */
  'checks-changed': ['conflict', 'problems'],
  /** the change was already undone, or is too old */
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
  /** a project must keep at least one owner, unless it has never had one */
  'last-owner': ['conflict', 'name', 'project'],
  'invitations-full': ['conflict', 'limit'],
  /** the offer of ownership was withdrawn, accepted or declined, or has expired */
  'offer-ended': ['not-found'],
  'first-account-exists': ['conflict'],
  /** the account is the only owner of a project that others use, or the only administrator */
  'account-needed': ['conflict', 'problems'],
  /** accounts have no passwords, because a proxy signs people in */
  'proxy-signs-in': ['conflict'],
  /** the one-time link was used, has expired, or never existed */
  'link-ended': ['not-found'],
  /** the identity at the OpenID provider is already linked to an account */
  'identity-taken': ['conflict'],
  /** the account would have no way to sign in */
  'identity-needed': ['conflict'],
  /** the OpenID provider does not answer */
  'oidc-unavailable': ['unavailable', 'reason', 'isLogged'],
  /** the OpenID provider's answer is not valid */
  'oidc-refused': ['unauthorized'],
  /** accounts have no passwords, because people can sign in only at the OpenID provider */
  'provider-signs-in': ['conflict'],
  /** the account of the link cannot sign in */
  'account-suspended': ['conflict'],
  'passkey-limit': ['conflict', 'limit'],
  /** an account already has this passkey */
  'passkey-exists': ['conflict'],
  'passkey-not-found': ['not-found'],
  /** the signature is invalid, or the request for it has expired */
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
  /** another person has acknowledged the incident */
  'incident-taken': ['conflict'],
  /** nobody has acknowledged the incident */
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

  // The database as a file
  'database-missing': ['not-found', 'path'],
  'database-lost': ['unavailable', 'path', 'log', 'pid'],
  'database-moved': ['unavailable', 'path'],
  'database-damaged': ['unavailable', 'path'],
  'database-foreign': ['conflict', 'path', 'setting'],
  /** a version from before the first release created the database */
  'database-too-old': ['conflict', 'path', 'version'],
  'database-too-new': ['conflict', 'path', 'version', 'knownVersion'],
  'database-unusable': ['unavailable', 'path', 'reason'],
  'database-in-use': ['conflict', 'path', 'pid', 'isGone'],
  /** the database is on a server, which has its own backups */
  'database-not-file': ['conflict'],
  'database-in-memory': ['conflict', 'setting'],
  'database-exists': ['conflict', 'path'],
  'log-foreign': ['conflict', 'path', 'log'],
  'path-is-folder': ['conflict', 'path', 'setting'],
  'not-regular-file': ['conflict', 'path', 'setting'],

  // Copies from one database into another
  /** the database was copied to another one, and would diverge from it */
  'database-copied': ['conflict', 'from', 'to', 'isComplete'],
  /** the database is the target of an incomplete copy */
  'database-incomplete': ['conflict', 'from', 'to'],
  'copy-target-taken': ['conflict', 'to'],
  'copy-differs': ['conflict', 'to', 'problems'],
  /** a signal stopped the copy */
  'copy-stopped': ['unavailable'],

  // Imports from other programs
  'import-missing': ['not-found', 'path'],
  /** the file has the right format but no contents */
  'import-empty': ['invalid', 'path'],
  'import-damaged': ['invalid', 'path'],
  'import-own-database': ['invalid', 'path'],
  /** the database belongs to another program, or its version is too old */
  'import-foreign': ['invalid', 'path'],
  /** the file is neither a database nor a readable dump; `kind` names its format */
  'import-format': ['invalid', 'path', 'kind'],
  'import-address-invalid': ['invalid'],
  /** the secret is not the one of the program that the data comes from */
  'import-secret-wrong': ['invalid'],
  'import-unavailable': ['unavailable', 'path', 'reason'],
  /** the source has no such project; `problems` lists its projects */
  'import-project-unknown': ['not-found', 'name', 'problems'],
  // Another program's API, from which an import reads
  'api-unreachable': ['unavailable', 'host', 'reason'],
  'api-key-refused': ['unauthorized', 'host'],
  /** the import does not support the program that answers at this address */
  'api-foreign': ['invalid', 'host'],

  /** parts of the project already exist on this server; `problems` has a sentence about each */
  'import-clash': ['conflict', 'problems'],
  /** the staged logs have changed since they were staged */
  'import-interrupted': ['conflict'],
  /** a signal stopped the import */
  'import-stopped': ['unavailable'],

  // Project files
  'project-file-invalid': ['invalid'],
  'project-file-too-new': ['conflict', 'version', 'knownVersion'],
  'project-file-unreadable': ['not-found', 'path'],
  /** another import is running; pages run one at a time */
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

/** The facts of an error code. */
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
 * An expected error, which ends a request or a command, or prevents a start. Clients and people see `message`, so it names no command and
 * contains no secret. An outcome that callers handle in different ways is not an error: return a union instead.
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

/** Whether the log already has a line about the error. */
export function isLogged(error: unknown): boolean {
  return error instanceof Refusal && error.data.isLogged === true
}
