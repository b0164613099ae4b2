/** Checks whether a given secret was used to sign Django's sessions, which Healthchecks stores in its database. */
import { createHash, createHmac } from 'node:crypto'
import { isSameSecret } from '../../lib/secrets/same-secret.ts'

/** Salt that `django.contrib.sessions.backends.db` uses; see `django.core.signing`. */
const SALT = 'django.contrib.sessions.SessionStore'
/** Matches a payload and a time, followed by 32 bytes in URL-safe base64. Before Django 3.1, sessions had a different signature. */
const SESSION = /^(\.?[\w-]+:\w+):([\w-]{43})$/

/**
 * @param sessions values of `django_session.session_data`
 * @returns `unknown` if no session can prove the secret
 */
export function verifyBySessions(secret: string, sessions: readonly string[]): 'right' | 'wrong' | 'unknown' {
  const signed = sessions.map((session) => SESSION.exec(session)).filter((match) => match !== null)
  if (signed.length === 0) return 'unknown'
  const key = createHash('sha256').update(`${SALT}signer${secret}`).digest()
  const isSigned = ([, value = '', signature = '']: RegExpExecArray) =>
    isSameSecret(createHmac('sha256', key).update(value).digest('base64url'), signature)
  return signed.some(isSigned) ? 'right' : 'wrong'
}
