/** Messages about a rejected password. */
import type { Refusal } from '../../../../domain/errors.ts'
import { durationWords } from '../../../../lib/time-words.ts'

/**
 * Returns the message; null if the refusal is about something else.
 * @param mismatch sentence for a wrong email address or password
 */
export function signInWords({ code, data }: Refusal, mismatch = 'Email and password do not match.'): string | null {
  if (code === 'over-limit') {
    return `Too many attempts. Wait ${durationWords(data.retryAfterSeconds ?? null)}, then try again.`
  }
  if (code !== 'sign-in-failed') return null
  const { triesLeft = 0, waitSeconds = null } = data
  const wait = durationWords(waitSeconds)
  if (triesLeft === 0) return `${mismatch} Wait ${wait}, then try again.`
  const attempts = triesLeft === 1 ? '1 attempt' : `${triesLeft} attempts`
  return `${mismatch} ${attempts} left, then a wait of ${wait}.`
}
