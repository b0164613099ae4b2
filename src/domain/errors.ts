/**
 * Expected errors: a closed list of codes. HTTP, SMTP and the command line answer each in their own numbers and words: by its kind in
 * `http/errors.ts` and `smtp/rejection.ts`, by its code in `cli/hints.ts`. Only `cli/` names commands. What refuses a single ping is an
 * `ArrivalOutcome` (`store/interface/pings.ts`), because the pings of a batch fail one by one.
 */

/** Decides the status of an answer over HTTP or SMTP. */
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

/** What else is known about an error, for hints and for programs. */
export interface RefusalFacts {
  /** what the caller asked for, as given */
  readonly name: string
  /** an existing name that is close to the one that was not found */
  readonly meant?: string | undefined
  /** name of the project that was searched */
  readonly project: string
  /** one line each: what is wrong, or what there is to choose from */
  readonly problems?: readonly string[]
  /** only in refusals by the command line itself */
  readonly hint: string
  readonly choices: readonly string[]
  readonly minimum: number
  readonly maximum: number
  /** bytes or characters */
  readonly limit: number
  readonly retryAfterSeconds: number
  /** for the operator: the cause, and what to do */
  readonly reason: string
  /** true: the log has a line about it already, so requests are not logged one by one */
  readonly isLogged?: boolean
  /** its name in the environment, perhaps with the value that it needs; null when no setting is the cause */
  readonly setting: string | null
  readonly kind: string
  /** of a mistake in `name`: where it begins, and how many characters it has */
  readonly position: number
  readonly length: number
  readonly host: string
  readonly port: number
  /** true: this user may not listen on the port */
  readonly isForbidden: boolean
  /** of a file or a folder, absolute */
  readonly path: string
  /** path of the write-ahead log or journal of a database */
  readonly log: string
  /** of the process that has a file open; null when none is known */
  readonly pid: number | null
  /** true: the process has a database open that was deleted or moved */
  readonly isGone: boolean
  /** addresses of databases, without a password: which is or was copied, and where to */
  readonly from: string
  readonly to: string
  /** true: the copy has ended */
  readonly isComplete: boolean
  /** true: the database keeps its own secret */
  readonly keepsSecret: boolean
  /** of the schema in a file */
  readonly version: number
  /** the newest version that this program knows */
  readonly knownVersion: number
  readonly bytesLeft: number
  readonly bytesNeeded: number
  /** what the settings of a channel must hold, in a sentence; null when that is not the cause or not described */
  readonly needs: string | null
  /** the status of a check that a channel sends instead; null: it sends none */
  readonly otherStatus: string | null
  /** sign-ins by password that are still allowed before a wait */
  readonly triesLeft: number
  /** how long that wait is */
  readonly waitSeconds: number
  /** of a delivery */
  readonly state: string
  /** why the email that asks for confirmation was not sent; null when it was */
  readonly mailError: string | null
}

