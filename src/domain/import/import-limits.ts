/**
 * Limits for imports through pages. The server keeps the import plan in memory and writes each project in one transaction, which delays
 * pings. The import command has no such limits, because it runs in its own process.
 */
import { Refusal } from '../errors.ts'
import type { ImportSource } from './import-source.ts'

const PROJECTS = 1_000
const ACCOUNTS = 10_000
const CHECKS = 20_000
const CHECKS_OF_PROJECT = 5_000
/** Maximum number of channels in a project. The limit for members and the limit for keys are the same. */
const THINGS = 1_000
const ASSIGNMENTS = 200_000
/** Maximum number of notes to show. The remaining ones are only counted. */
const NOTES = 5_000

/** @throws Refusal `too-large` */
export function requireWithinLimits({ accounts, projects }: Pick<ImportSource, 'accounts' | 'projects'>): void {
  refuseMore('the source', 'accounts', accounts.length, ACCOUNTS)
  refuseMore('the source', 'projects', projects.length, PROJECTS)
  const checks = projects.flatMap((project) => project.checks)
  refuseMore('the source', 'checks', checks.length, CHECKS)
  const assignments = checks.reduce((sum, { channelIds }) => sum + channelIds.length, 0)
  refuseMore('the source', 'assignments of integrations', assignments, ASSIGNMENTS)
  for (const { name, checks, channels, members, keys, badges } of projects) {
    const where = `project "${name}"`
    refuseMore(where, 'checks', checks.length, CHECKS_OF_PROJECT)
    refuseMore(where, 'integrations', channels.length, THINGS)
    refuseMore(where, 'members', members.length, THINGS)
    refuseMore(where, 'keys', keys.length, THINGS)
    refuseMore(where, 'badges', badges.length, CHECKS_OF_PROJECT)
  }
}

function refuseMore(where: string, what: string, count: number, limit: number): void {
  if (count <= limit) return
  const words = `${where} has ${count} ${what}, and pages import at most ${limit}: use the import command`
  throw new Refusal('too-large', words, { limit })
}

/** Returns the first notes. If there are more, the last one states how many were left out. */
export function shownNotes(notes: ImportSource['notes']): ImportSource['notes'] {
  if (notes.length <= NOTES) return notes
  const reason = `There are ${notes.length - NOTES} more notes.`
  const more = { kind: 'to-do', subject: 'report', name: 'notes', project: null, reason } as const
  return [...notes.slice(0, NOTES), { ...more, advice: 'The command lists all of them.' }]
}
