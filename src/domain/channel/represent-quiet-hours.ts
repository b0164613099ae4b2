/** Quiet hours as project files and the output of commands contain them. */
import type { QuietHours } from './quiet-hours.ts'

export function representQuietHours({ schedule, tz, seconds, upTo }: QuietHours) {
  return { schedule, tz, duration: seconds, up_to: upTo }
}
