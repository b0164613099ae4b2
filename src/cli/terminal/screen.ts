/**
 * Formats results. On a terminal, tables fit the terminal's width and have relative times and colours. In a pipe, output is plain and
 * exact.
 */

import type { Status } from '../../domain/check/status.ts'
import { relativeInWords } from '../../domain/duration.ts'
import { isUuid } from '../../lib/secrets/uuid.ts'
import { oneLine, printable } from '../../lib/text/text.ts'
import { type Instant, isoSeconds, microsecondsBetween, Temporal } from '../../lib/time.ts'
import { timeWords } from '../../lib/time-words.ts'
import { type Column, fitColumns, GAP } from './columns.ts'

export interface Screen {
  /** width of the terminal in characters; null if the output is not a terminal */
  readonly columns: number | null
  readonly hasColor: boolean
  readonly now: Instant
}

/** A cell of a table; null if it has no value. */
export type Cell =
  | string
  | Instant
  | { readonly status: Status; readonly text?: string }
  /** a name, which is truncated only after all other texts */
  | { readonly name: string }
  /** an id, which is useless if truncated */
  | { readonly id: string }
  /** a time in a list of many times close together; a terminal shows it as a clock time in the zone */
  | { readonly clock: Instant; readonly tz: string }
  | null

export interface Table {
  readonly rows: readonly (readonly Cell[])[]
  /** indexes of the columns that a narrow terminal may leave out, in the order in which they are left out */
  readonly leastWanted?: readonly number[]
}

/** Text to print, or several parts to print one below the other. */
export type Shown = string | readonly (string | Table)[]

export function show(shown: Shown, screen: Screen): string {
  const parts = typeof shown === 'string' ? [shown] : shown
  return parts.map((part) => (typeof part === 'string' ? printable(part) : showTable(part, screen))).join('\n')
}

interface Written {
  /** text of one line, without control characters */
  readonly text: string
  readonly color: number | null
  /** `whole` if the text is useless when truncated */
  readonly kind: 'text' | 'name' | 'whole'
}

function showTable({ rows, leastWanted = [] }: Table, screen: Screen): string {
  const written = rows.map((row) => row.map((cell) => write(cell, screen)))
  const widths = fitColumns(columnsOf(written), screen.columns, leastWanted)
  return written
    .map((row) =>
      row
        .flatMap((cell, index) => {
          const width = widths[index] ?? null
          return width === null ? [] : [pad(cell, width)]
        })
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}

const COLORS: Partial<Record<Status, number>> = { up: 32, grace: 33, down: 31 }

function write(cell: Cell, { columns, hasColor, now }: Screen): Written {
  if (cell === null) return { text: '-', color: null, kind: 'text' }
  if (typeof cell === 'string') {
    const text = oneLine(cell)
    return { text, color: null, kind: isUuid(text) ? 'whole' : 'text' }
  }
  if (cell instanceof Temporal.Instant) {
    const text = columns === null ? isoSeconds(cell) : relativeInWords(microsecondsBetween(cell, now) / 1_000_000)
    return { text, color: null, kind: 'whole' }
  }
  if ('id' in cell) return { text: cell.id, color: null, kind: 'whole' }
  if ('name' in cell) return { text: oneLine(cell.name), color: null, kind: 'name' }
  if ('clock' in cell) {
    const [at, present] = [cell.clock.epochMilliseconds, now.epochMilliseconds]
    const text = columns === null ? isoSeconds(cell.clock) : timeWords('clock', at, present, cell.tz)
    return { text, color: null, kind: 'whole' }
  }
  const { status, text = status } = cell
  return { text: oneLine(text), color: hasColor ? (COLORS[status] ?? null) : null, kind: 'whole' }
}

function columnsOf(rows: readonly (readonly Written[])[]): Column[] {
  const columns: Column[] = []
  for (const row of rows) {
    for (const [index, { text, kind }] of row.entries()) {
      const { width, whole, isName } = columns[index] ?? { width: 0, whole: 0, isName: false }
      const own = Bun.stringWidth(text)
      columns[index] = {
        width: Math.max(width, own),
        whole: kind === 'whole' ? Math.max(whole, own) : whole,
        isName: isName || kind === 'name',
      }
    }
  }
  return columns
}

function pad({ text, color }: Written, width: number): string {
  const cut = cutToWidth(text, width)
  const colored = color === null ? cut : `\u001b[${color}m${cut}\u001b[0m`
  return colored + ' '.repeat(width - Bun.stringWidth(cut))
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

function cutToWidth(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text
  let cut = ''
  for (const { segment } of graphemes.segment(text)) {
    if (Bun.stringWidth(cut + segment) >= width) break
    cut += segment
  }
  return `${cut}…`
}

const SHORT_ID = 8

/** Abbreviates ids for table cells. An abbreviation has at least 8 characters, and more if it would otherwise not be unique. */
export function shortIds(ids: readonly string[]): readonly { readonly id: string }[] {
  const isShared = (length: number) => new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size
  let length = SHORT_ID
  while (isShared(length)) length += 1
  return ids.map((id) => ({ id: id.slice(0, length) }))
}
