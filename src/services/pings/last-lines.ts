/** Reads the last line of the output of each ping that a list shows. Lists read nothing else of bodies, which may be long. */

import { lastLine } from '../../domain/cause/trouble.ts'
import type { Check } from '../../domain/check/check.ts'
import { isRunKind, type ListedEntry, type LogEntry, subjectOf } from '../../domain/log/log-entry.ts'
import type { TimelineLine } from '../../domain/log/log-timeline.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import { withoutEscapes } from '../../lib/text/text.ts'
import type { BodyEnd } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

/**
 * @param lines the lines of the list, newest first
 * @param log the known part of the whole log, newest first: the previous run may not be listed
 * @param mayPing false: for people who see nothing that would allow pings
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
 * Reads the last lines by the number of the ping: '' for an output without text. Only the end of a long body is read.
 * @param numbers the numbers of pings in the log
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

/** Maps the number of each run to that of the previous one. */
function runsBefore(log: readonly Pick<LogEntry, 'n' | 'kind'>[]): ReadonlyMap<number, number> {
  const runs = log.filter(({ kind }) => isRunKind(kind))
  return new Map(runs.slice(0, -1).map(({ n }, index) => [n, runs[index + 1]?.n ?? 0]))
}

async function wordsOf(end: BodyEnd, mayPing: boolean): Promise<string> {
  if (end.scheme !== 'email') return lastLine(end) ?? ''
  const subject = withoutEscapes(await decoded(subjectOf(end) ?? ''))
  return mayPing ? subject : withoutPingSecrets(subject)
}

/** Decodes a field (RFC 2047). The decoder is loaded when an email needs it. */
async function decoded(field: string): Promise<string> {
  if (!field.includes('=?')) return field
  const { decodeWords } = await import('postal-mime')
  return decodeWords(field)
}
