/** Pieces of a schedule's source text with their positions, and errors that refer to a position. */

/** An error in a schedule. The message says what is wrong and what to write instead. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError'
  /** Position of the mistake in the text, in UTF-16 units. If something is missing at the end, this is the length of the text. */
  readonly position: number
  /** Length of the mistake, in UTF-16 units; at least 1. */
  readonly length: number

  constructor(message: string, position: number, length: number) {
    super(message)
    this.position = position
    this.length = Math.max(1, length)
  }
}

/** A message about part of a schedule's source text. Positions are in UTF-16 units. */
export interface PlacedMessage {
  readonly message: string
  readonly position: number
  readonly length: number
}

/** An error in a schedule that uses another program's syntax, such as Quartz. The message says what to write instead. */
export class ForeignScheduleError extends ScheduleError {}

/** Calls `read`. Returns its result, or the ScheduleError that it throws. */
export function orScheduleError<Read>(read: () => Read): Read | ScheduleError {
  try {
    return read()
  } catch (error) {
    if (error instanceof ScheduleError) return error
    throw error
  }
}

/** A piece of a schedule's source text, with its position in UTF-16 units. */
export interface Piece {
  readonly text: string
  readonly start: number
}

/** @throws ScheduleError always, with the piece's position */
export function refuse(piece: Piece, message: string): never {
  throw new ScheduleError(message, piece.start, piece.text.length)
}

/** Splits a piece into words and drops the white space between them. */
export function words(piece: Piece): Piece[] {
  return Array.from(piece.text.matchAll(/\S+/g), (match) => ({ text: match[0], start: piece.start + match.index }))
}

/** Removes white space from both ends of a piece. */
export function trim(piece: Piece): Piece {
  const text = piece.text.trimStart()
  return { text: text.trimEnd(), start: piece.start + piece.text.length - text.length }
}

/** Splits a piece at every separator, like `String.split`. Returns at least one piece, and keeps empty ones. */
export function split(piece: Piece, separator: string): [Piece, ...Piece[]] {
  const [head = '', ...tail] = piece.text.split(separator)
  const pieces: [Piece, ...Piece[]] = [{ text: head, start: piece.start }]
  let start = piece.start + head.length + separator.length
  for (const text of tail) {
    pieces.push({ text, start })
    start += text.length + separator.length
  }
  return pieces
}

/** Parses ASCII digits, with or without leading zeros; null for any other string. */
export function digits(text: string): number | null {
  return /^[0-9]+$/.test(text) ? Number(text) : null
}

/** Parses the `n` in `x/n`, which is a whole number of at least 1. Neither cron nor OnCalendar has an upper limit for it. */
export function stepOf(piece: Piece): number {
  const step = digits(piece.text)
  if (step === null || step < 1) refuse(piece, `The step "${piece.text}" must be a whole number of at least 1.`)
  return step
}
