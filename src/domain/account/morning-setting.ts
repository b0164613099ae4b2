/** An account's setting for the morning mail. */

/** When to send the morning mail. `trouble`: only after a night in which something went wrong. */
export const MORNING_WISHES = ['always', 'trouble'] as const
export type MorningWish = (typeof MORNING_WISHES)[number]

export interface MorningMail {
  readonly wish: MorningWish
  /** hour at which the mail is sent, in the account's time zone */
  readonly hour: number
}

/** Hours at which the morning mail can be sent. */
export const MORNING_HOURS = [5, 6, 7, 8, 9, 10, 11, 12] as const
export const USUAL_HOUR = 8
