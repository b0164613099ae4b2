/**
 * Implements an import source for project files. The file is read twice. The first pass validates the whole file before anything is
 * written, and the second pass reads its log.
 */
import { signBadge } from '../../domain/badge-urls.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type {
  ImportedAccount,
  ImportedChannel,
  ImportedCheck,
  ImportedKey,
  ImportedProject,
  ImportedSilence,
  ImportSource,
} from '../../domain/import/import-source.ts'
import { withEntries } from '../../domain/import/imported-check.ts'
import { type PastEvent, pastRuns } from '../../domain/log/past-runs.ts'
import { broken, brokenAt, isOfLog, ProjectFileContents } from '../../domain/project-file/contents.ts'
import type { FileAlert, FileFlip, FilePing, FileProject } from '../../domain/project-file/project-file.ts'
import { FILE_ARRAYS } from '../../domain/project-file/project-file.ts'
import {
  importedAlert,
  importedChannel,
  importedCheck,
  importedFlip,
  importedKey,
  importedPing,
  importedProject,
  importedStatusPage,
  secretFingerprint,
} from '../../domain/project-file/values.ts'
import { nextOccurrence } from '../../domain/silence/silence.ts'
import type { Instant } from '../../lib/time.ts'
import { CHANNEL_KINDS } from '../../services/channels/channel-kinds.ts'
import { settingsProblem, settingsToDo } from '../../services/channels/settings-problems.ts'
import type { Deps, Site } from '../../services/common/deps.ts'
import { type JsonPiece, JsonPieceError, jsonPieces } from './json-pieces.ts'

/** A file that can be read in parts, and several times. */
export interface FileBytes {
  /** name in messages: the path, or the file name that the browser sent */
  readonly name: string
  /** @param start offset of the first byte @param end offset after the last byte; null to read to the end */
  read(start: number, end: number | null): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

type SourceDeps = Pick<Deps, 'transports' | 'now'> & { readonly site: Pick<Site, 'secret'> }

/** Maximum size of one value in bytes, such as a ping with its body. */
const VALUE_BYTES = 64 * 1024 * 1024
/** Limits for a page of the log, in entries and in bytes of the file. The page ends when the first limit is reached. */
const PAGE = { entries: 500, bytes: 1024 * 1024 }

/** The position of log entries in the file, as byte offsets. */
interface Span {
  readonly start: number
  end: number
}

/** Spans by check id. All alerts are in one span, whose key is ''. */
type Spans = Record<'pings' | 'flips' | 'alerts', Map<string, Span>>

/**
 * @param secret secret of the server that wrote the file, if it differs from this server's; null if unknown
 * @throws Refusal `project-file-invalid`, `project-file-too-new`; `import-secret-wrong` if the file was written with another secret
 */
export async function openProjectFile(deps: SourceDeps, file: FileBytes, secret: string | null): Promise<ImportSource> {
  const { contents, spans } = await readWhole(file, deps.now())
  const notes: ImportNote[] = []
  const pings = ({ id }: ImportedCheck, after: number) =>
    entriesOf(file, spans.pings.get(id), (entry: FilePing) => (entry.n > after ? importedPing(entry) : null))
  const project = projectOf(deps, contents, secret, notes)
  const checks: ImportedCheck[] = []
  for (const check of project.checks) checks.push(await withRuns(check, pings))
  return {
    kind: 'project-file',
    name: file.name,
    accounts: contents.members.map(({ email }) => accountOf(email, deps.now())),
    projects: [{ ...project, checks }],
    notes,
    pings,
    flips: ({ id }, after) =>
      entriesOf(file, spans.flips.get(id), (entry: FileFlip) => (entry.n > after ? importedFlip(entry) : null)),
    alerts: () => entriesOf(file, spans.alerts.get(''), (entry: FileAlert) => importedAlert(entry)),
    countPings: async () => contents.pings,
    close: () => file.close(),
  }
}

async function readWhole(file: FileBytes, now: Instant): Promise<{ contents: ProjectFileContents; spans: Spans }> {
  const contents = new ProjectFileContents(CHANNEL_KINDS, now)
  const spans: Spans = { pings: new Map(), flips: new Map(), alerts: new Map() }
  for await (const piece of piecesOf(file.read(0, null), FILE_ARRAYS)) {
    contents.add(piece)
    if (isOfLog(piece.member)) note(spans[piece.member], piece)
  }
  contents.end()
  return { contents, spans }
}

function note(spans: Map<string, Span>, { member, value, start, end }: JsonPiece): void {
  const key = member === 'alerts' ? '' : (value as FilePing).check
  const span = spans.get(key)
  if (span === undefined) spans.set(key, { start, end })
  else span.end = end
}

async function* piecesOf(chunks: AsyncIterable<Uint8Array>, arrays: ReadonlySet<string>): AsyncGenerator<JsonPiece> {
  try {
    yield* jsonPieces(chunks, { arrays, limit: VALUE_BYTES })
  } catch (error) {
    if (!(error instanceof JsonPieceError)) throw error
    throw broken(`at byte ${error.offset}, ${error.message}`)
  }
}

const ENTRIES = 'entries'

/** Wraps a span in brackets to make it a JSON array. */
async function* asArray(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`{"${ENTRIES}":[`)
  yield* chunks
  yield encoder.encode(']}')
}

/** @param convert returns null to skip an entry */
async function* entriesOf<Entry, Value>(
  file: FileBytes,
  span: Span | undefined,
  convert: (entry: Entry) => Value | null,
): AsyncGenerator<readonly Value[]> {
  if (span === undefined) return
  let [page, bytes]: [Value[], number] = [[], 0]
  for await (const { value, start, end } of piecesOf(asArray(file.read(span.start, span.end)), new Set([ENTRIES]))) {
    const entry = convert(value as Entry)
    if (entry === null) continue
    page.push(entry)
    bytes += end - start
    if (page.length < PAGE.entries && bytes < PAGE.bytes) continue
    yield page
    page = []
    bytes = 0
  }
  if (page.length > 0) yield page
}

