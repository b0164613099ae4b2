/** Finds checks that fell silent at the same time, which suggests a problem with a machine or a network rather than with the jobs. */
import { splitTags } from '../check/tags.ts'
import type { Sentence } from '../words/sentence-parts.ts'
import { clockOf } from './outcome-words.ts'
import type { NightRow } from './row.ts'

export interface SilentTogether {
  readonly rows: readonly NightRow[]
  /** sender address or tag shared by the checks */
  readonly by: { readonly kind: 'sender' | 'tag'; readonly text: string }
  /** start of the first silence and end of the last, in milliseconds since 1970; `until` is infinity if a check is still silent */
  readonly from: number
  readonly until: number
}

const WITHIN = 120_000

/**
 * Returns a sentence such as `4 checks on 192.0.2.41 were silent together from 02:12 to 02:36.`
 * @param tz IANA name
 */
export function togetherSentence({ rows, by, from, until }: SilentTogether, tz: string): Sentence {
  const where = by.kind === 'sender' ? 'on' : 'with the tag'
  const when = Number.isFinite(until)
    ? `from ${clockOf(from, tz)} to ${clockOf(until, tz)}`
    : `since ${clockOf(from, tz)}`
  return [`${rows.length.toLocaleString('en')} checks ${where} `, { name: by.text }, ` were silent together ${when}.`]
}

/** Returns a predicate for rows that can be omitted because the sentence about one of these groups covers them. */
export function toldBy(shown: readonly SilentTogether[]): (row: NightRow) => boolean {
  const told = new Set(shown.flatMap(({ rows }) => rows))
  return (row) => told.has(row) && row.comb?.silences.length === 1 && row.comb.failed.length === 0
}

interface Silent {
  readonly row: NightRow
  readonly from: number
  readonly until: number
}

/** Finds checks that run more than once an hour, share a sender or tag, and fell silent within two minutes of each other. */
export function silentTogether(rows: readonly NightRow[]): readonly SilentTogether[] {
  const silent = rows.flatMap((row) => (row.comb?.silences ?? []).map((silence): Silent => ({ row, ...silence })))
  const bySender = grouped(silent, 'sender', ({ row }) => (row.sender === null ? [] : [row.sender]))
  const told = new Set(bySender.flatMap((group) => group.rows))
  const others = silent.filter(({ row }) => !told.has(row))
  return [...bySender, ...grouped(others, 'tag', ({ row }) => splitTags(row.check.tags))]
}

function grouped(
  silent: readonly Silent[],
  kind: SilentTogether['by']['kind'],
  keysOf: (one: Silent) => readonly string[],
): readonly SilentTogether[] {
  const byKey = new Map<string, Silent[]>()
  for (const one of silent) {
    for (const key of keysOf(one)) {
      const members = byKey.get(key)
      if (members) members.push(one)
      else byKey.set(key, [one])
    }
  }
  return [...byKey].flatMap(([text, members]) => atOnce(members).map((group) => ({ ...group, by: { kind, text } })))
}

function atOnce(members: readonly Silent[]): readonly Omit<SilentTogether, 'by'>[] {
  const groups: Silent[][] = []
  for (const one of members.toSorted((a, b) => a.from - b.from)) {
    const group = groups.at(-1)
    if (group && one.from - (group.at(-1)?.from ?? 0) <= WITHIN) group.push(one)
    else groups.push([one])
  }
  return groups.flatMap((group) => {
    const rows = [...new Set(group.map(({ row }) => row))]
    const until = group.reduce((last, one) => Math.max(last, one.until), 0)
    return rows.length < 2 ? [] : [{ rows, from: group[0]?.from ?? 0, until }]
  })
}
