/** Reads the last line of output of each ping in a list. Lists show no other part of a body, because bodies may be long. */

import { lastLine } from '../../domain/cause/trouble.ts'
import type { Check } from '../../domain/check/check.ts'
import { isRunKind, type ListedEntry, type LogEntry, subjectOf } from '../../domain/log/log-entry.ts'
import type { TimelineLine } from '../../domain/log/log-timeline.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import { withoutEscapes } from '../../lib/text/text.ts'
import type { BodyEnd } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

/**
 * @param lines lines in the list, newest first
 * @param log the part of the log that was read, newest first; the previous run may be in the log but not in the list
 * @param mayPing false to remove ping URLs and keys, for members who must not see them
 */
export async function withLastLines(
  { store }: Pick<Deps, 'store'>,
  check: Check,
  lines: readonly TimelineLine<LogEntry>[],
  log: readonly Pick<LogEntry, 'n' | 'kind'>[],
  mayPing: boolean,
): Promise<readonly TimelineLine<ListedEntry>[]> {
  const listed = lines.flatMap((line) => (line.kind === 'ping' ? [line.ping] : []))
  const before = runsBefore(log)
  const runBefore = ({ kind, n }: LogEntry) => (isRunKind(kind) ? before.get(n) : undefined)
  const wanted = new Set(listed.flatMap((ping) => [ping.n, runBefore(ping) ?? ping.n]))
  const words = await readLastLines({ store }, check, [...wanted], mayPing)
  return lines.map((line) => {
    if (line.kind !== 'ping') return line
    const last = words.get(line.ping.n) ?? ''
    const isRepeated = last !== '' && words.get(runBefore(line.ping) ?? 0) === last
    return { ...line, ping: { ...line.ping, lastLine: last, isRepeated } }
  })
}

/**
 * Reads the last lines of outputs, keyed by ping number. A line is '' if the output contains no text. Only the end of a long body is read.
 * @param numbers ping numbers
 * @param mayPing see {@link withLastLines}
 */
export async function readLastLines(
  { store }: Pick<Deps, 'store'>,
  check: Check,
  numbers: readonly number[],
  mayPing: boolean,
): Promise<ReadonlyMap<number, string>> {
  const ends = numbers.length === 0 ? [] : await store.pings.readBodyEnds(check.id, numbers)
  return new Map(await Promise.all(ends.map(async (end) => [end.n, await wordsOf(end, mayPing)] as const)))
}

/** Maps each run's number to the previous run's number. */
function runsBefore(log: readonly Pick<LogEntry, 'n' | 'kind'>[]): ReadonlyMap<number, number> {
  const runs = log.filter(({ kind }) => isRunKind(kind))
  return new Map(runs.slice(0, -1).map(({ n }, index) => [n, runs[index + 1]?.n ?? 0]))
}

async function wordsOf(end: BodyEnd, mayPing: boolean): Promise<string> {
  if (end.scheme !== 'email') return lastLine(end) ?? ''
  const subject = withoutEscapes(await decoded(subjectOf(end) ?? ''))
  return mayPing ? subject : withoutPingSecrets(subject)
}

/** Decodes a header field (RFC 2047). The decoder is loaded when an email first needs it. */
async function decoded(field: string): Promise<string> {
  if (!field.includes('=?')) return field
  const { decodeWords } = await import('postal-mime')
  return decodeWords(field)
}
