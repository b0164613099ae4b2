/**
 * Expected errors: a closed list of codes. HTTP, SMTP and the command line map them to their own numbers and words: by kind in
 * `http/errors.ts` and `smtp/rejection.ts`, by code in `cli/hints.ts`. Only `cli/` names commands. The refusal of a single ping is an
 * `ArrivalOutcome` (`store/interface/pings.ts`), because the pings of a batch fail one by one.
 */

/** The kind of an error, which decides the status of an answer over HTTP or SMTP. */
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

/** Further facts about an error, for hints and for programs. */
export interface RefusalFacts {
  /** the name that the caller gave, unchanged */
  readonly name: string
  /** an existing name that is close to the one that was not found */
  readonly meant?: string | undefined
  /** name of the project that was searched */
  readonly project: string
  /** one line each: problems, or the available choices */
  readonly problems?: readonly string[]
  /** only in refusals by the command line itself */
  readonly hint: string
  readonly choices: readonly string[]
  readonly minimum: number
  readonly maximum: number
  /** bytes or characters */
  readonly limit: number
  readonly retryAfterSeconds: number
  /** the cause and the remedy, for the operator */
  readonly reason: string
  /** true: the log has a line about the error already, so requests are not logged one by one */
  readonly isLogged?: boolean
  /** name of the setting in the environment, perhaps with the required value; null if no setting is the cause */
  readonly setting: string | null
  readonly kind: string
  /** position of a mistake in `name`: its first character, and its length */
  readonly position: number
  readonly length: number
  readonly host: string
  readonly port: number
  /** true: this user may not listen on the port */
  readonly isForbidden: boolean
  /** absolute path of a file or a folder */
  readonly path: string
  /** path of the write-ahead log or journal of a database */
  readonly log: string
  /** id of the process that has a file open; null if unknown */
  readonly pid: number | null
  /** true: the process has an open database that was deleted or moved */
  readonly isGone: boolean
  /** addresses of the source and the target of a copy, without passwords */
  readonly from: string
  readonly to: string
  /** true: the copy has ended */
  readonly isComplete: boolean
  /** true: the database keeps its own secret */
  readonly keepsSecret: boolean
  /** version of the schema in a file */
  readonly version: number
  /** the newest version that this program knows */
  readonly knownVersion: number
  readonly bytesLeft: number
  readonly bytesNeeded: number
  /** a sentence about the required settings of a channel; null if they are not the cause or not described */
  readonly needs: string | null
  /** the status of a check that a channel sends instead; null: it sends none */
  readonly otherStatus: string | null
  /** sign-ins by password that are allowed before a wait */
  readonly triesLeft: number
  /** length of that wait */
  readonly waitSeconds: number
  /** state of a delivery */
  readonly state: string
  /** reason why the confirmation email was not sent; null if it was sent */
  readonly mailError: string | null
}

