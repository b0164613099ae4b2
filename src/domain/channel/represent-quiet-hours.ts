/** Formats quiet hours for project files and command output. */
import type { QuietHours } from './quiet-hours.ts'

export function representQuietHours({ schedule, tz, seconds, upTo }: QuietHours) {
  return { schedule, tz, duration: seconds, up_to: upTo }
}
