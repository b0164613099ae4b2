/** Steps shared by the commands that propose checks for another scheduler's jobs. */
import type { Actor } from '../../../domain/actor.ts'
import type { MuteChannels } from '../../../domain/channel/mute.ts'
import { untoldBy } from '../../../domain/channel/untold.ts'
import { inOneLine } from '../../../domain/check/schedule-words.ts'
import { periodInLetters } from '../../../domain/duration.ts'
import type { ImportNote } from '../../../domain/import/import-note.ts'
import {
  createProposals,
  findProposals,
  type PlacedProposal,
  type ProposalOutcome,
  slugsOf,
  timingsBySlug,
} from '../../../import/engine/proposals.ts'
import { MAILS_ALREADY, PINGS_ALREADY, pingedChecks } from '../../../import/proposals/pinging-already.ts'
import {
  noteOf,
  type ProposalOptions,
  type ProposedCheck,
  type ProposedTiming,
} from '../../../import/proposals/proposal.ts'
import { listChannels } from '../../../services/channels/channels.ts'
import { readMuteChannels } from '../../../services/channels/mute-channels.ts'
import type { Deps } from '../../../services/common/deps.ts'
import { noteLines, untoldNotes } from '../../check/notes.ts'
import { readChannels } from '../../check/spec.ts'
import type { Context, ExitStatus, Values } from '../../command.ts'
import { openProject } from '../../project/open-project.ts'
import type { UnreadFile } from '../../read-files.ts'
import type { Cell, Shown } from '../../terminal/screen.ts'
import { readZone } from '../../times.ts'
import { optionError } from '../../usage.ts'
import { noteWords } from '../words.ts'

/** Checks that a parser proposes. */
interface Plan {
  readonly checks: readonly ProposedCheck[]
  readonly notes: readonly ImportNote[]
}

/** Output that the user applies to the other scheduler, such as a patch. */
export interface Artefact {
  /** fields of the JSON output, such as `diff` or `files` */
  readonly json: Readonly<Record<string, unknown>>
  /** text for users and for programs such as `patch`; ends with a line break, or is empty */
  readonly text: string
  /** true if each character of `text` represents one byte */
  readonly isBytes?: boolean
}

/** Checks that a parser proposes, and the text that it writes. @param urlOf returns the ping URL of the check with the given slug */
interface Proposed extends Plan {
  /** notes about files and documents that cannot be read */
  readonly unread: readonly ImportNote[]
  readonly write: (urlOf: (slug: string) => string) => Artefact
}

/** Returns notes about files that cannot be read. */
export function unreadNotes(unread: readonly UnreadFile[]): readonly ImportNote[] {
  return unread.map(({ path, reason }) =>
    noteOf(
      'left-out',
      'file',
      path,
      `It cannot be read: ${reason}.`,
      'Check its type, its link target and its permissions.',
    ),
  )
}

/**
 * Finds or creates the checks, and prints them, the text for the other scheduler, and the jobs that are skipped.
 * @param texts the texts of the files
 * @param usualZone IANA name
 * @returns 1 if no job needs a check and none already pings one, or if something could not be read
 */
export async function propose(
  context: Context,
  texts: readonly string[],
  usualZone: string,
  plan: (options: ProposalOptions) => Proposed,
): Promise<ExitStatus> {
  const { values, now } = context
  const { pingEndpoint } = (await context.readConfig()).links
  const options = readOptions(values, usualZone)
  const place = values.project === undefined && !values.apply ? null : await openProject(context)
  const { ids, slugs } = pingedChecks(texts.join('\n'))
  const found = place === null ? [] : await slugsOf(place.deps, place.actor, ids)
  const taken = new Set([...slugs, ...found])
  const here = place === null ? new Map() : await timingsBySlug(place.deps, place.actor)
  const {
    checks,
    notes: ofJobs,
    unread,
    write,
  } = plan({ ...options, zoneHint: ZONE_HINT, pingEndpoint, taken, here, now: now() })
  const notes = [...unread, ...ofJobs]
  const placed = await placeChecks(place, values, checks)
  const urls = new Map(
    placed.map(({ check: { slug }, stored }) => [slug, pingEndpoint + (stored?.id ?? placeholder(slug))]),
  )
  const written = new Set<string>()
  const artefact = write((slug) => {
    written.add(slug)
    return urls.get(slug) ?? pingEndpoint + placeholder(slug)
  })
  const told = place === null ? null : await whoIsTold(place, values, placed)
  const json = {
    applied: values.apply === true,
    checks: placed.map((one) => ({
      ...represent(one, urls.get(one.check.slug) ?? null),
      channels: told === null ? null : one.channelIds.join(','),
      alerts_nobody: told === null ? null : untoldBy(one.channelIds, told.mute) !== null,
    })),
    alerts: told === null ? [] : [...told.receivers, ...told.notes],
    notes,
    ...artefact.json,
  }
  const unwritten = checks.flatMap(({ name, slug }) => (written.has(slug) ? [] : [`  ${name}: ${urls.get(slug)}`]))
  const report = [...shownChecks(placed), ...noteWords(notes), ...toPing(unwritten), ...closing(context, placed, told)]
  await context.printBeside(json, report, Buffer.from(artefact.text, artefact.isBytes ? 'latin1' : 'utf8'))
  return checks.length > 0 || (unread.length === 0 && ofJobs.some(pingsAlready)) ? 0 : 1
}

