/** A period of time, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number
  readonly until: number
}