/** Adds runs that are derived from the log. A file that another program wrote may not contain runs. */
async function withRuns(check: ImportedCheck, pings: ImportSource['pings']): Promise<ImportedCheck> {
  if (check.runs.length > 0) return check
  let events: PastEvent[] = []
  for await (const page of pings(check, 0)) events = withEntries(events, page)
  return { ...check, runs: pastRuns(check, check.createdAt, events) }
}

/** Creates an account without a password for a member who has no account on this server. */
function accountOf(email: string, createdAt: Instant): ImportedAccount {
  const fresh = { passwordHash: null, isAdministrator: false, tz: 'UTC', theme: 'system', isSuspended: false } as const
  return { email, ...fresh, createdAt, lastSeenAt: null, totpSecret: null }
}

function projectOf(
  deps: SourceDeps,
  contents: ProjectFileContents,
  secret: string | null,
  notes: ImportNote[],
): ImportedProject {
  const file = contents.project
  if (file === null) throw brokenAt('/project', 'is missing')
  requireNeeded(file, secret)
  const known = new Set([deps.site.secret, ...(secret === null ? [] : [secret])].map(secretFingerprint))
  const channels = channelsOf(deps, contents, notes)
  const isHere = new Set(channels.map(({ id }) => id))
  const checks: ImportedCheck[] = contents.checks.map(importedCheck).map((check) => ({
    ...check,
    channelIds: check.channelIds.filter((id) => isHere.has(id)),
  }))
  return {
    ...importedProject(file),
    members: contents.members,
    keys: keysOf(contents, known, notes),
    checks,
    channels,
    silences: silencesOf(contents, deps.now(), notes),
    statusPage: contents.statusPage && importedStatusPage(contents.statusPage),
    secret: secret === deps.site.secret ? null : secret,
    badges: badgesOf(deps, contents, file, secret),
  }
}

/** @throws Refusal `import-secret-wrong` */
function requireNeeded({ secrets }: FileProject, secret: string | null): void {
  if (secret === null || secrets.includes(secretFingerprint(secret))) return
  throw new Refusal('import-secret-wrong', 'this project file was written with another secret')
}

/** Returns the usable keys. API keys that were hashed with an unknown secret are dropped, because no request could match them. */
function keysOf(
  { project, keys }: ProjectFileContents,
  known: ReadonlySet<string>,
  notes: ImportNote[],
): readonly ImportedKey[] {
  const missing = (project?.secrets ?? []).filter((fingerprint) => !known.has(fingerprint))
  if (missing.length === 0) return keys.map(importedKey)
  const name = project?.name ?? ''
  const isLost = missing.length === project?.secrets.length
  const hashed = keys.flatMap((key) => ('hash' in key ? [key] : []))
  for (const key of hashed) {
    notes.push({
      kind: isLost ? 'left-out' : 'to-do',
      subject: 'API key',
      name: key.name === '' ? key.hint : `${key.name} (${key.hint})`,
      project: name,
      reason: isLost
        ? 'It was hashed with the secret of the server that wrote the file, which is unknown here.'
        : 'It may have been hashed with another secret, which is unknown here. In that case it does not work.',
      advice: 'Give that secret, or create a new key.',
    })
  }
  return keys.filter((key) => !isLost || 'key' in key).map(importedKey)
}

/**
 * Returns the usable channels. A disabled channel may lack settings, because a channel imported without settings stays disabled until a
 * member completes it.
 */
function channelsOf(
  { transports }: SourceDeps,
  { project, channels }: ProjectFileContents,
  notes: ImportNote[],
): ImportedChannel[] {
  return channels
    .filter(({ id, kind, name, settings, disabled_reason }) => {
      if (disabled_reason !== null) return true
      const title = name === '' ? `${kind} ${id}` : name
      const about = { subject: 'integration', name: title, project: project?.name ?? null } as const
      const problem = settingsProblem(transports, kind, settings)
      if (problem === null) {
        for (const left of settingsToDo(transports, kind, settings)) notes.push({ ...about, kind: 'to-do', ...left })
        return true
      }
      const reason = `In its settings, ${problem}.`
      notes.push({ ...about, kind: 'left-out', reason, advice: 'Correct the file, or create the integration again.' })
      return false
    })
    .map(importedChannel)
}

/** Returns the silences that have not ended. */
function silencesOf(
  { project, silences }: ProjectFileContents,
  now: Instant,
  notes: ImportNote[],
): readonly ImportedSilence[] {
  return silences.filter((silence) => {
    if (nextOccurrence(silence, now) !== null) return true
    const name = silence.reason || 'without a reason'
    const about = { subject: 'planned maintenance', name, project: project?.name ?? null } as const
    notes.push({ ...about, kind: 'left-out', reason: 'It is over.', advice: null })
    return false
  })
}

/** Returns the badges to import. A signature is left out if its secret is known, because the server can compute it. */
function badgesOf(
  { site }: SourceDeps,
  { badges }: ProjectFileContents,
  { badge_key }: FileProject,
  secret: string | null,
): ImportedProject['badges'] {
  const secrets = [site.secret, ...(secret === null ? [] : [secret])]
  const isKnown = ({ tag, signature }: ImportedProject['badges'][number]) =>
    secrets.some((each) => signBadge(badge_key, tag, each) === signature)
  return badges.filter((badge) => !isKnown(badge))
}
