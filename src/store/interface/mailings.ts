/** Reports and reminders. */

/** Where an email channel sends, if its settings fit one. */
export interface MailTarget {
  /** of the channel */
  readonly id: string
  readonly projectId: string
  readonly settings: unknown
}

/** How far a list of {@link MailTargets} was read. */
export interface MailTargetMark {
  readonly projectId: string
  readonly createdAt: number
}

export interface MailTargets {
  /** by project, in each in order of creation; perhaps none */
  readonly items: readonly MailTarget[]
  /** for the next part; null after the last one */
  readonly next: MailTargetMark | null
}
