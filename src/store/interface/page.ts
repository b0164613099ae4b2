/** Long lists are read in pages. */

/** Where the next page of a long list begins; opaque to callers. */
export type PageMark = number

/** Part of a long list, so that no read takes long. Each page shows one state of the database. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** null for the last page */
  readonly next: PageMark | null
}
