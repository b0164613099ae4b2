/** Formats log entries as table cells and as JSON. */
import { absentWords, flipWords, ignoredWords, latePingWords, PING_WORDS } from '../../domain/log/line-words.ts'
import type { ListedEntry, LogEntry } from '../../domain/log/log-entry.ts'
import type { TimelineLine } from '../../domain/log/log-timeline.ts'
import { isoSeconds } from '../../lib/time.ts'
import { clockWords, durationWords } from '../../lib/time-words.ts'
import type { Cell } from '../terminal/screen.ts'

export type LogLine = TimelineLine<ListedEntry>

export const HEADS = ['TIME', 'EVENT', 'TOOK', 'LAST LINE']

const MICROSECONDS = 1_000_000

/** @param tz IANA name of the reader's zone */
export function cells(line: LogLine, tz: string): readonly Cell[] {
  if (line.kind === 'ping') {
    const { kind, n, duration } = line.ping
    const took = duration === null ? null : durationWords(duration / MICROSECONDS)
    return [{ clock: line.at, tz }, { id: `${PING_WORDS[kind]} #${n}` }, took, pingWords(line.ping, tz)]
  }
  const said =
    line.kind === 'flip'
      ? flipWords(line.flip, line.since)
      : absentWords(line, (at) => clockWords(at.epochMilliseconds, at.epochMilliseconds, tz))
  if (line.kind === 'more') return [{ clock: line.at, tz }, null, null, said.what]
  return [{ clock: line.at, tz }, { id: said.what }, null, said.words]
}

function pingWords(ping: ListedEntry, tz: string): string {
  const { lastLine, exitStatus, droppedBytes } = ping
  const status = exitStatus === null || exitStatus === 0 ? '' : `exit status ${exitStatus}`
  const body = droppedBytes === null ? lastLine || status : 'the body was dropped'
  const late = latePingWords(ping, (at) => clockWords(at.epochMilliseconds, ping.receivedAt.epochMilliseconds, tz))
  return [late, ignoredWords(ping), body].filter((words) => words !== '').join(': ')
}

export function represent(line: LogLine): object {
  const at = isoSeconds(line.at)
  switch (line.kind) {
    case 'ping': {
      const { duration, lastLine } = line.ping
      const seconds = duration === null ? null : duration / MICROSECONDS
      return { event: 'ping', at, ...representPing(line.ping), duration: seconds, last_line: lastLine }
    }
    case 'flip':
      return { event: 'flip', at, from: line.flip.oldStatus, to: line.flip.newStatus, reason: line.flip.reason }
    case 'missing':
      return { event: 'missing', at }
    case 'late':
      return { event: 'late', at, delay: line.delay / MICROSECONDS }
    case 'more':
      return { event: 'missing-more', at, count: line.count, is_at_least: line.isAtLeast }
  }
}

/** Returns a log ping as JSON, without the ping's body. */
export function representPing(ping: Omit<LogEntry, 'duration'>) {
  const { n, kind, occurredAt, exitStatus, scheme, method, remoteAddr, ua, rid, bodySize } = ping
  return {
    ...{ n, kind, ...(occurredAt === null ? {} : { occurred_at: isoSeconds(occurredAt) }), exit_status: exitStatus },
    ...{ scheme, method, remote_addr: remoteAddr, ua, rid, body_size: bodySize },
  }
}
