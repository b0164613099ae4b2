/** Formats results: tables that fit a terminal, with relative times and colours; plain and exact in pipes. */

import type { Status } from '../../domain/check/status.ts'
import { relativeInWords } from '../../domain/duration.ts'
import { isUuid } from '../../lib/secrets/uuid.ts'
import { oneLine, printable } from '../../lib/text/text.ts'
import { type Instant, isoSeconds, microsecondsBetween, Temporal } from '../../lib/time.ts'

export interface Screen {
  /** width of the terminal in characters; null: output is not a terminal */
  readonly columns: number | null
  readonly hasColor: boolean
  readonly now: Instant
}

/** Null: no value. */
export type Cell = string | Instant | { readonly status: Status; readonly text?: string } | null

export interface Table {
  readonly rows: readonly (readonly Cell[])[]
}

/** Parts are printed below each other. */
export type Shown = string | readonly (string | Table)[]

export function show(shown: Shown, screen: Screen): string {
  const parts = typeof shown === 'string' ? [shown] : shown
  return parts.map((part) => (typeof part === 'string' ? printable(part) : showTable(part, screen))).join('\n')
}

interface Written {
  /** one line without control characters */
  readonly text: string
  readonly color: number | null
  /** false: useless when cut */
  readonly isText: boolean
}

const GAP = '  '
/** Columns of text become narrower than this only when no other column can. */
const NARROW = 8
const NARROWEST = 3

function showTable({ rows }: Table, screen: Screen): string {
  const written = rows.map((row) => row.map((cell) => write(cell, screen)))
  const widths = fit(columnsOf(written), screen.columns)
  return written
    .map((row) =>
      row
        .map((cell, index) => pad(cell, widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}

const COLORS: Partial<Record<Status, number>> = { up: 32, grace: 33, down: 31 }

function write(cell: Cell, { columns, hasColor, now }: Screen): Written {
  if (cell === null) return { text: '-', color: null, isText: false }
  if (typeof cell === 'string') {
    const text = oneLine(cell)
    return { text, color: null, isText: !isUuid(text) }
  }
  if (cell instanceof Temporal.Instant) {
    const text = columns === null ? isoSeconds(cell) : relativeInWords(microsecondsBetween(cell, now) / 1_000_000)
    return { text, color: null, isText: false }
  }
  const { status, text = status } = cell
  return { text: oneLine(text), color: hasColor ? (COLORS[status] ?? null) : null, isText: false }
}

interface Column {
  readonly width: number
  /** becomes narrower than this only as a last resort */
  readonly least: number
}

function columnsOf(rows: readonly (readonly Written[])[]): Column[] {
  const columns: Column[] = []
  for (const row of rows) {
    for (const [index, { text, isText }] of row.entries()) {
      const { width, least } = columns[index] ?? { width: 0, least: 0 }
      const own = Bun.stringWidth(text)
      columns[index] = { width: Math.max(width, own), least: Math.max(least, isText ? Math.min(own, NARROW) : own) }
    }
  }
  return columns
}

/** Narrows the widest columns first; ids, times and statuses only as a last resort. */
function fit(columns: readonly Column[], room: number | null): number[] {
  const widths = columns.map(({ width }) => width)
  if (room === null) return widths
  const isTooWide = () => widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) > room
  const shrink = (least: (index: number) => number) => {
    while (isTooWide()) {
      const spare = widths.map((width, index) => (width > least(index) ? width : 0))
      const widest = spare.indexOf(Math.max(...spare))
      if (!spare[widest]) return
      widths[widest] = spare[widest] - 1
    }
  }
  shrink((index) => columns[index]?.least ?? 0)
  shrink(() => NARROWEST)
  return widths
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

/** The first characters of each id, at least 8, as many as make them distinct. */
export function shortIds(ids: readonly string[]): string[] {
  const isShared = (length: number) => new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size
  let length = SHORT_ID
  while (isShared(length)) length += 1
  return ids.map((id) => id.slice(0, length))
}
