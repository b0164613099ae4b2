/** A file that is read in parts, perhaps several times. */
export interface FileBytes {
  /** for people: its path, or the name that a browser gave it */
  readonly name: string
  /** @param start in bytes @param end in bytes, exclusive; null: to the end */
  read(start: number, end: number | null): AsyncIterable<Uint8Array>
  close(): Promise<void>
}
