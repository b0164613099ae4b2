/** What an import says of a row that it changes, or cannot take. */

/** `changed`: it comes, but not as it was. `left-out`: it does not come. `to-do`: it comes, and somebody has to do something. */
export type ImportNoteKind = 'changed' | 'left-out' | 'to-do'

export interface ImportNote {
  readonly kind: ImportNoteKind
  /** what the row is, such as `check`, `integration`, `account`, `API key`, `setting` */
  readonly subject: string
  /** which one: its name, or what else tells it apart; without secrets */
  readonly name: string
  /** of the project that it belongs to; null: none */
  readonly project: string | null
  /** what happens to it and why: a sentence */
  readonly reason: string
  /** what to do about it: a sentence; null: nothing */
  readonly advice: string | null
}
