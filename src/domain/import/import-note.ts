/** A note about a row that an import changes or cannot import. */

/** `changed`: imported with changes. `left-out`: not imported. `to-do`: imported, and a person has to do something. */
export type ImportNoteKind = 'changed' | 'left-out' | 'to-do'

export interface ImportNote {
  readonly kind: ImportNoteKind
  /** kind of the row, such as `check`, `integration`, `account`, `API key`, `setting` */
  readonly subject: string
  /** the row's name, or another distinction; without secrets */
  readonly name: string
  /** project of the row; null: none */
  readonly project: string | null
  /** a sentence about the treatment of the row, with the reason */
  readonly reason: string
  /** advice to a person, in a sentence; null: none */
  readonly advice: string | null
}

/** Equal notes about several rows. */
export interface NoteGroup extends Pick<ImportNote, 'kind' | 'subject' | 'reason' | 'advice'> {
  /** the rows, each with its project; null: none, or the row is that project */
  readonly rows: readonly { readonly name: string; readonly project: string | null }[]
}

/** Groups notes, in the order of their first notes. */
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
