/** A note about a row that an import changes or can't import. */

/**
 * The kind of a note. `changed`: the import changes the row. `left-out`: the import skips the row. `to-do`: the row is imported, but a user
 * must do something afterwards.
 */
export type ImportNoteKind = 'changed' | 'left-out' | 'to-do'

export interface ImportNote {
  readonly kind: ImportNoteKind
  /** kind of row, such as `check`, `integration`, `account`, `API key` or `setting` */
  readonly subject: string
  /** name of the row, or another value that identifies it, without secrets */
  readonly name: string
  /** name of the row's project; null: none */
  readonly project: string | null
  /** a sentence that says what happens to the row and why */
  readonly reason: string
  /** a sentence about what the user should do; null: nothing */
  readonly advice: string | null
}

/** Identical notes about several rows. */
export interface NoteGroup extends Pick<ImportNote, 'kind' | 'subject' | 'reason' | 'advice'> {
  /** rows with this note, each with its project; null if the row has none or is itself a project */
  readonly rows: readonly { readonly name: string; readonly project: string | null }[]
}

/** Groups identical notes, in the order in which they first appear. */
export function groupNotes(notes: readonly ImportNote[]): NoteGroup[] {
  const groups = Map.groupBy(notes, ({ kind, subject, reason, advice }) =>
    JSON.stringify([kind, subject, reason, advice]),
  )
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike
    if (first === undefined) return []
    const { kind, subject, reason, advice } = first
    const rows = alike.map(({ name, project }) => ({ name, project: subject === 'project' ? null : project }))
    return [{ kind, subject, reason, advice, rows }]
  })
}
