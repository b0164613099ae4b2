/** Pieces of a schedule's text that know their position, and the error that refers to one. */

/** An invalid schedule. The message says what is wrong and what to write instead. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError'
  /** Start of the error, in UTF-16 code units from the start; the text's length if it ends too early. */
  readonly position: number
  /** Length of the error in code units, at least 1. */
  readonly length: number

  constructor(message: string, position: number, length: number) {
    super(message)
    this.position = position
    this.length = Math.max(1, length)
  }
}

/** A message about a part of a schedule's text, in UTF-16 code units. */
export interface PlacedMessage {
  readonly message: string
  readonly position: number
  readonly length: number
}

/** A text in the form of another program, such as Quartz. The message says what to write here. */
export class ForeignScheduleError extends ScheduleError {}

/** Returns the result of `read`, or the ScheduleError that it throws. */
export function orScheduleError<Read>(read: () => Read): Read | ScheduleError {
  try {
    return read()
  } catch (error) {
    if (error instanceof ScheduleError) return error
    throw error
  }
}

/** A part of a schedule's text and its offset there, in UTF-16 code units. */
export interface Piece {
  readonly text: string
  readonly start: number
}

/** @throws ScheduleError always, pointing at the piece */
export function refuse(piece: Piece, message: string): never {
  throw new ScheduleError(message, piece.start, piece.text.length)
}

/** Returns the words of a piece, without white space. */
export function words(piece: Piece): Piece[] {
  return Array.from(piece.text.matchAll(/\S+/g), (match) => ({ text: match[0], start: piece.start + match.index }))
}

/** Returns the piece without white space at its ends. */
export function trim(piece: Piece): Piece {
  const text = piece.text.trimStart()
  return { text: text.trimEnd(), start: piece.start + piece.text.length - text.length }
}

/** Splits at every separator like `String.split`: at least one piece, and empty pieces are kept. */
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

/** Returns the value of a text of ASCII digits (leading zeros are allowed); null for any other text. */
export function digits(text: string): number | null {
  return /^[0-9]+$/.test(text) ? Number(text) : null
}

/** Returns the `n` of `x/n`: a whole number of at least 1. Neither grammar has an upper limit. */
export function stepOf(piece: Piece): number {
  const step = digits(piece.text)
  if (step === null || step < 1) refuse(piece, `The step "${piece.text}" must be a whole number of at least 1.`)
  return step
}