/** For each code: its kind, then the names of its facts. */
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
  /** several checks that somebody else has changed, deleted or moved since they were looked at */
  'checks-changed': ['conflict', 'problems'],
  /** a change that was undone already, or was made too long ago */
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
  /** a project keeps one, unless it never had any */
  'last-owner': ['conflict', 'name', 'project'],
  'invitations-full': ['conflict', 'limit'],
  /** an offer of ownership that was withdrawn, accepted or declined, or has expired */
  'offer-ended': ['not-found'],
  'first-account-exists': ['conflict'],
  /** others need it: it alone owns what they use, or administers the server */
  'account-needed': ['conflict', 'problems'],
  /** accounts have no passwords, because a proxy signs people in */
  'proxy-signs-in': ['conflict'],
  /** a one-time link that was used, has expired, or never existed */
  'link-ended': ['not-found'],
  /** of an OpenID provider */
  'identity-taken': ['conflict'],
  /** an account would be left without a way in */
  'identity-needed': ['conflict'],
  /** the OpenID provider does not answer */
  'oidc-unavailable': ['unavailable', 'reason', 'isLogged'],
  /** a sign-in at the OpenID provider that counts for nothing */
  'oidc-refused': ['unauthorized'],
  /** accounts have no passwords, because people sign in at the OpenID provider only */
  'provider-signs-in': ['conflict'],
  /** a link for an account with which nobody can sign in */
  'account-suspended': ['conflict'],
  'passkey-limit': ['conflict', 'limit'],
  /** some account has this very one */
  'passkey-exists': ['conflict'],
  'passkey-not-found': ['not-found'],
  /** a signature that does not count, or a request for one that has ended */
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
  'delivery-not-found': ['not-found', 'name'],
  'delivery-ambiguous': ['conflict', 'name'],
  'delivery-not-failed': ['conflict', 'name', 'project', 'state'],
  'delivery-superseded': ['conflict', 'name', 'project'],

  // Incidents and silences
  /** the incident has ended, so nobody can be on it */
  'incident-resolved': ['conflict'],
  /** somebody else is on it */
  'incident-taken': ['conflict'],
  /** nobody is on it */
  'incident-free': ['conflict'],
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
  /** a program from before the first release has made it */
  'database-too-old': ['conflict', 'path', 'version'],
  'database-too-new': ['conflict', 'path', 'version', 'knownVersion'],
  'database-unusable': ['unavailable', 'path', 'reason'],
  'database-in-use': ['conflict', 'path', 'pid', 'isGone'],
  /** it is on a server, which has backups of its own */
  'database-not-file': ['conflict'],
  'database-in-memory': ['conflict', 'setting'],
  'database-exists': ['conflict', 'path'],
  'log-foreign': ['conflict', 'path', 'log'],
  'path-is-folder': ['conflict', 'path', 'setting'],
  'not-regular-file': ['conflict', 'path', 'setting'],

  // Copies from one database into another
  /** the source of a copy, which would go its own way */
  'database-copied': ['conflict', 'from', 'to', 'isComplete'],
  /** the target of a copy that has not ended */
  'database-incomplete': ['conflict', 'from', 'to'],
  'copy-target-taken': ['conflict', 'to'],
  'copy-differs': ['conflict', 'to', 'problems'],
  /** by a signal */
  'copy-stopped': ['unavailable'],

  // Imports from other programs
  'import-missing': ['not-found', 'path'],
  /** it is what is asked for, but there is nothing in it */
  'import-empty': ['invalid', 'path'],
  'import-damaged': ['invalid', 'path'],
  'import-own-database': ['invalid', 'path'],
  /** a database of something else, or of a version that is too old */
  'import-foreign': ['invalid', 'path'],
  /** a file that is neither a database nor a dump that can be read; `kind` tells what it is */
  'import-format': ['invalid', 'path', 'kind'],
  'import-address-invalid': ['invalid'],
  /** it is not that of the program whose rows are read */
  'import-secret-wrong': ['invalid'],
  'import-unavailable': ['unavailable', 'path', 'reason'],
  /** `problems` are the names that there are */
  'import-project-unknown': ['not-found', 'name', 'problems'],
  // Another program's API, from which an import reads
  'api-unreachable': ['unavailable', 'host', 'reason'],
  'api-key-refused': ['unauthorized', 'host'],
  /** what answers there is no program that the import knows */
  'api-foreign': ['invalid', 'host'],

  /** something of the project is here already; `problems` has a sentence for each */
  'import-clash': ['conflict', 'problems'],
  /** staged logs are not as they were left */
  'import-interrupted': ['conflict'],
  /** by a signal */
  'import-stopped': ['unavailable'],

  // Project files
  'project-file-invalid': ['invalid'],
  'project-file-too-new': ['conflict', 'version', 'knownVersion'],
  'project-file-unreadable': ['not-found', 'path'],
  /** pages do one at a time */
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
 * Ends a request, a command or a start. `message` says what is wrong: it is shown to clients and to people, so it names no
 * command and quotes no secret. An outcome that a caller branches on is a union in the return type instead.
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

  /** for the operator's log */
  get reason(): string {
    return this.data.reason ?? this.message
  }
}

/** True if the log has a line about the error already. */
export function isLogged(error: unknown): boolean {
  return error instanceof Refusal && error.data.isLogged === true
}
