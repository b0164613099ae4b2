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

/** Notes that say the same of several rows. */
export interface NoteGroup extends Pick<ImportNote, 'kind' | 'subject' | 'reason' | 'advice'> {
  /** which rows, and of which project; null: none, or the row is that project */
  readonly rows: readonly { readonly name: string; readonly project: string | null }[]
}

/** In the order of their first notes. */
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
