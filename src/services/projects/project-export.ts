/**
 * Exports a project as a file. The file is one JSON document, which is yielded in pieces. `domain/project-file/project-file.ts` describes
 * its format.
 */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { ALL_TAGS, signBadge } from '../../domain/badge-urls.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { splitTags } from '../../domain/check/tags.ts'
import type { Project, StoredKey } from '../../domain/project.ts'
import {
  type FileBadge,
  type FileCheck,
  type FileSilence,
  PROJECT_FILE,
  PROJECT_FILE_VERSION,
} from '../../domain/project-file/project-file.ts'
import {
  fileChannel,
  fileCheck,
  fileKey,
  fileProject,
  fileSilence,
  fileStatusPage,
} from '../../domain/project-file/values.ts'
import { isPlanned } from '../../domain/silence/calendar.ts'
import { nextOccurrence } from '../../domain/silence/silence.ts'
import { withoutChecks } from '../../domain/status-page/status-page.ts'
import { microsecondsBetween } from '../../lib/time.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'
import { exportedLog } from './project-export-log.ts'

type ExportDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'eventLoop'>

/** Number of checks to write per batch. */
const CHECKS_AT_ONCE = 50

/**
 * Exports a project. The file contains the settings of channels and the ping URLs of checks, so it must be kept secret. The export is
 * recorded in the audit log before the first piece is yielded. Changes made during the export may be missing from the file.
 * @param withLog true to include pings with their bodies, flips and alerts
 * @throws Refusal `forbidden`, `read-only`
 */
export function exportProject(deps: ExportDeps, actor: Actor, withLog: boolean): AsyncGenerator<Uint8Array> {
  requireRight(actor, 'own')
  return encoded(document(deps, actor, withLog))
}

async function* encoded(texts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}

async function* document(deps: ExportDeps, actor: Actor, withLog: boolean): AsyncGenerator<string> {
  const { store, site } = deps
  const { project } = actor
  await store.by(authorOf(deps, actor.by)).projects.noteExport(project, withLog)
  const secrets = (await store.imports.listSecrets()).filter(({ projectId }) => projectId === project.id)
  const found = await readChecks(deps, project)
  const channels = await store.channels.list(project.id)
  const isHere = new Set(channels.map(({ id }) => id))
  const checks = found.map(({ check, channelIds }) =>
    fileCheck(
      check,
      channelIds.filter((id) => isHere.has(id)),
    ),
  )
  const keys = (await store.keys.list(project.id)).toSorted(byAge).map(fileKey)
  const used = [site.secret, ...secrets.map(({ secret }) => secret)]
  const members = (await store.team.listMembers(project.id)).map(({ email, role }) => ({ email, role }))
  yield `{\n${member('format', PROJECT_FILE)},\n${member('version', PROJECT_FILE_VERSION)},\n`
  yield `${member('project', fileProject(project, used))},\n${member('members', members)},\n`
  yield `${member('keys', keys)},\n${member('badges', await badgesOf(deps, project, checks))},\n`
  yield `${member('channels', channels.map(fileChannel))},\n`
  yield* array('checks', inTexts(checks))
  yield `,\n${member('status_page', await statusPageOf(deps, project, checks))}`
  yield `,\n${member('silences', await silencesOf(deps, project, checks))}`
  if (withLog) for (const [name, lines] of exportedLog(deps, project, checks, [...isHere])) yield* array(name, lines)
  yield '\n}\n'
}

/** Compares keys by age. The database does not define an order for keys that were created at the same instant. */
function byAge(a: StoredKey, b: StoredKey): number {
  return microsecondsBetween(b.createdAt, a.createdAt) || (a.lookup < b.lookup ? -1 : 1)
}

/** Formats a member of the JSON document, indented for human readers. */
function member(name: string, value: unknown): string {
  return `  ${JSON.stringify(name)}: ${indented(value, '  ')}`
}

function indented(value: unknown, by: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`)
}

/** @param texts array elements, as JSON */
async function* array(
  name: string,
  texts: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  yield `${name === 'checks' ? '' : ',\n'}  ${JSON.stringify(name)}: [`
  let isFirst = true
  for await (const some of texts) {
    if (some.length === 0) continue
    yield `${isFirst ? '' : ','}\n    ${some.join(',\n    ')}`
    isFirst = false
  }
  yield isFirst ? ']' : '\n  ]'
}

function* inTexts(checks: readonly FileCheck[]): Generator<readonly string[]> {
  for (let from = 0; from < checks.length; from += CHECKS_AT_ONCE) {
    yield checks.slice(from, from + CHECKS_AT_ONCE).map((check) => indented(check, '    '))
  }
}

async function readChecks({ store, eventLoop }: ExportDeps, { id }: Project): Promise<CheckWithChannels[]> {
  const checks: CheckWithChannels[] = []
  for await (const page of readPages((after) => eventLoop.step(() => store.checks.list(id, {}, after)))) {
    checks.push(...page)
  }
  return checks
}

/** Returns the badge signatures for all tags, so that badge URLs remain valid on a server with a different secret. */
async function badgesOf(
  { store, site }: ExportDeps,
  { badgeKey }: Project,
  checks: readonly FileCheck[],
): Promise<FileBadge[]> {
  const tags = [...new Set([ALL_TAGS, ...checks.flatMap((check) => splitTags(check.tags))])].sort()
  const badges: FileBadge[] = []
  for (const tag of tags) {
    const own = signBadge(badgeKey, tag, site.secret)
    const signatures = new Set([own, ...(await store.badges.listSignatures(badgeKey, tag))])
    badges.push(...[...signatures].sort().map((signature) => ({ tag, signature })))
  }
  return badges
}

async function statusPageOf({ store }: ExportDeps, { id }: Project, checks: readonly FileCheck[]) {
  const page = await store.statusPages.find(id)
  if (page === null) return null
  const isHere = new Set(checks.map((check) => check.id))
  const shown = page.sections.flatMap(({ services }) => services.map(({ checkId }) => checkId))
  return fileStatusPage(withoutChecks(page, new Set(shown.filter((checkId) => !isHere.has(checkId)))))
}

/** Returns silences that are active or planned. Omits a silence that applies to named checks if none of them is still in the project. */
async function silencesOf(
  { store, now }: ExportDeps,
  { id }: Project,
  checks: readonly FileCheck[],
): Promise<FileSilence[]> {
  const at = now()
  const isHere = new Set(checks.map((check) => check.id))
  const coming = (await store.silences.list(id, at)).filter(
    (silence) => isPlanned(silence) && nextOccurrence(silence, at) !== null,
  )
  return coming.flatMap((silence) => {
    const { match } = silence
    const named = match.checks.filter((checkId) => isHere.has(checkId))
    if (named.length === 0 && match.checks.length > 0) return []
    return [fileSilence({ ...silence, match: { ...match, checks: named } })]
  })
}
