/** Hints for the command line: the next step for each refusal code. */

import { join } from 'node:path'
import { settingWords } from '../domain/channel/setting-words.ts'
import { POSTGRES_BACKUPS } from '../domain/database-address.ts'
import type { Refusal, RefusalCode, RefusalData } from '../domain/errors.ts'
import { KEY_HINT_LENGTH } from '../domain/key-kind.ts'
import { quoteForShell } from '../lib/text/text.ts'

/** A hint, or null if the message needs none. */
type Hint<Data> = string | null | ((data: Data) => string | null)

const IN_USE = 'stop the server and every other program that has the database open'
const USE_FILE = 'use the name of a file, such as /backups/overdue.db'

/** Returns the command line with `--project`, in backquotes. The project name is quoted for a shell. */
function inProject(command: string, project: string): string {
  return `\`overdue ${command} --project ${shellWord(project)}\``
}

/** Quotes the text for a shell. */
export function shellWord(text: string): string {
  return /["\\$`!]/.test(text) ? quoteForShell(text) : `"${text}"`
}

/**
 * Returns advice to add the password to these addresses, because they are shown without it. Returns '' unless one of them is a PostgreSQL
 * address.
 */
function passwordIn(...addresses: readonly string[]): string {
  return addresses.some((address) => address.startsWith('postgres:'))
    ? '; add the password to the URL of PostgreSQL'
    : ''
}

/** Returns the address of a database, quoted if a shell requires it. */
export function shellWordOfUrl(address: string): string {
  return /[^\w:/@.,=%+-]/.test(address) ? quoteForShell(address) : address
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `did you mean "${meant}"? Otherwise `
}

const CHANNEL_FIELDS = 'see docs/channels.md for the fields of each kind'

const THE_DATABASE =
  'name the database of the other program: for Healthchecks DB_NAME in its environment, for Uptime Kuma data/kuma.db'

/** Explains how to create a readable dump, depending on the kind of file that was given. */
function dumpHint(kind: string): string {
  if (kind === 'mysql' || kind === 'django') {
    return 'Healthchecks on MariaDB or MySQL is read over its API: use `--url` with an API key of each project'
  }
  if (kind === 'encoding') return 'create the dump again with `pg_dump --format=plain --encoding=UTF8`'
  return 'use the SQLite file, the PostgreSQL URL, or a dump of the database of Healthchecks by `pg_dump --format=plain`'
}

const HINTS: { readonly [Code in RefusalCode]: Hint<RefusalData<Code>> } = {
  invalid: null,
  unauthorized: null,
  forbidden: null,
  'read-only': null,
  'not-found': null,
  'too-large': null,
  'over-limit': ({ retryAfterSeconds }) => `try again in ${retryAfterSeconds} seconds`,
  busy: null,
  overloaded: null,
  unavailable: ({ reason }) => reason,

  usage: ({ hint }) => hint,
  'option-invalid': ({ hint }) => hint,
  'unknown-choice': ({ choices }) => `use one of: ${choices.join(', ')}`,
  'out-of-range': ({ minimum, maximum }) => `use a whole number from ${minimum} to ${maximum}`,
  'schedule-invalid': 'see docs/schedules.md',

  'project-not-found': ({ meant }) => `${didYouMean(meant)}see \`overdue project list\``,
  'project-ambiguous': 'use one of these ids',
  'name-invalid': null,
  'status-slug-taken': null,
  'status-page-full': null,
  'project-name-taken': 'use another name, or the project that exists; see `overdue project list`',
  'check-not-found': ({ project, meant }) => `${didYouMean(meant)}see ${inProject('check list', project)}`,
  'check-ambiguous': 'use one of these UUIDs',
  'check-not-paused': 'only a paused check can be resumed',
  'checks-changed': null,
  'undo-ended': null,
  'advice-withdrawn': null,
  'key-not-found': ({ project }) =>
    `use the whole key, or its first ${KEY_HINT_LENGTH} characters, as \`overdue key list ${shellWord(project)}\` shows them`,
  'key-ambiguous': 'use the whole key',

  'account-exists': 'to choose another password, use `overdue account reset EMAIL`; see `overdue account list`',
  'account-not-found': ({ meant }) => `${didYouMean(meant)}see \`overdue account list\``,
  'email-invalid': 'use an address such as ops@example.org',
  'password-invalid': null,
  'tz-invalid': null,
  'member-not-found': ({ project }) => `see \`overdue project member list ${shellWord(project)}\``,
  'last-owner': ({ project }) => `use \`overdue project member add ${shellWord(project)} EMAIL --role owner\``,
  'invitations-full': null,
  'offer-ended': null,
  'first-account-exists': 'use `overdue account create EMAIL` for another one, or `overdue account reset EMAIL`',
  'proxy-signs-in': null,
  'account-needed': 'make another account an owner or an administrator first',
  'identity-taken': null,
  'identity-needed': null,
  'oidc-unavailable': ({ reason }) => reason,
  'oidc-refused': null,
  'provider-signs-in': 'use `overdue account link EMAIL` for a link that signs in without the provider',
  'account-suspended': 'use `overdue account unsuspend EMAIL` first',
  'link-ended': 'use `overdue account link` or `overdue account reset EMAIL`',
  'passkey-limit': null,
  'passkey-exists': null,
  'passkey-not-found': null,
  'passkey-refused': null,
  'sign-in-failed': null,

  'channel-not-found': ({ project, meant }) => `${didYouMean(meant)}see ${inProject('channel list', project)}`,
  'channel-ambiguous': 'use one of these ids',
  'channel-list-invalid': ({ name, project, problems = [] }) => {
    if (problems.length > 0) return 'use one of these ids'
    const what = name === '' ? 'a name or an id is empty' : `there is no channel "${name}"`
    return `${what}: use names or ids separated by commas; see ${inProject('channel list', project)}`
  },
  'channel-settings-invalid': ({ needs }) => (needs === null ? CHANNEL_FIELDS : `${needs}; ${CHANNEL_FIELDS}`),
  'channel-kind-off': ({ setting }) => `set ${setting}`,
  'channel-kind-unsupported': null,
  'channel-unconfirmed': ({ mailError }) => mailError ?? 'another confirmation email was sent',
  'channel-unsubscribed': 'give the channel another address, or create a new channel',
  'channel-not-notified': ({ otherStatus }) =>
    otherStatus === null
      ? 'this channel sends no alerts at all; to test the mail server, use `overdue mail test ADDRESS`'
      : `try --status ${otherStatus}`,
  'channel-unusable': ({ setting }) => {
    if (setting === null) return null
    const { page } = settingWords(setting)
    const entered = page === null ? '' : `enter it at ${page}, or `
    return `${entered}run this command with the settings of the server: ${setting} is not set here`
  },
  'group-members-invalid': ({ project }) =>
    `use a JSON string of channel UUIDs separated by commas; see ${inProject('channel list', project)}`,
  'group-empty': 'add members; see `overdue channel set --help`',
  'group-quiet-hours': 'give them to its members',
  'delivery-not-found': 'see `overdue delivery list --help`',
  'delivery-ambiguous': 'use the whole id, which `overdue delivery list` prints with --json',
  'delivery-not-failed': ({ state, project }) =>
    state === 'pending'
      ? `${inProject('delivery list', project)} shows under NEXT when it is sent`
      : 'only failed deliveries can be retried',
  'delivery-superseded': ({ project }) =>
    `try again after the later alert was sent or has failed; see ${inProject('delivery list', project)}`,

  'incident-resolved': 'you can still add notes: use `overdue incident note`',
  'incident-taken': 'add --take-over',
  'incident-free': null,
  'notes-full': null,
  'silences-full': 'see `overdue silence list`, and end one with `overdue silence end ID`',
  'incident-not-found': 'see `overdue incident list`',
  'silence-not-found': ({ project }) => `see ${inProject('silence list', project)}`,
  'silence-ambiguous': 'use the whole id, which `overdue silence list` prints with --json',

  settings: null,
  'secret-mismatch': ({ setting, keepsSecret }) =>
    keepsSecret ? `unset ${setting}: this database keeps its own secret` : `set ${setting} to its previous value`,
  'cannot-listen': ({ host, setting, isForbidden }) => {
    if (setting === 'HOST') {
      return `HOST=${host} is not an address of this machine: set HOST to one that is, such as 127.0.0.1, or to 0.0.0.0 for all`
    }
    if (isForbidden) return `set ${setting} to 1024 or higher: ports below 1024 need extra privileges`
    return `set ${setting} to a free port, or stop the program that listens on this one`
  },
  'mail-off': ({ setting }) =>
    `enter the mail server at Administration › Mail, or set ${setting} to its name or to an SMTP URL; see docs/settings.md`,
  'request-failed': ({ hint }) => hint,

  'database-missing': 'check that DATABASE_URL is right; `overdue serve` and `overdue migrate` create a new database',
  'database-lost': ({ pid }) =>
    pid === null
      ? 'put the database back beside its log, or restore a backup; to start with an empty database, move the log away'
      : `process ${pid} has the files open: before you stop it, read the output of \`overdue health\``,
  'database-moved': 'try again',
  'database-damaged':
    'restore a backup; if there is none, copy the file and the files beside it, and run `sqlite3 <file> .recover` on the copy',
  'database-foreign': ({ setting }) =>
    setting === null
      ? 'check that this is the right file'
      : `set ${setting} to a database of Overdue, to one without tables, or to a file that does not exist yet`,
  'database-too-old':
    'export each project with the old program (`overdue project export`), and import the files into a new database (`overdue import project`); if it cannot export, start its server and use `overdue import healthchecks --url`',
  'database-too-new': 'use the newer version of Overdue, or a backup that this version created',
  'database-unusable': ({ reason }) => reason,
  'database-in-use': ({ isGone }) =>
    isGone ? `save the deleted file first, as \`overdue health\` explains; then ${IN_USE}` : IN_USE,
  'database-not-file': POSTGRES_BACKUPS,
  'database-in-memory': ({ setting }) => `set ${setting} to a file`,
  'database-exists':
    'stop the server, then use --force to replace the database; the old one is kept in the same folder',
  'log-foreign': ({ path, log }) =>
    [
      `to use ${path} as it is, move the log away: mv ${log} ${log}.kept;`,
      'if the file was replaced by mistake, move the previous one back to the folder of the log, which contains its newest pings;',
      'or move both files away and restore a backup',
    ].join(' '),
  'path-is-folder': ({ path, setting }) => {
    const file = join(path, 'overdue.db')
    return setting === null ? `use the name of a file, such as ${file}` : `set ${setting} to a file: sqlite:${file}`
  },
  'not-regular-file': ({ setting }) =>
    setting === null ? USE_FILE : `set ${setting} to the name of a file, such as sqlite:/data/overdue.db`,

  'database-copied': ({ from, to, isComplete }) =>
    isComplete
      ? `set DATABASE_URL to ${to}; or, to use this database again without the changes that were made to the copy, run \`overdue copy --reopen --from ${shellWordOfUrl(from)}\`${passwordIn(from, to)}`
      : `run \`overdue copy\` again to resume; or, to abandon that copy, run \`overdue copy --reopen --from ${shellWordOfUrl(from)}\`${passwordIn(from)}`,
  'database-incomplete': ({ from, to }) =>
    `run \`overdue copy --from ${shellWordOfUrl(from)} --to ${shellWordOfUrl(to)}\` again to resume; or remove this database${passwordIn(from, to)}`,
  'copy-target-taken': 'use a new database: `overdue copy` fills it',
  'copy-stopped': 'run the same command again: it resumes where it stopped',
  'copy-differs': 'remove the copy and run the command again; if it differs again, check the disk and the system log',

  'import-missing': 'check the path',
  'import-empty': THE_DATABASE,
  'import-damaged': 'stop the other program, create another copy, and import that copy',
  'import-foreign': THE_DATABASE,
  'import-own-database': THE_DATABASE,
  'import-format': ({ kind }) => dumpHint(kind),
  'import-address-invalid': 'use a URL such as postgres://user:password@db.example.org/hc',
  'import-secret-wrong':
    'copy SECRET_KEY from the environment or settings of Healthchecks; without it, hashed keys and signed badges are not imported',
  'import-unavailable': ({ reason }) => reason,
  'import-project-unknown': 'use one of these names',
  'api-unreachable': ({ host }) => `check that this machine can reach ${host}, and run the same command again`,
  'api-key-refused': 'give a read-write API key of the project on the old server',
  'api-foreign':
    'give the address of the start page, such as https://hc.example.org; it must be Healthchecks with API v3',
  'import-clash': 'resolve each clash as described above, or leave that project out',
  'import-stopped': 'run the same command again: it resumes where it stopped',
  'import-interrupted': 'run the same import again when no other import is running: it resumes where it stopped',

  'project-file-invalid': 'correct the file, or export the project again',
  'project-file-too-new': 'use the newer version of Overdue',
  'import-busy': null,
  'import-not-read': null,
  'project-file-unreadable':
    'name a file that `overdue project export` has written, not a folder, and check that this user can read it',
  'file-exists': 'use another name, or remove the file',
  'file-unwritable': 'check that the folder exists, that this user can write to it, and that its disk has room',

  'backup-missing': 'use a file that `overdue backup` created',
  'backup-damaged': 'restore another backup',
  'backup-is-database': 'use another file',
  'backup-exists': 'use another name, or --force to replace it',
  'backup-has-log': ({ path }) => `a program uses or used ${path}: use another name, or remove both files`,
  'folder-missing': 'create it, or use another folder',
  'disk-full': 'free some space, or use a folder on another disk',
  'copy-damaged': 'check the system log, and keep older backups: the disk or the database may be damaged',
  'copy-failed': ({ reason }) => reason,
}

export function hintOf({ code, data }: Refusal): string | null {
  const hint: Hint<never> = HINTS[code]
  return typeof hint === 'function' ? hint(data as never) : hint
}