const ZONE_HINT = '--zone sets another'

const pingsAlready = ({ reason }: ImportNote) => reason === PINGS_ALREADY || reason === MAILS_ALREADY

/** @throws Refusal `option-invalid` */
function readOptions(values: Values, usualZone: string): Pick<ProposalOptions, 'zone' | 'prefix'> {
  const prefix = String(values.prefix)
  if (!/^[\w. -]{0,40}$/.test(prefix)) {
    throw optionError('--prefix is not valid', 'use up to 40 letters, digits, spaces, dots, _ and -')
  }
  return { zone: readZone(values.zone === undefined ? usualZone : String(values.zone)), prefix }
}

/** The project in which the checks are created. */
interface Place {
  readonly deps: Deps
  readonly actor: Actor
}

async function placeChecks(
  place: Place | null,
  { apply, channels }: Values,
  checks: readonly ProposedCheck[],
): Promise<readonly PlacedProposal[]> {
  if (place === null) return checks.map((check) => ({ check, outcome: 'new', stored: null, channelIds: [] }))
  const { deps, actor } = place
  const findOrCreate = apply ? createProposals : findProposals
  return findOrCreate(deps, actor, checks, readChannels(String(channels)))
}

/** The channels that the new checks alert. */
interface Told {
  readonly mute: MuteChannels
  /** at most one sentence about the channels of the new checks; empty if they have no channel */
  readonly receivers: readonly string[]
  /** sentences about checks that alert no one */
  readonly notes: readonly string[]
}

async function whoIsTold({ deps, actor }: Place, { apply }: Values, placed: readonly PlacedProposal[]): Promise<Told> {
  const fresh = placed.find(({ outcome }) => outcome === 'new' || outcome === 'created')
  const channels = (await listChannels(deps, actor)).filter(({ id }) => fresh?.channelIds.includes(id))
  const names = channels.map(({ name, kind }) => name || kind).join(', ')
  return {
    mute: await readMuteChannels(deps, actor, deps.now()),
    receivers: names === '' ? [] : [`Alerts of the new checks ${apply ? 'are' : 'will be'} sent to: ${names}.`],
    notes: await untoldNotes(deps, actor, placed),
  }
}

/** Returns the last part of a placeholder ping URL. The server answers pings to that URL with 404. */
const placeholder = (slug: string) => `PLACEHOLDER-UNTIL-APPLY-${slug}`

function represent({ check, outcome, stored }: PlacedProposal, url: string | null) {
  const { name, slug, tags, timing, graceSeconds: grace, isPaused: paused, place, why } = check
  return {
    outcome,
    name,
    slug,
    tags,
    ...timing,
    grace,
    paused,
    place,
    why,
    ping_url: stored === null ? null : url,
  }
}

const OUTCOMES: Readonly<Record<ProposalOutcome, string>> = {
  new: 'new',
  created: 'created',
  found: 'is here',
  differs: 'is here, other schedule',
}

function shownChecks(placed: readonly PlacedProposal[]): Exclude<Shown, string> {
  if (placed.length === 0) return ['No check can be proposed for any job.']
  const rows = placed.map(({ check, outcome }): Cell[] => [
    check.place,
    { name: check.name },
    check.slug,
    timingText(check.timing),
    'tz' in check.timing ? check.timing.tz : null,
    periodInLetters(check.graceSeconds),
    OUTCOMES[outcome],
  ])
  return [{ rows: [['FROM', 'NAME', 'SLUG', 'SCHEDULE', 'ZONE', 'GRACE', 'CHECK'], ...rows] }, ...shownReasons(placed)]
}

function shownReasons(placed: readonly PlacedProposal[]): readonly string[] {
  const lines = placed.flatMap(({ check: { place, why, isPaused } }) => {
    const reasons = [...why, ...(isPaused ? ['it is suspended, so the check is paused'] : [])]
    return reasons.length === 0 ? [] : [`${place}: ${reasons.join('; ')}`]
  })
  return lines.length === 0 ? [] : ['', ...lines]
}

/** @param lines lines about the checks whose jobs the written text does not change */
function toPing(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', 'Nothing pings these checks yet. Their ping URLs:', ...lines]
}

function timingText(timing: ProposedTiming): string {
  return 'timeout' in timing ? `every ${periodInLetters(timing.timeout)}` : inOneLine(timing.schedule)
}

function closing({ values }: Context, placed: readonly PlacedProposal[], told: Told | null): readonly string[] {
  if (placed.length === 0) return []
  const words = told === null ? [] : [...told.receivers, ...noteLines(told.notes)]
  const begin = words.length === 0 ? [] : ['', ...words]
  if (values.apply) return [...begin, '']
  return [...begin, '', 'Nothing was written. With --project and --apply, the checks are created.', '']
}