/** The kind and the names of the facts of each code. */
export const REFUSALS = {
  // Requests
  invalid: ['invalid'],
  unauthorized: ['unauthorized'],
  forbidden: ['forbidden'],
  /** the actor may read the project, but not change it */
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
  /** its slug is part of the address of a public page */
  'status-slug-taken': ['conflict', 'name'],
  'status-page-full': ['conflict', 'limit'],
  'check-not-found': ['not-found', 'name', 'project', 'meant'],
  'check-ambiguous': ['conflict', 'name', 'problems'],
  'check-not-paused': ['conflict'],
  /** several checks that others have changed, deleted or moved since the person saw them */
  'checks-changed': ['conflict', 'problems'],
  /** a change that was already undone, or is too old */
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
  /** a project keeps at least one owner, unless it never had any */
  'last-owner': ['conflict', 'name', 'project'],
  'invitations-full': ['conflict', 'limit'],
  /** an offer of ownership that was withdrawn, accepted or declined, or has expired */
  'offer-ended': ['not-found'],
  'first-account-exists': ['conflict'],
  /** the account is the only owner of a project that others use, or the only administrator */
  'account-needed': ['conflict', 'problems'],
  /** accounts have no passwords, because a proxy signs people in */
  'proxy-signs-in': ['conflict'],
  /** a one-time link that was used, has expired, or never existed */
  'link-ended': ['not-found'],
  /** the identity at an OpenID provider is linked already */
  'identity-taken': ['conflict'],
  /** an account would be left without a way in */
  'identity-needed': ['conflict'],
  /** the OpenID provider does not answer */
  'oidc-unavailable': ['unavailable', 'reason', 'isLogged'],
  /** the sign-in at the OpenID provider is not valid */
  'oidc-refused': ['unauthorized'],
  /** accounts have no passwords, because people sign in at the OpenID provider only */
  'provider-signs-in': ['conflict'],
  /** a link for an account that cannot sign in */
  'account-suspended': ['conflict'],
  'passkey-limit': ['conflict', 'limit'],
  /** an account has this passkey already */
  'passkey-exists': ['conflict'],
  'passkey-not-found': ['not-found'],
  /** an invalid signature, or a request for one that has expired */
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
  /** the incident has ended, so nobody can acknowledge it */
  'incident-resolved': ['conflict'],
  /** another person has acknowledged it */
  'incident-taken': ['conflict'],
  /** nobody has acknowledged it */
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
  /** created by a program from before the first release */
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
  /** the source of a copy, which would diverge from it */
  'database-copied': ['conflict', 'from', 'to', 'isComplete'],
  /** the target of an incomplete copy */
  'database-incomplete': ['conflict', 'from', 'to'],
  'copy-target-taken': ['conflict', 'to'],
  'copy-differs': ['conflict', 'to', 'problems'],
  /** stopped by a signal */
  'copy-stopped': ['unavailable'],

  // Imports from other programs
  'import-missing': ['not-found', 'path'],
  /** the right format, but without contents */
  'import-empty': ['invalid', 'path'],
  'import-damaged': ['invalid', 'path'],
  'import-own-database': ['invalid', 'path'],
  /** a database of another program, or of a version that is too old */
  'import-foreign': ['invalid', 'path'],
  /** a file that is neither a database nor a readable dump; `kind` names its format */
  'import-format': ['invalid', 'path', 'kind'],
  'import-address-invalid': ['invalid'],
  /** not the secret of the program whose rows are read */
  'import-secret-wrong': ['invalid'],
  'import-unavailable': ['unavailable', 'path', 'reason'],
  /** `problems` lists the existing names */
  'import-project-unknown': ['not-found', 'name', 'problems'],
  // Another program's API, from which an import reads
  'api-unreachable': ['unavailable', 'host', 'reason'],
  'api-key-refused': ['unauthorized', 'host'],
  /** the program that answers at the address is unknown to the import */
  'api-foreign': ['invalid', 'host'],

  /** parts of the project exist on this server already; `problems` has a sentence about each */
  'import-clash': ['conflict', 'problems'],
  /** staged logs have changed since they were staged */
  'import-interrupted': ['conflict'],
  /** stopped by a signal */
  'import-stopped': ['unavailable'],

  // Project files
  'project-file-invalid': ['invalid'],
  'project-file-too-new': ['conflict', 'version', 'knownVersion'],
  'project-file-unreadable': ['not-found', 'path'],
  /** pages run one import at a time */
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

/** The facts of one code. */
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
 * Ends a request, a command or a start. `message` describes the problem: it is shown to clients and to people, so it names no command and
 * quotes no secret. An outcome that a caller branches on is a union in the return type instead.
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

  /** text for the operator's log */
  get reason(): string {
    return this.data.reason ?? this.message
  }
}

/** Whether the log has a line about the error already. */
export function isLogged(error: unknown): boolean {
  return error instanceof Refusal && error.data.isLogged === true
}
